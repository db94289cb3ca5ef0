// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Every phase of the app socket with every message, at the end that sends and at the end that receives.
///
/// Source: center.md §4; PROTOCOL.md, "App socket".
struct AppTableTests {
    enum Stage: CaseIterable {
        case silent, greeted, open, rejected

        /// The messages that may come now.
        var allowed: Set<AppMessageType> {
            switch self {
            case .silent: [.hello]
            case .greeted: [.welcome, .rejected]
            case .open:
                [
                    .call, .presence, .present, .completed, .finished, .answer, .willPresent, .response, .silent,
                    .token, .openSettings,
                ]
            case .rejected: []
            }
        }
    }

    /// Once open, call 1 waits, and so do the questions 1 to 3, one of each kind.
    private func pair(at stage: Stage) throws -> AppPair {
        var pair = AppPair()
        if stage == .silent { return pair }
        try pair.say(.hello)
        if stage == .greeted { return pair }
        if stage == .rejected {
            try pair.say(.rejected)
            return pair
        }
        try pair.say(.welcome)
        try pair.say(.readyForAll)
        try pair.say(.call(id: 1, .settings))
        try pair.say(.willPresent(id: 1, .sample))
        try pair.say(.response(2))
        try pair.say(.silent(id: 3, .sample))
        return pair
    }

    private static let appMessages: [AppMessage] = [
        .hello, .call(id: 2, .settings), .readyForAll, .present(id: 1, [.banner]), .completed(id: 2),
        .finished(id: 3, .newData),
    ]

    private static let centerMessages: [CenterAppMessage] = [
        .welcome, .rejected, .answer(id: 1, .settings, .failed(.notAllowed)), .willPresent(id: 4, .sample),
        .response(4), .silent(id: 4, .sample), .token("00ff"), .openSettings(.sample),
    ]

    private func expected(at stage: Stage, _ type: AppMessageType) -> AppViolation? {
        guard stage.allowed.contains(type) else { return .wrongPhase(type) }
        // One silent push is open already.
        return type == .silent ? .tooManyOpen(.silent) : nil
    }

