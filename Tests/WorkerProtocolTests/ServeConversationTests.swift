// SPDX-License-Identifier: Apache-2.0

import Keychain
import NotificationPayload
import Testing
import WorkerProtocol

typealias ServeEvent = ServeConversation.Event
typealias ServeViolation = ServeConversation.Violation

/// A worker's side: every phase with every message.
///
/// Source: PROTOCOL.md, "Messages".
struct ServeConversationTests {
    private static func serving(limit: Int = 1) throws -> ServeConversation {
        var conversation = ServeConversation()
        _ = try conversation.judge(.hello(limit: limit)).get()
        return conversation
    }

    @Test func `the host answers about the keychain when it was asked, and once`() throws {
        var conversation = try Self.serving()
        let unasked = try conversation.judge(.keychain(.done))
        #expect(unasked == .failure(.wrongPhase(.keychainAnswer)))
        let asks = [conversation.askKeychain(), conversation.askKeychain()]
        #expect(asks == [true, false])
        let answer = try conversation.judge(.keychain(.secret([7])))
        #expect(answer == .success(.keychain(.secret([7]))))
        let again = try conversation.judge(.keychain(.done))
        #expect(again == .failure(.wrongPhase(.keychainAnswer)))
    }

    @Test func `nothing is asked of a host that has not said hello`() {
        var conversation = ServeConversation()
        let asks = conversation.askKeychain()
        #expect(!asks)
    }

    // MARK: Phase × message

    @Test func `a worker starts with hello`() throws {
        var conversation = ServeConversation()
        let judged = try conversation.judge(.hello())
        guard case .hello(let hello) = HostMessage.hello() else { return }
        #expect(judged == .success(.hello(hello)))
    }

    @Test(arguments: [.request(1), .willExpire(id: 1), .shutdown] as [HostMessage])
    func `nothing comes before hello`(message: HostMessage) throws {
        var conversation = ServeConversation()
        let judged = try conversation.judge(message)
        #expect(judged == .failure(.wrongPhase(message.packet.type)))
        // A refusal is no hello.
        let next = try conversation.judge(.request(1))
        #expect(next == .failure(.wrongPhase(.request)))
    }

    /// Requests 1 and 2 are open, 2 was warned, 3 is completed.
    @Test(
        arguments: [
            (.hello(), .failure(.wrongPhase(.hello))),
            (.request(0), .failure(.unknownID(0))),
            (.request(1), .failure(.unknownID(1))),
            (.request(3), .failure(.unknownID(3))),
            (.request(4), .success(.request(id: 4, HostMessage.sampleRequest))),
            (.request(.max), .success(.request(id: .max, HostMessage.sampleRequest))),
            (.willExpire(id: 0), .failure(.unknownID(0))),
            (.willExpire(id: 1), .success(.willExpire(id: 1))),
            (.willExpire(id: 2), .success(.expiryOfClosedRequest)),
            (.willExpire(id: 3), .success(.expiryOfClosedRequest)),
            (.willExpire(id: 4), .failure(.unknownID(4))),
            (.shutdown, .success(.shutdown)),
        ] as [(HostMessage, Result<ServeEvent, ServeViolation>)]
    )
    func `a worker that serves takes new requests, last calls and its end`(
        message: HostMessage,
        result: Result<ServeEvent, ServeViolation>
    ) throws {
        var conversation = try Self.serving(limit: 3)
        for id in UInt64(1)...3 { _ = try conversation.judge(.request(id)).get() }
        _ = try conversation.judge(.willExpire(id: 2)).get()
        let isFirst = conversation.complete(id: 3)
        #expect(isFirst)
        _ = conversation.leave(id: 3)
        let judged = try conversation.judge(message)
        #expect(judged == result)
    }

    @Test(arguments: [.hello(), .request(2), .willExpire(id: 1), .shutdown] as [HostMessage])
    func `nothing comes after shutdown`(message: HostMessage) throws {
        var conversation = try Self.serving(limit: 2)
        _ = try conversation.judge(.request(1)).get()
        _ = try conversation.judge(.shutdown).get()
        let judged = try conversation.judge(message)
        #expect(judged == .failure(.wrongPhase(message.packet.type)))
        // What was open may still be completed.
        let completions = [conversation.complete(id: 1), conversation.complete(id: 1)]
        #expect(completions == [true, false])
    }

    @Test(
        arguments: [.ready, .content, .log, .keychain, .returned, .open, .opened, .refused, .rejected, .unavailable]
            as [MessageType]
    )
    func `what a worker is never told is a violation in every phase`(type: MessageType) throws {
        var waiting = ServeConversation()
        var serving = try Self.serving()
        let results = [try waiting.judge(Packet(type)), try serving.judge(Packet(type))]
        let expected = Result<ServeEvent, ServeViolation>.failure(.message(.wrongDirection(type)))
        #expect(results == [expected, expected])
    }

