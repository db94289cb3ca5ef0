// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing
import WorkerProtocol

/// Calls of a worker to the notification centre, at both ends.
struct CallTests {
    private static let remove = CenterCall.removeDelivered(.named(["lunch"]))

    // MARK: The host's end

    @Test func `a call is taken once under its id, which rises, and answered once`() throws {
        var conversation = try WorkerConversation.ready()
        let first = try conversation.judge(.call(id: 3, Self.remove))
        #expect(first == .success(.call(id: 3, Self.remove)))
        let answers = [conversation.answer(id: 3), conversation.answer(id: 3), conversation.answer(id: 4)]
        #expect(answers == [true, false, false])
        let again = try conversation.judge(.call(id: 3, .settings))
        #expect(again == .failure(.badCallID(3)))
    }

    @Test func `nothing is called before ready`() throws {
        var conversation = WorkerConversation(lanes: 1)
        let judged = try conversation.judge(.call(id: 1, .settings))
        #expect(judged == .failure(.wrongPhase(.call)))
    }

    @Test func `sixty-four calls may wait, and another one when one of them has its answer`() throws {
        var conversation = try WorkerConversation.ready()
        for id in 1...64 { _ = try conversation.judge(.call(id: UInt64(id), .settings)).get() }
        var full = try WorkerConversation.ready()
        for id in 1...64 { _ = try full.judge(.call(id: UInt64(id), .settings)).get() }
        let tooMany = try full.judge(.call(id: 65, .settings))
        #expect(tooMany == .failure(.tooManyCalls))
        let isAnswered = conversation.answer(id: 17)
        #expect(isAnswered)
        let next = try conversation.judge(.call(id: 65, .settings))
        #expect(next == .success(.call(id: 65, .settings)))
    }

    @Test(
        arguments: [
            (
                ["call": "removeDelivered", "identifier": JSON.array(["a"])] as JSONObject,
                MemberFault.unknownMember(of: "")
            ),
            (["call": "register"], .onlyForApps(.register)),
            (["call": "withdraw"], .onlyForApps(.withdraw)),
            (["call": "launch"], .unknownWord("call")),
            ([:], .missing("call")),
        ] as [(JSONObject, MemberFault)]
    )
    func `what is no call of a worker is a violation`(body: JSONObject, fault: MemberFault) throws {
        var conversation = try WorkerConversation.ready()
        let judged = try conversation.judge(Packet(.call, id: 1, body: body))
        #expect(judged == .failure(.message(.member(fault))))
    }

    // MARK: The worker's end

    @Test func `ids of calls rise, and only an answer that its call may have is taken`() throws {
        var conversation = ServeConversation()
        let early = conversation.openCall(.settings)
        #expect(early == nil)
        _ = try conversation.judge(.hello()).get()
        let ids = [conversation.openCall(.badge), conversation.openCall(.authorize)]
        #expect(ids == [1, 2])
        let granted = try conversation.judge(.answer(id: 2, CallAnswer.granted(true).body))
        #expect(granted == .success(.answer(id: 2, .granted(true))))
        let again = try conversation.judge(.answer(id: 2, CallAnswer.granted(true).body))
        #expect(again == .failure(.answer(2)))
        let other = try conversation.judge(.answer(id: 1, CallAnswer.granted(true).body))
        #expect(other == .failure(.answer(1)))
    }

    @Test func `a list whose payloads are as deep as they may be is read, and one level more is not`() throws {
        for (levels, isRead) in [(16, true), (19, false)] {
            var conversation = ServeConversation()
            _ = try conversation.judge(.hello()).get()
            _ = conversation.openCall(.delivered)
            var deep: JSONObject = ["end": true]
            for _ in 2..<levels { deep = ["more": .object(deep)] }
            let payload: JSONObject = ["aps": ["alert": "a"], "deep": .object(deep)]
            let request = StoredRequest(identifier: "a", payload: Payload(payload), trigger: nil)
            let notification = StoredNotification(number: 1, date: Moment(milliseconds: 0), request: request)
            let answer = CallAnswer.delivered([notification], hasMore: false)
            let judged = try conversation.judge(.answer(id: 1, answer.body))
            #expect((try? judged.get()) == (isRead ? .answer(id: 1, answer) : nil))
        }
    }

    @Test func `more calls than may wait are not sent`() throws {
        var conversation = ServeConversation()
        _ = try conversation.judge(.hello()).get()
        for _ in 0..<64 { _ = conversation.openCall(.settings) }
        let none = conversation.openCall(.settings)
        #expect(none == nil)
    }
}
