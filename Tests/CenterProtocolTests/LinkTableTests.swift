// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// Every phase of the link with every message, at the end that sends and at the end that receives.
///
/// Source: center.md §3; PROTOCOL.md, "Link".
struct LinkTableTests {
    /// The progress of a conversation.
    enum Stage: CaseIterable {
        case silent, greeted, ready, registered, gated, serving, shutDown

        /// The messages that may come now.
        var allowed: Set<LinkMessageType> {
            switch self {
            case .silent: [.hello]
            case .greeted: [.ready, .shutdown]
            case .ready: [.apps, .file, .gates, .shutdown]
            case .registered:
                [.apps, .file, .record, .floor, .call, .told, .viewScene, .viewFile, .viewEnded, .gates, .shutdown]
            case .gated: [.apps, .file, .gates, .taken, .unfit, .answer, .ask, .shutdown]
            case .serving:
                Set(LinkMessageType.allCases).subtracting([.hello, .ready])
            case .shutDown: [.gates, .taken, .unfit, .answer, .ask, .viewOpen, .viewEvent]
            }
        }
    }

    /// In the stages in which that can be, record 12 is in flight, and call 1 and ask 1 are open.
    private func pair(at stage: Stage) throws -> LinkPair {
        var pair = LinkPair()
        if stage == .silent { return pair }
        try pair.say(.hello(.sample))
        if stage == .greeted { return pair }
        try pair.say(.ready)
        if stage != .ready, stage != .gated {
            try pair.say(.wholeRegistry)
            try pair.say(.record(12))
            try pair.say(.call(1))
        }
        if stage != .ready, stage != .registered {
            try pair.say(.wholeGates)
            try pair.say(.ask(1))
        }
        if stage == .serving || stage == .shutDown {
            try pair.say(.view(1))
        }
        if stage == .shutDown { try pair.say(.shutdown) }
        return pair
    }

    private static let hostMessages: [HostLinkMessage] = [
        .hello(.sample), .record(11), .floor(11), .call(2), .told, .wholeRegistry, .file(.icon), .viewScene(id: 1, [:]),
        .viewFile(id: 1, .sample), .viewEnded(id: 1, .closed), .shutdown,
    ]

    private static func centerMessages() throws -> [CenterLinkMessage] {
        [
            .ready, try .taken(12), .unfit(number: 12, .badRecord),
            .answer(id: 1, .settings, .settings(NotificationSettings())), .ask(2), .wholeGates, .view(2),
            .viewEvent(id: 1, [:]),
        ]
    }

