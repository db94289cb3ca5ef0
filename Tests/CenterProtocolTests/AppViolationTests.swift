// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Each breach of the app socket's rules with its exact violation.
struct AppViolationTests {
    private static func bytes(_ type: UInt8, id: UInt64 = 0, _ body: String) -> [UInt8] {
        var bytes: [UInt8] = []
        PacketHeader(type: type, id: id).write(to: &bytes)
        return bytes + Array(body.utf8)
    }

    @Test(
        arguments: [
            ([], .packet(.tooShort(byteCount: 0))),
            (bytes(0x80, "{}"), .packet(.unknownType(0x80))),
            (bytes(0x87, "{}"), .packet(.unknownType(0x87))),
            (bytes(0x82, id: 1, "{"), .packet(.badBody(.unexpectedEnd))),
            (bytes(0x82, id: 1, "{}"), .member(.call, .missing("call"))),
            (bytes(0x82, id: 1, #"{"call":"settings","later":1}"#), .member(.call, .unknownMember(of: ""))),
            (bytes(0x82, id: 0, #"{"call":"settings"}"#), .idNotRising(.call, 0)),
            (bytes(0x83, id: 1, "{}"), .member(.presence, .badID(1))),
            (bytes(0x83, #"{"inFront":true,"listens":true}"#), .member(.presence, .missing("silent"))),
            (bytes(0x83, #"{"inFront":1,"listens":true,"silent":true}"#), .member(.presence, .wrongKind("inFront"))),
            (bytes(0x84, id: 1, #"{"options":["alert"]}"#), .member(.present, .unknownWord("options"))),
            (bytes(0x84, id: 1, #"{"options":[]}"#), .unknownID(.present, 1)),
            (bytes(0x85, id: 1, "{}"), .unknownID(.completed, 1)),
            (bytes(0x85, id: 1, #"{"a":1}"#), .member(.completed, .unknownMember(of: ""))),
            (bytes(0x86, id: 1, #"{"result":"none"}"#), .member(.finished, .unknownWord("result"))),
            (bytes(0x86, id: 1, #"{"result":"failed"}"#), .unknownID(.finished, 1)),
            (bytes(0x82, String(repeating: " ", count: 65_528)), .packet(.tooLong(byteCount: 65_537, limit: 65_536))),
        ] as [([UInt8], AppViolation)]
    )
    func `bytes of the app that are no message`(bytes: [UInt8], violation: AppViolation) throws {
        var pair = try AppPair.open()
        let judged = pair.center.judge(bytes)
        #expect(judged == .failure(violation))
    }

    @Test(
        arguments: [
            (#"{"protocol":2,"bundleIdentifier":"a.b"}"#, .unsupportedProtocol),
            (#"{"protocol":1}"#, .missing("bundleIdentifier")),
            (#"{"protocol":1,"bundleIdentifier":""}"#, .empty("bundleIdentifier")),
            (#"{"protocol":1,"bundleIdentifier":"a.b","name":""}"#, .empty("name")),
            (#"{"protocol":1,"bundleIdentifier":"a.b","owner":"me"}"#, .unknownMember(of: "")),
        ] as [(String, MemberFault)]
    )
    func `a hello is strict`(body: String, fault: MemberFault) {
        var end = CenterAppEnd()
        let judged = end.judge(Self.bytes(0x81, body))
        #expect(judged == .failure(.member(.hello, fault)))
    }

    @Test(
        arguments: [
            (bytes(0x01, id: 1, "{}"), .wrongPhase(.welcome)), (bytes(0x09, "{}"), .packet(.unknownType(0x09))),
            (bytes(0x03, id: 9, "{}"), .unknownID(.answer, 9)),
            (bytes(0x04, id: 1, "{}"), .member(.willPresent, .missing("notification"))),
            (bytes(0x05, id: 1, #"{"response":0}"#), .member(.response, .outOfRange("response"))),
            (bytes(0x05, id: 1, #"{"response":1,"action":""}"#), .member(.response, .empty("action"))),
            (
                bytes(0x05, id: 1, #"{"response":1,"action":"a","text":"\#(String(repeating: "x", count: 16_385))"}"#),
                .member(.response, .tooLong("text", byteCount: 16_385))
            ),
            (bytes(0x06, id: 1, #"{"payload":1}"#), .member(.silent, .wrongKind("payload"))),
            (bytes(0x07, #"{"token":"xy"}"#), .member(.token, .malformed("token"))),
            (bytes(0x07, id: 1, "{}"), .member(.token, .badID(1))),
            (bytes(0x08, #"{"notification":{}}"#), .member(.openSettings, .missing("notification.number"))),
        ] as [([UInt8], AppViolation)]
    )
    func `bytes of the centre that are no message`(bytes: [UInt8], violation: AppViolation) throws {
        var pair = try AppPair.open()
        let judged = pair.app.judge(bytes)
        #expect(judged == .failure(violation))
    }

    // MARK: Descriptors

    @Test(arguments: [(0, 1), (1, 0), (10, 9)])
    func `descriptors travel with add, as many as it announces`(announced: Int, came: Int) throws {
        var pair = try AppPair.open()
        let call = AppMessage.call(id: 1, .add(.withFiles(announced)))
        let judged = pair.center.judge(try call.packet.encoded(), descriptors: came)
        #expect(judged == .failure(.descriptors(.call, announced: announced, came: came)))
    }

    @Test func `no other message comes with a descriptor`() throws {
        var pair = try AppPair.open()
        let presence = pair.center.judge(try AppMessage.readyForAll.packet.encoded(), descriptors: 1)
        #expect(presence == .failure(.descriptors(.presence, announced: 0, came: 1)))
        pair = try AppPair.open()
        let token = pair.app.judge(try CenterAppMessage.token(nil).packet.encoded(), descriptors: 1)
        #expect(token == .failure(.descriptors(.token, announced: 0, came: 1)))
    }

    // MARK: Calls

    @Test func `ids of calls rise, and each has one answer`() throws {
        var pair = try AppPair.open()
        try pair.say(.call(id: 5, .add(.withFiles(2))))
        let again = pair.app.judge(send: .call(id: 5, .settings))
        #expect(again.failure == .idNotRising(.call, 5))
        #expect(try pair.say(.answer(id: 5, .add, .done)) == .answer(id: 5, .add, .done))
        let second = pair.center.judge(send: .answer(id: 5, .add, .done))
        #expect(second.failure == .unknownID(.answer, 5))
        let other = try pair.app.judge(.answer(id: 5, .add, .done))
        #expect(other == .failure(.unknownID(.answer, 5)))
        pair = try AppPair.open()
        try pair.say(.call(id: 1, .settings))
        let misfit = pair.center.judge(send: .answer(id: 1, .settings, .done))
        #expect(misfit.failure == .member(.answer, .wrongKind("ok")))
        let received = try pair.app.judge(.answer(id: 1, .settings, .done))
        #expect(received == .failure(.member(.answer, .missing("ok.settings"))))
    }

    @Test func `1,000 calls come at once, and the next when its time has come`() throws {
        var pair = try AppPair.open()
        // The app said that it is in front, which is paid for by then.
        let now = Duration.milliseconds(10)
        for id in UInt64(1)...1000 {
            try pair.say(.call(id: id, .settings), at: now)
            try pair.say(.answer(id: id, .settings, .failed(.notAllowed)))
        }
        let pauses = (pair.app.pause(at: now), pair.center.pause(at: now))
        #expect(pauses == (.milliseconds(10), .milliseconds(10)))
        let early = pair.app.judge(send: .call(id: 1001, .settings))
        #expect(early.failure == .tooManyCalls)
        #expect(try pair.say(.call(id: 1001, .settings), at: .milliseconds(20)) == .call(id: 1001, .settings))
        let flood = try pair.center.judge(.call(id: 1002, .settings))
        #expect(flood == .failure(.tooManyCalls))
    }

    @Test func `a presence is paid for like a call, and is refused by nobody`() throws {
        var pair = try AppPair.open()
        // With the one by which it came to the front.
        for _ in 2...1000 { try pair.say(.presence(Presence())) }
        #expect(pair.center.pause(at: .zero) == .milliseconds(10))
        try pair.say(.presence(Presence()))
        let pauses = (pair.app.pause(at: .zero), pair.center.pause(at: .zero))
        #expect(pauses == (.milliseconds(20), .milliseconds(20)))
        let early = pair.app.judge(send: .call(id: 1, .settings))
        #expect(early.failure == .tooManyCalls)
    }

    @Test func `1,000 calls may wait for their answers`() throws {
        var pair = try AppPair.open()
        for id in UInt64(1)...1000 { try pair.say(.call(id: id, .settings), at: .seconds(60)) }
        let hasRoom = pair.app.hasRoomForCall
        #expect(!hasRoom)
        let bytes = try AppMessage.call(id: 1001, .settings).packet.encoded()
        let judged = pair.center.judge(bytes, at: .seconds(120))
        #expect(judged == .failure(.tooManyOpen(.call)))
    }

    // MARK: Questions

    @Test(
        arguments: [
            (.willPresent(id: 1, .sample), Presence(inFront: true)),
            (.willPresent(id: 1, .sample), Presence(listens: true, silent: true)),
            (.response(1), Presence(inFront: true, silent: true)),
            (.silent(id: 1, .sample), Presence(inFront: true, listens: true)),
            (.openSettings(nil), Presence(inFront: true, silent: true)),
        ] as [(CenterAppMessage, Presence)]
    )
    func `an app gets only what it has announced`(message: CenterAppMessage, presence: Presence) throws {
        var pair = AppPair()
        try pair.say(.hello)
        try pair.say(.welcome)
        try pair.say(.presence(presence))
        let sent = pair.center.judge(send: message)
        #expect(sent.failure == .unannounced(message.type))
        let received = try pair.app.judge(message)
        #expect(received == .failure(.unannounced(message.type)))
    }

    @Test func `what an app takes back may cross a question`() throws {
        var pair = try AppPair.open()
        try pair.say(.presence(Presence()))
        #expect(try pair.say(.response(1)) == .response(1))
    }

    @Test func `a question has one answer, of its own kind`() throws {
        var pair = try AppPair.open()
        try pair.say(.willPresent(id: 1, .sample))
        try pair.say(.response(2))
        try pair.say(.silent(id: 3, .sample))
        for answer in [AppMessage.completed(id: 1), .present(id: 2, []), .finished(id: 2, .failed), .completed(id: 3)] {
            let sent = pair.app.judge(send: answer)
            #expect(sent.failure == .unknownID(answer.type, answer.packet.id))
        }
        #expect(try pair.say(.completed(id: 2)) == .completed(id: 2))
        #expect(try pair.say(.present(id: 1, [.list])) == .present(id: 1, [.list]))
        #expect(try pair.say(.finished(id: 3, .newData)) == .finished(id: 3, .newData))
        let again = try pair.center.judge(.completed(id: 2))
        #expect(again == .failure(.unknownID(.completed, 2)))
    }

    @Test func `an answer that comes too late is told from one that nobody asked for`() throws {
        var pair = try AppPair.open()
        try pair.say(.willPresent(id: 1, .sample))
        let expiries = [pair.center.expireQuestion(1), pair.center.expireQuestion(1), pair.center.expireQuestion(2)]
        #expect(expiries == [true, false, false])
        #expect(try pair.say(.present(id: 1, [.banner])) == .lateAnswer(id: 1))
        let again = try pair.center.judge(.present(id: 1, [.banner]))
        #expect(again == .failure(.unknownID(.present, 1)))
    }

    @Test func `16 questions of a kind are open, one silent push, and given up ones count`() throws {
        var pair = try AppPair.open()
        for id in UInt64(1)...16 {
            try pair.say(.willPresent(id: id, .sample))
            _ = pair.center.expireQuestion(id)
        }
        for id in UInt64(17)...32 { try pair.say(.response(id)) }
        try pair.say(.silent(id: 33, .sample))
        let room = [pair.center.hasRoomToPresent, pair.center.hasRoomForResponse, pair.center.hasRoomForSilentPush]
        #expect(room == [false, false, false])
        for message in [CenterAppMessage.willPresent(id: 34, .sample), .response(34), .silent(id: 34, .sample)] {
            let sent = pair.center.judge(send: message)
            #expect(sent.failure == .tooManyOpen(message.type))
        }
        let received = try pair.app.judge(.response(34))
        #expect(received == .failure(.tooManyOpen(.response)))
    }

    @Test func `ids of questions rise over all kinds`() throws {
        var pair = try AppPair.open()
        try pair.say(.willPresent(id: 5, .sample))
        let next = pair.center.nextQuestionID
        #expect(next == 6)
        let sent = pair.center.judge(send: .response(5))
        #expect(sent.failure == .idNotRising(.response, 5))
        let received = try pair.app.judge(.response(4))
        #expect(received == .failure(.idNotRising(.response, 4)))
    }
}
