// SPDX-License-Identifier: Apache-2.0

import Keychain
import NotificationPayload
import Testing
import WorkerProtocol

typealias WorkerEvent = WorkerConversation.Event
typealias WorkerViolation = WorkerConversation.Violation

/// The host's side: every phase with every message.
///
/// Source: PROTOCOL.md, "Messages".
struct WorkerConversationTests {
    @Test func `a worker that waits for its keychain asks nothing more of it`() throws {
        var conversation = try WorkerConversation.ready()
        let call = KeychainCall.remove(key: "k")
        let first = try conversation.judge(.keychain(call))
        #expect(first == .success(.keychain(call)))
        conversation.answerKeychain()
        let second = try conversation.judge(.keychain(call))
        #expect(second == .success(.keychain(call)))
        let third = try conversation.judge(.keychain(call))
        #expect(third == .failure(.wrongPhase(.keychain)))
    }

    @Test func `a call that is none is a violation`() throws {
        var conversation = try WorkerConversation.ready()
        let judged = try conversation.judge(Packet(.keychain, body: ["call": "open"]))
        #expect(judged == .failure(.message(.missing("call"))))
    }

    // MARK: Phase × message

    @Test(
        arguments: [
            (.ready(ahead: 0), .success(.becameReady(ahead: 0))),
            (.content(0), .failure(.wrongPhase(.content))),
            (.content(1), .failure(.wrongPhase(.content))),
            (.sampleLog, .failure(.wrongPhase(.log))),
            (.keychain(.read(key: "k")), .failure(.wrongPhase(.keychain))),
        ] as [(WorkerMessage, Result<WorkerEvent, WorkerViolation>)]
    )
    func `a worker that starts may only become ready`(
        message: WorkerMessage,
        result: Result<WorkerEvent, WorkerViolation>
    ) throws {
        var conversation = WorkerConversation(lanes: 64)
        let judged = try conversation.judge(message)
        #expect(judged == result)
        #expect(conversation.isReady == (message == .ready(ahead: 0)))
    }