    private func expect(_ violation: LinkViolation?, at stage: Stage, of type: LinkMessageType) {
        if stage.allowed.contains(type) {
            #expect(violation != .wrongPhase(type), "\(type) at \(stage)")
            if stage == .serving { #expect(violation == nil) }
        } else {
            #expect(violation == .wrongPhase(type), "\(type) at \(stage)")
        }
    }

    @Test(arguments: Stage.allCases)
    func `the host sends, and the centre takes, what the stage allows`(stage: Stage) throws {
        #expect(Set(Self.hostMessages.map(\.type)) == Set(LinkMessageType.allCases.filter(\.isFromHost)))
        for message in Self.hostMessages {
            var sending = try pair(at: stage)
            var receiving = try pair(at: stage)
            expect(sending.host.judge(send: message).failure, at: stage, of: message.type)
            expect(try receiving.center.judge(message).failure, at: stage, of: message.type)
        }
    }

    @Test(arguments: Stage.allCases)
    func `the centre sends, and the host takes, what the stage allows`(stage: Stage) throws {
        let messages = try Self.centerMessages()
        #expect(Set(messages.map(\.type)) == Set(LinkMessageType.allCases.filter { !$0.isFromHost }))
        for message in messages {
            var sending = try pair(at: stage)
            var receiving = try pair(at: stage)
            expect(sending.center.judge(send: message).failure, at: stage, of: message.type)
            expect(try receiving.host.judge(message).failure, at: stage, of: message.type)
        }
    }

    @Test(arguments: Stage.allCases)
    func `what goes the other way is a violation in every stage`(stage: Stage) throws {
        for message in Self.hostMessages {
            var pair = try pair(at: stage)
            let judged = pair.host.judge(try message.packet.encoded())
            #expect(judged == .failure(.wrongDirection(message.type)))
        }
        for message in try Self.centerMessages() {
            var pair = try pair(at: stage)
            let judged = pair.center.judge(try message.packet.encoded())
            #expect(judged == .failure(.wrongDirection(message.type)))
        }
    }

    @Test func `a violation ends the conversation at the end that finds it`() throws {
        for message in Self.hostMessages {
            var pair = try LinkPair.serving()
            _ = pair.center.judge([])
            let judged = try pair.center.judge(message)
            #expect(judged == .failure(.wrongPhase(message.type)))
        }
        for message in try Self.centerMessages() {
            var pair = try LinkPair.serving()
            _ = pair.host.judge([])
            let judged = try pair.host.judge(message)
            #expect(judged == .failure(.wrongPhase(message.type)))
        }
    }

    @Test func `a message that is not sent changes nothing`() throws {
        var pair = try LinkPair.serving()
        let refused = pair.host.judge(send: .hello(.sample))
        #expect(refused == .failure(.wrongPhase(.hello)))
        #expect(try pair.say(.record(10)) == .record(number: 10, .sample()))
    }

    @Test func `a host that ends while the centre starts is told ready nevertheless`() throws {
        var pair = LinkPair()
        try pair.say(.hello(.sample))
        let ready = try pair.center.send(.ready)
        try pair.say(.shutdown)
        let judged = pair.host.judge(ready)
        #expect(judged == .success(.ready))
        let late = pair.host.judge(send: .wholeRegistry)
        #expect(late.failure == .wrongPhase(.apps))
    }

    /// The events of a whole life, at both ends.
    @Test func `a conversation goes from hello to shutdown`() throws {
        var pair = LinkPair()
        #expect(try pair.say(.hello(.sample)) == .hello(.sample))
        #expect(try pair.say(.ready) == .ready)
        guard case .apps(let registry) = HostLinkMessage.wholeRegistry,
            case .gates(let gates) = CenterLinkMessage.wholeGates
        else { return }
        #expect(try pair.say(.wholeRegistry) == .registry(registry.content))
        #expect(try pair.say(.wholeGates) == .gates(gates))
        let phases = (pair.host.isServing, pair.center.isServing)
        #expect(phases == (true, true))
        #expect(try pair.say(.record(12, files: 2)) == .record(number: 12, .sample(files: 2)))
        #expect(try pair.say(.record(11)) == .record(number: 11, .sample()))
        #expect(try pair.say(.taken(12)) == .taken(try Required.value(TakenRanges([12]))))
        #expect(try pair.say(.unfit(number: 11, .unknownApp)) == .unfit(number: 11, .unknownApp))
        #expect(try pair.say(.floor(13)) == .floor(13))
        #expect(
            try pair.say(.call(1, .add(.withFiles(3))))
                == .call(id: 1, LinkCall(owner: "me", topic: "com.example.chat", call: .add(.withFiles(3))))
        )
        #expect(try pair.say(.answer(id: 1, .add, .failed(.disk))) == .answer(id: 1, .failed(.disk)))
        #expect(
            try pair.say(.ask(1, .withdraw))
                == .ask(id: 1, LinkAsk(.withdraw, owner: "me", topic: "com.example.chat"))
        )
        #expect(try pair.say(.told(id: 1, .withdraw, .done)) == .told(id: 1, .withdraw, .done))
        #expect(try pair.say(.shutdown) == .shutdown)
        let windows = [pair.host.window, pair.center.window]
        #expect(windows == [LinkWindow(), LinkWindow()])
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
