// SPDX-License-Identifier: Apache-2.0

import Testing
import WorkerProtocol

/// The host's side of requests that are sent ahead: which of them are begun, and what a worker may say of the others.
///
/// Source: PROTOCOL.md, "Requests ahead".
struct AheadConversationTests {
    private static func conversation(lanes: Int = 1, requests: UInt64) throws -> WorkerConversation {
        var conversation = try WorkerConversation.ready(lanes: lanes, ahead: 7)
        for _ in 0..<requests { _ = conversation.openRequest() }
        return conversation
    }

    @Test func `a worker says how many it takes ahead`() throws {
        var conversation = WorkerConversation(lanes: 1)
        let judged = try conversation.judge(.ready(ahead: 7))
        #expect(judged == .success(.becameReady(ahead: 7)))
    }

    @Test func `the turn of each comes with the completion of the one before`() throws {
        var conversation = try Self.conversation(requests: 3)
        #expect(conversation.hasFreeLane == false)
        #expect(conversation.waitingRequests == [2, 3])
        for id in UInt64(1)...3 {
            let judged = try conversation.judge(.content(id))
            #expect(judged == .success(.completed(id: id, WorkerMessage.sampleContent, late: false)))
            let begun = [conversation.beginNext(), conversation.beginNext()]
            #expect(begun == [id < 3 ? id + 1 : nil, nil])
        }
        #expect(conversation.hasFreeLane == true)
    }

    @Test func `a worker that works on two has two turns`() throws {
        var conversation = try Self.conversation(lanes: 2, requests: 4)
        #expect(conversation.waitingRequests == [3, 4])
        _ = try conversation.judge(.content(2)).get()
        let third = conversation.beginNext()
        _ = try conversation.judge(.content(3)).get()
        let fourth = conversation.beginNext()
        #expect(third == 3 && fourth == 4)
        #expect(conversation.openRequests == [1, 4])
    }

    @Test func `a content out of turn is a violation`() throws {
        var conversation = try Self.conversation(requests: 3)
        let judged = try conversation.judge(.content(2))
        #expect(judged == .failure(.notItsTurn(2)))
        let left = conversation.end()
        #expect(left == [1, 2, 3])
    }

    @Test func `only what waits is asked back, and once`() throws {
        var conversation = try Self.conversation(requests: 3)
        let asked = [conversation.recall(id: 1), conversation.recall(id: 3), conversation.recall(id: 3)]
        #expect(asked == [false, true, false])
        let early = conversation.warn(id: 2)
        #expect(!early)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `nothing goes back that was not asked back`(id: UInt64) throws {
        var conversation = try Self.conversation(requests: 3)
        _ = conversation.recall(id: 3)
        let judged = try conversation.judge(.returned(id: id))
        #expect(judged == .failure(.notItsTurn(id)))
    }

    @Test(arguments: [0, 4] as [UInt64])
    func `nothing goes back that was not given`(id: UInt64) throws {
        var conversation = try Self.conversation(requests: 3)
        let judged = try conversation.judge(.returned(id: id))
        #expect(judged == .failure(.unknownID(id)))
    }

    @Test func `what goes back leaves its place to those behind it`() throws {
        var conversation = try Self.conversation(requests: 3)
        _ = conversation.recall(id: 2)
        let judged = try conversation.judge(.returned(id: 2))
        #expect(judged == .success(.returned(id: 2, isOpen: true)))
        _ = try conversation.judge(.content(1)).get()
        let next = conversation.beginNext()
        #expect(next == 3)
        let again = try conversation.judge(.returned(id: 2))
        #expect(again == .failure(.notItsTurn(2)))
    }

    /// The worker answers a recall between the completion before the request and its begin.
    @Test func `what goes back may have had its turn in the host's eyes`() throws {
        var conversation = try Self.conversation(requests: 2)
        _ = conversation.recall(id: 2)
        _ = try conversation.judge(.content(1)).get()
        let begun = conversation.beginNext()
        let judged = try conversation.judge(.returned(id: 2))
        #expect(begun == 2 && judged == .success(.returned(id: 2, isOpen: true)))
    }

    @Test func `a recall crosses the content of its request`() throws {
        var conversation = try Self.conversation(requests: 2)
        _ = conversation.recall(id: 2)
        _ = try conversation.judge(.content(1)).get()
        _ = conversation.beginNext()
        let judged = try conversation.judge(.content(2))
        #expect(judged == .success(.completed(id: 2, WorkerMessage.sampleContent, late: false)))
    }

    @Test func `what the host closed keeps its place until the worker is done with it`() throws {
        var conversation = try Self.conversation(requests: 3)
        _ = conversation.recall(id: 2)
        conversation.close(id: 2)
        _ = try conversation.judge(.content(1)).get()
        let hidden = conversation.beginNext()
        #expect(hidden == nil)
        let judged = try conversation.judge(.returned(id: 2))
        #expect(judged == .success(.returned(id: 2, isOpen: false)))
        let next = conversation.beginNext()
        #expect(next == 3)
    }

    @Test func `a request of which nothing was sent leaves no place`() throws {
        var conversation = try WorkerConversation.ready(lanes: 1, ahead: 7)
        let first = conversation.openRequest()
        conversation.forget(id: first ?? 0)
        #expect(conversation.hasFreeLane == true)
    }
}