    @Test(
        arguments: [
            ([], .packet(.tooShort(byteCount: 0))),
            ([0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .packet(.unknownType(8))),
            ([0x02, 0, 0, 0, 0, 0, 0, 0, 1, 0x7B], .packet(.badBody(.unexpectedEnd))),
            ([0x02, 0, 0, 0, 0, 0, 0, 0, 1, 0x7B, 0x7D], .message(.missing("payload"))),
            ([0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .message(.unsupportedProtocol)),
        ] as [([UInt8], ServeViolation)]
    )
    func `bytes that are no message are a violation`(bytes: [UInt8], violation: ServeViolation) throws {
        var conversation = try Self.serving()
        let judged = conversation.judge(bytes)
        #expect(judged == .failure(violation))
    }

    // MARK: Requests

    @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (8, 8)])
    func `no more requests are begun than hello announced, and seven are behind them`(
        announced: Int,
        limit: Int
    )
        throws
    {
        var conversation = try Self.serving(limit: announced)
        let all = UInt64(limit + ServeConversation.ahead)
        for id in 1...all {
            let judged = try conversation.judge(.request(id))
            let isBegun = id <= UInt64(limit)
            #expect(judged == .success(isBegun ? .request(id: id, HostMessage.sampleRequest) : .requestBehind(id: id)))
        }
        let refused = try conversation.judge(.request(all + 1))
        #expect(refused == .failure(.tooManyRequests(limit: Int(all))))
        let isFirst = conversation.complete(id: 1)
        #expect(isFirst)
        let begun = conversation.leave(id: 1)
        #expect(begun?.id == UInt64(limit) + 1 && begun?.request == HostMessage.sampleRequest)
        let second = conversation.leave(id: 1)
        #expect(second == nil)
        let taken = try conversation.judge(.request(all + 1))
        #expect(taken == .success(.requestBehind(id: all + 1)))
    }

    @Test func `only the first completion of an open request counts`() throws {
        var conversation = try Self.serving()
        let early = conversation.complete(id: 1)
        _ = try conversation.judge(.request(1)).get()
        let completions = [
            early, conversation.complete(id: 0), conversation.complete(id: 2), conversation.complete(id: 1),
            conversation.complete(id: 1),
        ]
        #expect(completions == [false, false, false, true, false])
    }

    @Test func `a completion crosses its last call`() throws {
        var conversation = try Self.serving()
        _ = try conversation.judge(.request(1)).get()
        _ = conversation.complete(id: 1)
        let crossed = try conversation.judge(.willExpire(id: 1))
        #expect(crossed == .success(.expiryOfClosedRequest))
    }

    // MARK: Requests behind others

    @Test func `what is asked back goes back once, unless it was begun`() throws {
        var conversation = try Self.serving()
        for id in UInt64(1)...3 { _ = try conversation.judge(.request(id)).get() }
        let answers = try [1, 3, 3, 4].map { try conversation.judge(.recall(id: $0)) }
        #expect(
            answers == [
                .success(.recallOfBegunRequest), .success(.recalled(id: 3)), .success(.recallOfBegunRequest),
                .failure(.unknownID(4)),
            ]
        )
        let isCompleted = conversation.complete(id: 3)
        #expect(!isCompleted)
    }

    @Test func `a request whose turn comes with a completion on its way is not given back`() throws {
        var conversation = try Self.serving()
        for id in UInt64(1)...3 { _ = try conversation.judge(.request(id)).get() }
        let isFirst = conversation.complete(id: 1)
        let answers = try [2, 3].map { try conversation.judge(.recall(id: $0)) }
        let next = conversation.leave(id: 1)
        #expect(isFirst && answers == [.success(.recallOfBegunRequest), .success(.recalled(id: 3))] && next?.id == 2)
    }

    @Test func `a last call that comes before the turn is made with it`() throws {
        var conversation = try Self.serving()
        for id in UInt64(1)...3 { _ = try conversation.judge(.request(id)).get() }
        _ = conversation.complete(id: 1)
        _ = try conversation.judge(.willExpire(id: 2)).get()
        let second = conversation.leave(id: 1)
        _ = conversation.complete(id: 2)
        let third = conversation.leave(id: 2)
        #expect(second?.isExpiring == true && third?.isExpiring == false)
    }

    @Test func `a request that comes while a completion is on its way begins behind it`() throws {
        var conversation = try Self.serving()
        _ = try conversation.judge(.request(1)).get()
        let isFirst = conversation.complete(id: 1)
        let second = try conversation.judge(.request(2))
        let begun = conversation.leave(id: 1)
        #expect(isFirst && second == .success(.requestBehind(id: 2)) && begun?.id == 2)
    }

    @Test func `a completion on its way leaves room for as many requests as were announced`() throws {
        var conversation = try Self.serving()
        for id in UInt64(1)...8 { _ = try conversation.judge(.request(id)).get() }
        _ = conversation.complete(id: 1)
        let judged = try conversation.judge(.request(9))
        #expect(judged == .success(.requestBehind(id: 9)))
    }

    @Test func `no last call and no completion are for a request behind others`() throws {
        var conversation = try Self.serving()
        for id in UInt64(1)...2 { _ = try conversation.judge(.request(id)).get() }
        let expired = try conversation.judge(.willExpire(id: 2))
        let isCompleted = conversation.complete(id: 2)
        #expect(expired == .success(.expiryOfClosedRequest) && !isCompleted)
    }
}
