// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterServing

/// A host with several owners: records, gates and calls are each of one of them.
@Suite(.timeLimit(.minutes(2)))
struct OwnerLinkTests {
    private let bench: Bench
    private let ana: OwnerName
    private let anaChat: InstallationKey

    init() async throws {
        bench = try Bench()
        ana = try #require(OwnerName("ana"))
        anaChat = try #require(InstallationKey(owner: ana, app: Bench.topic))
        try await bench.center.adopt(owner: "ana")
    }

    private func titles(of owner: OwnerName) throws -> [String] {
        let page = try bench.center.store.page(PageQuery(limit: 200), of: owner)
        return try #require(page).items.map {
            $0.content?.payload["aps"]?.object?["alert"]?.object?["title"]?.string ?? ""
        }
    }

    /// Waits for the centre's word on so many records.
    private func fates(of count: Int, _ host: RawHost) async throws -> (taken: Set<Int64>, unfit: [Int64: UnfitReason])
    {
        var (taken, unfit): (Set<Int64>, [Int64: UnfitReason]) = ([], [:])
        while taken.count + unfit.count < count {
            switch try await host.next() {
            case .taken(let ranges): for range in ranges.ranges { taken.formUnion(range) }
            case .unfit(let number, let reason): unfit[number] = reason
            case .ready, .gates, .answer, .lateAnswer, .ask, .viewOpen, .viewEvent: break
            }
        }
        return (taken, unfit)
    }

    @Test func `a record goes to its owner, and that of one whom nobody serves is a dead letter`() async throws {
        var registry = Bench.registry()
        registry.owners = ["me", "ana", "eve"].map { CenterOwner(name: $0) }
        try await RawHost.with(bench.center, registry) { host in
            try host.send(Bench.record(1, title: "for me"), of: "me")
            try host.send(Bench.record(2, title: "for ana"), of: "ana")
            try host.send(Bench.record(3, title: "for eve"), of: "eve")
            let fates = try await fates(of: 3, host)
            #expect(fates.taken == [1, 2])
            #expect(fates.unfit == [3: .unknownOwner])
        }
        #expect(try titles(of: bench.me) == ["for me"])
        #expect(try titles(of: ana) == ["for ana"])
        #expect(try bench.center.store.owners().map(\.name.text) == ["ana", "me"])
    }

    @Test func `an app that is for some owners is unknown to the others`() async throws {
        var registry = Bench.registry()
        registry.apps[0].owners = ["me"]
        try await RawHost.with(bench.center, registry) { host in
            try host.send(Bench.record(1, title: "for me"), of: "me")
            try host.send(Bench.record(2, title: "for ana"), of: "ana")
            let fates = try await fates(of: 2, host)
            #expect(fates.taken == [1])
            #expect(fates.unfit == [2: .unknownApp])
        }
        let decided = try await bench.center.decide(.allow(true), anaChat)
        #expect(decided == .unknownApp)
    }

    @Test func `a call of an extension is its owner's, and that of a stranger changes nothing`() async throws {
        try await RawHost.with(bench.center, Bench.registry()) { host in
            for owner in ["me", "ana"] {
                #expect(try await host.call(.badge(3), owner: owner, topic: Bench.topic) == .done)
            }
            #expect(try await host.call(.badge(7), owner: "ana", topic: Bench.topic) == .done)
            let refused = try await host.call(.badge(7), owner: "eve", topic: Bench.topic)
            #expect(refused == .failed(.notAllowed))
        }
        #expect(try bench.center.store.installation(bench.chat)?.badge == 3)
        #expect(try bench.center.store.installation(anaChat)?.badge == 7)
    }

    @Test func `a gate is shut for the owner alone whose alerts are off`() async throws {
        try await RawHost.with(bench.center, Bench.registry()) { host in
            for owner in ["me", "ana"] {
                #expect(try await host.call(.badge(1), owner: owner, topic: Bench.topic) == .done)
            }
            _ = try await bench.center.decide(.allow(false), anaChat)
            while true {
                guard case .gates(let piece) = try await host.next(), !piece.content.shut.isEmpty else { continue }
                #expect(piece.content.shut == [Gate(owner: "ana", topic: Bench.topic)])
                break
            }
        }
        #expect(try bench.center.shutGates().shut == [Gate(owner: "ana", topic: Bench.topic)])
    }
}