    /// Messages after the requests 1 to 4, of which 1 was completed, 2 was warned, 3 is open, and 4 was closed.
    @Test(
        arguments: [
            (.ready(ahead: 7), .failure(.wrongPhase(.ready))),
            (.content(0), .failure(.unknownID(0))),
            (.content(1), .success(.repeatedCompletion(id: 1))),
            (.content(2), .success(.completed(id: 2, WorkerMessage.sampleContent, late: true))),
            (.content(3), .success(.completed(id: 3, WorkerMessage.sampleContent, late: false))),
            (.content(4), .success(.overdueCompletion(id: 4))),
            (.content(5), .failure(.unknownID(5))),
            (.content(.max), .failure(.unknownID(.max))),
            (.sampleLog, .success(.log(.init(level: .info, message: "hello")))),
            (.keychain(.read(key: "k")), .success(.keychain(.read(key: "k")))),
        ] as [(WorkerMessage, Result<WorkerEvent, WorkerViolation>)]
    )
    func `a ready worker may complete what is open, and log`(
        message: WorkerMessage,
        result: Result<WorkerEvent, WorkerViolation>
    ) throws {
        var conversation = try WorkerConversation.ready()
        for id in UInt64(1)...4 {
            let opened = conversation.openRequest()
            #expect(opened == id)
        }
        _ = try conversation.judge(.content(1)).get()
        let isWarned = conversation.warn(id: 2)
        #expect(isWarned)
        conversation.close(id: 4)
        let judged = try conversation.judge(message)
        #expect(judged == result)
        if case .failure = result { #expect(conversation.isReady == false) }
    }

    @Test(arguments: [.ready(ahead: 0), .content(0), .content(1), .content(2), .sampleLog] as [WorkerMessage])
    func `after the end every message is out of phase`(message: WorkerMessage) throws {
        var conversation = try WorkerConversation.ready()
        _ = conversation.openRequest()
        _ = conversation.end()
        let judged = try conversation.judge(message)
        #expect(judged == .failure(.wrongPhase(message.packet.type)))
    }

    @Test(
        arguments: [
            .hello, .request, .willExpire, .recall, .shutdown, .open, .opened, .refused, .rejected, .unavailable,
        ]
            as [MessageType]
    )
    func `what a worker never says is a violation in every phase`(type: MessageType) throws {
        var starting = WorkerConversation(lanes: 64)
        var ready = try WorkerConversation.ready()
        var ended = WorkerConversation(lanes: 64)
        _ = ended.end()
        let expected = Result<WorkerEvent, WorkerViolation>.failure(.message(.wrongDirection(type)))
        let results = [
            try starting.judge(Packet(type)), try ready.judge(Packet(type)), try ended.judge(Packet(type)),
        ]
        #expect(results == [expected, expected, expected])
        let isReady = starting.isReady || ready.isReady || ended.isReady
        #expect(!isReady)
    }

    @Test(
        arguments: [
            ([], .packet(.tooShort(byteCount: 0))),
            ([0x82], .packet(.tooShort(byteCount: 1))),
            ([0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .packet(.unknownType(0x7F))),
            ([0x82, 0, 0, 0, 0, 0, 0, 0, 1], .packet(.badBody(.unexpectedEnd))),
            ([0x82, 0, 0, 0, 0, 0, 0, 0, 1, 0x5B, 0x5D], .packet(.badBody(.notAnObject))),
            ([0x82, 0, 0, 0, 0, 0, 0, 0, 1, 0x7B, 0x7D], .message(.missing("payload"))),
            ([0x83, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .message(.missing("level"))),
            ([0x83, 0, 0, 0, 0, 0, 0, 0, 1, 0x7B, 0x7D], .unknownID(1)),
            ([0x81, 0, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .message(.unsupportedProtocol)),
            ([0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0x7D], .unknownID(1 << 56)),
        ] as [([UInt8], WorkerViolation)]
    )
    func `bytes that are no message end the conversation`(bytes: [UInt8], violation: WorkerViolation) throws {
        var conversation = try WorkerConversation.ready()
        _ = conversation.openRequest()
        let judged = conversation.judge(bytes)
        #expect(judged == .failure(violation))
        let next = try conversation.judge(.content(1))
        #expect(next == .failure(.wrongPhase(.content)))
        // What was open stays open for whoever concludes it.
        #expect(conversation.openRequests == [1])
        let left = conversation.end()
        #expect(left == [1])
        #expect(conversation.openRequests == [])
    }

    @Test func `a packet over the limit ends the conversation`() throws {
        var conversation = try WorkerConversation.ready()
        let judged = conversation.judge([UInt8](repeating: 0x83, count: 65_537))
        #expect(judged == .failure(.packet(.tooLong(byteCount: 65_537))))
        #expect(conversation.isReady == false)
    }

    // MARK: Requests

    @Test func `no request opens before ready or after the end`() throws {
        var conversation = WorkerConversation(lanes: 64)
        let early = conversation.openRequest()
        _ = try conversation.judge(.ready(ahead: 0)).get()
        let first = conversation.openRequest()
        let second = conversation.openRequest()
        let left = conversation.end()
        let late = conversation.openRequest()
        #expect([early, first, second, late] == [nil, 1, 2, nil])
        #expect(left == [1, 2])
        let again = conversation.end()
        #expect(again == [])
    }

    @Test func `no request opens after a violation`() throws {
        var conversation = try WorkerConversation.ready()
        _ = try conversation.judge(.ready(ahead: 0))
        let id = conversation.openRequest()
        #expect(id == nil)
    }

    @Test func `requests complete in any order and each once`() throws {
        var conversation = try WorkerConversation.ready()
        for _ in 0..<3 { _ = conversation.openRequest() }
        for id in [3, 1, 2] as [UInt64] {
            let first = try conversation.judge(.content(id))
            let second = try conversation.judge(.content(id))
            #expect(first == .success(.completed(id: id, WorkerMessage.sampleContent, late: false)))
            #expect(second == .success(.repeatedCompletion(id: id)))
        }
        #expect(conversation.openRequests == [])
        #expect(conversation.isReady == true)
    }

    @Test func `an id is never given again`() throws {
        var conversation = try WorkerConversation.ready()
        var ids: [UInt64?] = []
        for _ in 0..<100 {
            let id = conversation.openRequest()
            ids.append(id)
            conversation.close(id: id ?? 0)
        }
        #expect(ids == (1...100).map { UInt64($0) })
        #expect(conversation.openRequests == [])
    }

    // MARK: The last call

    @Test func `the last call is given once to what is open`() throws {
        var conversation = try WorkerConversation.ready()
        let answers = [
            conversation.warn(id: 0), conversation.warn(id: 1), conversation.openRequest() == 1,
            conversation.warn(id: 1), conversation.warn(id: 1), conversation.warn(id: 2),
        ]
        #expect(answers == [false, false, true, true, false, false])
        #expect(conversation.wasWarned(id: 1) == true)
        #expect(conversation.wasWarned(id: 2) == false)
    }

    @Test func `no last call follows a completion, a close or the end`() throws {
        var conversation = try WorkerConversation.ready()
        for _ in 0..<3 { _ = conversation.openRequest() }
        _ = try conversation.judge(.content(1)).get()
        conversation.close(id: 2)
        _ = conversation.end()
        let warned = [conversation.warn(id: 1), conversation.warn(id: 2), conversation.warn(id: 3)]
        #expect(warned == [false, false, false])
    }

    @Test func `a completion forgets its last call`() throws {
        var conversation = try WorkerConversation.ready()
        _ = conversation.openRequest()
        _ = conversation.openRequest()
        _ = conversation.warn(id: 1)
        _ = try conversation.judge(.content(1)).get()
        #expect(conversation.wasWarned(id: 1) == false)
        let other = try conversation.judge(.content(2))
        #expect(other == .success(.completed(id: 2, WorkerMessage.sampleContent, late: false)))
    }

    @Test func `closing what is not open changes nothing`() throws {
        var conversation = try WorkerConversation.ready()
        _ = conversation.openRequest()
        conversation.close(id: 0)
        conversation.close(id: 2)
        #expect(conversation.openRequests == [1])
        // 2 was never given, though it was closed.
        let judged = try conversation.judge(.content(2))
        #expect(judged == .failure(.unknownID(2)))
    }
}
