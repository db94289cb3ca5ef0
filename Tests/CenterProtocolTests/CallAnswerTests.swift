// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

struct CallAnswerTests {
    private static let request =
        #"{"identifier":"lunch","payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":1}},"#
        + #""trigger":{"type":"push"},"attachments":[{"identifier":"photo","type":"public.jpeg","size":48211,"#
        + #""file":"5f2c9a1e","thumbnail":{"hidden":true,"clip":[0,0.25,0.5,0.5]}}]"#

    static let answers: [(CallName, CallAnswer, String)] = [
        (.add, .done, #"{"ok":{}}"#), (.authorize, .granted(true), #"{"ok":{"granted":true}}"#),
        (
            .settings, .settings(NotificationSettings()),
            #"{"ok":{"settings":{"status":"notDetermined","alert":"notSupported","sound":"notSupported","#
                + #""badge":"notSupported","notificationCenter":"notSupported","lockScreen":"notSupported","#
                + #""timeSensitive":"notSupported","criticalAlert":"notSupported","alertStyle":"none","#
                + #""showPreviews":"always","providesAppNotificationSettings":false,"#
                + #""supportsContentExtensions":false}}}"#
        ),
        (.categories, .categories([]), #"{"ok":{"categories":[]}}"#),
        (
            .pending,
            .pending(
                [PendingRequest(request: StoredNotification.sample.request, next: Moment(milliseconds: 0))],
                hasMore: true
            ),
            #"{"ok":{"requests":["# + request + #","next":"1970-01-01T00:00:00.000Z"}],"more":true}}"#
        ),
        (
            .delivered, .delivered([.sample], hasMore: false),
            #"{"ok":{"notifications":[{"number":4711,"date":"2026-11-21T03:00:00.123Z","request":"# + request
                + #"}}],"more":false}}"#
        ),
        (.register, .token("00ff"), #"{"ok":{"token":"00ff"}}"#),
        (
            .badge, .failed(.badgeInvalid),
            #"{"error":{"domain":"UNErrorDomain","code":1600,"reason":"badgeInvalid"}}"#
        ),
    ]

    @Test(arguments: answers)
    func `an answer says exactly this`(name: CallName, answer: CallAnswer, body: String) throws {
        #expect(answer.body.text == body)
        #expect(try CallAnswer(try JSONObject(text: body), to: name) == answer)
        #expect(answer.fits(name))
    }

    @Test func `each call has answers of its own, and any call may fail`() throws {
        for name in CallName.allCases {
            let fitting = Self.answers.map(\.1).filter { $0.fits(name) }
            #expect(fitting.count == 2, "\(name)")
            for answer in fitting { #expect(try CallAnswer(answer.body, to: name) == answer) }
            for answer in Self.answers.map(\.1) where !answer.fits(name) {
                #expect(throws: MemberFault.self) { try CallAnswer(answer.body, to: name) }
            }
        }
    }

    @Test(
        arguments: [
            (.add, "{}", .missing("ok")), (.add, #"{"ok":1}"#, .wrongKind("ok")),
            (
                .add, #"{"ok":{},"error":{"domain":"UNErrorDomain","code":1,"reason":"notAllowed"}}"#,
                .unknownMember(of: "")
            ),
            (.add, #"{"ok":{"more":1}}"#, .unknownMember(of: "ok")),
            (.authorize, #"{"ok":{}}"#, .missing("ok.granted")),
            (.settings, #"{"ok":{"settings":{"status":"ephemeral"}}}"#, .unknownWord("ok.settings.status")),
            (.pending, #"{"ok":{"requests":[]}}"#, .missing("ok.more")),
            (
                .pending, #"{"ok":{"requests":[{"identifier":"a","payload":{},"next":"soon"}],"more":false}}"#,
                .malformed("ok.requests.next")
            ),
            (
                .delivered, #"{"ok":{"notifications":[{"number":0}],"more":false}}"#,
                .outOfRange("ok.notifications.number")
            ),
            (.register, #"{"ok":{"token":"00FF"}}"#, .malformed("ok.token")),
            (.register, #"{"ok":{"token":"0"}}"#, .malformed("ok.token")),
            (.add, #"{"error":{"domain":"UNErrorDomain","code":2,"reason":"notAllowed"}}"#, .unknownWord("error.code")),
            (.add, #"{"error":{"domain":"Other","code":1,"reason":"notAllowed"}}"#, .unknownWord("error.code")),
            (.add, #"{"error":{"domain":"UNErrorDomain","code":1,"reason":"noDate"}}"#, .unknownWord("error.code")),
            (.add, #"{"error":{"domain":"UNErrorDomain","code":1}}"#, .missing("error.reason")),
        ] as [(CallName, String, MemberFault)]
    )
    func `what is no answer is refused by name`(name: CallName, body: String, fault: MemberFault) throws {
        let object = try JSONObject(text: body)
        #expect(throws: fault) { try CallAnswer(object, to: name) }
    }

    /// Apple's numbers.
    @Test(
        arguments: [
            (.notAllowed, "UNErrorDomain", 1, "notAllowed"), (.attachmentURL, "UNErrorDomain", 100, "attachment"),
            (.attachmentType, "UNErrorDomain", 101, "attachment"),
            (.attachmentSize, "UNErrorDomain", 102, "attachment"),
            (.attachmentNotStored, "UNErrorDomain", 103, "attachment"),
            (.attachmentNotMoved, "UNErrorDomain", 104, "attachment"),
            (.attachmentCorrupt, "UNErrorDomain", 105, "attachment"), (.noDate, "UNErrorDomain", 1400, "noDate"),
            (.noContent, "UNErrorDomain", 1401, "noContent"),
            (.badgeInvalid, "UNErrorDomain", 1600, "badgeInvalid"), (.disk, "NSPOSIXErrorDomain", 28, "disk"),
            (.unanswered, "NSPOSIXErrorDomain", 104, "unanswered"),
            (.noEnvironment, "NSCocoaErrorDomain", 3000, "noEnvironment"),
            (.noHost, "NSCocoaErrorDomain", 3010, "noHost"),
        ] as [(CallFailure, String, Int64, String)]
    )
    func `an error has Apple's domain and code`(
        failure: CallFailure,
        domain: String,
        code: Int64,
        reason: String
    ) throws {
        #expect(failure.domain == domain)
        #expect(failure.code == code)
        #expect(failure.reason == reason)
        #expect(try CallAnswer(CallAnswer.failed(failure).body, to: .add) == .failed(failure))
        #expect(CallFailure.allCases.count == 14)
    }

    // MARK: Pages

    @Test func `a page has what fits its packet`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            var page = AnswerPage(packetByteCount: AppMessageType.maximumByteCount)
            var taken: [StoredNotification] = []
            for number in Int64(1)... {
                var notification = StoredNotification.sample
                notification.number = number
                let length = Int.random(in: 0...8000, using: &random)
                notification.request.payload["text"] = .string(String(repeating: "\"", count: length))
                guard page.add(notification.json) == .here else { break }
                taken.append(notification)
            }
            #expect(page.count == taken.count)
            let message = CenterAppMessage.answer(id: 1, .delivered, .delivered(taken, hasMore: true))
            #expect(try message.packet.encoded().count <= 65_536)
        }
    }

    @Test func `what is longer than a page has room nowhere`() {
        var page = AnswerPage(packetByteCount: 65_536)
        let long: JSONObject = ["text": .string(String(repeating: "x", count: 65_500))]
        #expect([page.add(long), page.add(["a": 1]), page.add(long)] == [.nowhere, .here, .nowhere])
        var short = AnswerPage(packetByteCount: 1 << 20)
        for _ in 0..<1024 { #expect(short.add([:]) == .here) }
        #expect(short.add([:]) == .nextPage)
    }
}

struct CallRateTests {
    @Test func `1,000 calls come at once, and from then on 100 a second`() {
        var rate = CallRate.app
        let atOnce = (0..<1000).map { _ in rate.take(at: .seconds(5)) }
        #expect(atOnce.allSatisfy { $0 })
        let next = [
            rate.take(at: .seconds(5)), rate.take(at: .milliseconds(5009)), rate.take(at: .milliseconds(5010)),
            rate.take(at: .milliseconds(5019)), rate.take(at: .milliseconds(5020)),
        ]
        #expect(next == [false, false, true, false, true])
        #expect(rate.pause(at: .milliseconds(5020)) == .milliseconds(10))
        #expect(rate.pause(at: .seconds(60)) == .zero)
    }

    @Test func `what is reserved comes later, and is paid for like the others`() {
        var rate = CallRate(perSecond: 100, atOnce: 3)
        let pauses = (0..<5).map { _ in rate.reserve(at: .seconds(1)) }
        #expect(pauses == [.zero, .zero, .zero, .milliseconds(10), .milliseconds(20)])
        let taken = [rate.take(at: .milliseconds(1029)), rate.take(at: .milliseconds(1030))]
        #expect(taken == [false, true])
        let idle = [1059, 1060].map { rate.isIdle(at: .milliseconds($0)) }
        #expect(idle == [false, true])
    }

    /// The naive model counts calls in an account that is filled in steps of a millisecond.
    @Test(arguments: [CallRate.app, .worker, CallRate(perSecond: 1000, atOnce: 1)])
    func `a rate is an account that fills with time`(rate: CallRate) {
        var (random, rate) = (SeededGenerator(seed: 4), rate)
        var (account, now) = (rate.atOnce * 1000, 0)
        for _ in 0..<20_000 {
            let step = Int.random(in: 0...5, using: &random) == 0 ? Int.random(in: 0...40, using: &random) : 0
            now += step
            account = min(rate.atOnce * 1000, account + step * rate.perSecond)
            let isAllowed = account >= 1000
            if isAllowed { account -= 1000 }
            let isTaken = rate.take(at: .milliseconds(now))
            #expect(isTaken == isAllowed)
        }
    }
}