    @Test func `a type keeps its byte`() {
        let bytes: [(AppMessageType, UInt8)] = [
            (.welcome, 0x01), (.rejected, 0x02), (.answer, 0x03), (.willPresent, 0x04), (.response, 0x05),
            (.silent, 0x06), (.token, 0x07), (.openSettings, 0x08), (.hello, 0x81), (.call, 0x82), (.presence, 0x83),
            (.present, 0x84), (.completed, 0x85), (.finished, 0x86),
        ]
        for (type, byte) in bytes { #expect(type.rawValue == byte) }
        #expect(bytes.map(\.0) == AppMessageType.allCases)
    }

    @Test(arguments: Stage.allCases)
    func `the app sends, and the centre takes, what the stage allows`(stage: Stage) throws {
        #expect(Self.appMessages.map(\.type) == AppMessageType.allCases.filter(\.isFromApp))
        for message in Self.appMessages {
            var sending = try pair(at: stage)
            var receiving = try pair(at: stage)
            let sent = sending.app.judge(send: message).failure
            let received = try receiving.center.judge(message).failure
            #expect(sent == expected(at: stage, message.type))
            #expect(received == expected(at: stage, message.type))
        }
    }

    @Test(arguments: Stage.allCases)
    func `the centre sends, and the app takes, what the stage allows`(stage: Stage) throws {
        #expect(Self.centerMessages.map(\.type) == AppMessageType.allCases.filter { !$0.isFromApp })
        for message in Self.centerMessages {
            var sending = try pair(at: stage)
            var receiving = try pair(at: stage)
            let sent = sending.center.judge(send: message).failure
            let received = try receiving.app.judge(message).failure
            #expect(sent == expected(at: stage, message.type))
            #expect(received == expected(at: stage, message.type))
        }
    }

    @Test(arguments: Stage.allCases)
    func `what goes the other way is a violation in every stage`(stage: Stage) throws {
        for message in Self.appMessages {
            var pair = try pair(at: stage)
            let judged = pair.app.judge(try message.packet.encoded())
            #expect(judged == .failure(.wrongDirection(message.type)))
        }
        for message in Self.centerMessages {
            var pair = try pair(at: stage)
            let judged = pair.center.judge(try message.packet.encoded())
            #expect(judged == .failure(.wrongDirection(message.type)))
        }
    }

    @Test func `a violation ends the conversation at the end that finds it`() throws {
        for message in Self.appMessages {
            var pair = try pair(at: .open)
            _ = pair.center.judge([])
            let judged = try pair.center.judge(message)
            #expect(judged == .failure(.wrongPhase(message.type)))
        }
        for message in Self.centerMessages {
            var pair = try pair(at: .open)
            _ = pair.app.judge([])
            let judged = try pair.app.judge(message)
            #expect(judged == .failure(.wrongPhase(message.type)))
        }
    }

    // MARK: Bodies

    private static let notification =
        #"{"number":4711,"date":"2026-11-21T03:00:00.123Z","request":{"identifier":"lunch","#
        + #""payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":1}},"#
        + #""trigger":{"type":"push"},"attachments":[{"identifier":"photo","type":"public.jpeg","size":48211,"#
        + #""file":"5f2c9a1e","thumbnail":{"hidden":true,"clip":[0,0.25,0.5,0.5]}}]}}"#

    @Test(
        arguments: [
            (.hello, 0, #"{"protocol":1,"bundleIdentifier":"com.example.chat","name":"Chat"}"#),
            (.call(id: 7, .badge(3)), 7, #"{"call":"badge","count":3}"#),
            (.presence(Presence(listens: true)), 0, #"{"inFront":false,"listens":true,"silent":false}"#),
            (.present(id: 2, [.sound, .banner]), 2, #"{"options":["banner","sound"]}"#),
            (.present(id: 2, []), 2, #"{"options":[]}"#), (.completed(id: 3), 3, "{}"),
            (.finished(id: 4, .noData), 4, #"{"result":"noData"}"#),
        ] as [(AppMessage, UInt64, String)]
    )
    func `a message of the app says exactly this`(message: AppMessage, id: UInt64, body: String) throws {
        #expect(message.packet.id == id)
        #expect(message.packet.body.text == body)
        #expect(try AppMessage(try AppPacket(try message.packet.encoded())) == message)
    }

    @Test(
        arguments: [
            (.welcome, 0, #"{"owner":"me","status":"authorized","environment":"production"}"#),
            (.rejected, 0, #"{"reason":"unknownApp","hint":"name it in apps"}"#),
            (.answer(id: 5, .settings, .failed(.disk)), 5, nil),
            (.willPresent(id: 1, .sample), 1, #"{"notification":"# + notification + "}"),
            (
                .response(
                    id: 2,
                    AppResponse(response: 9, action: "reply", text: "Yes 🙂", notification: .sample)
                ), 2, #"{"response":9,"action":"reply","text":"Yes 🙂","notification":"# + notification + "}"
            ),
            (
                .silent(id: 3, .sample), 3,
                #"{"payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":1}}}"#
            ),
            (.token("00ff"), 0, #"{"token":"00ff"}"#), (.token(nil), 0, "{}"), (.openSettings(nil), 0, "{}"),
            (.openSettings(.sample), 0, #"{"notification":"# + notification + "}"),
        ] as [(CenterAppMessage, UInt64, String?)]
    )
    func `a message of the centre says exactly this`(message: CenterAppMessage, id: UInt64, body: String?) throws {
        #expect(message.packet.id == id)
        if let body { #expect(message.packet.body.text == body) }
        let packet = try AppPacket(try message.packet.encoded())
        #expect(try CenterAppMessage(packet, answering: .settings) == message)
    }

    @Test(arguments: AppRejection.Reason.allCases)
    func `a rejection has one of three reasons`(reason: AppRejection.Reason) throws {
        let message = CenterAppMessage.rejected(AppRejection(reason, hint: ""))
        #expect(try CenterAppMessage(message.packet, answering: nil) == message)
        #expect(AppRejection.Reason.allCases.count == 3)
    }
}
