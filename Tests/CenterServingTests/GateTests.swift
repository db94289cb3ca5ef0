// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// Alerts that are off, from the owner's switch to the host that starts no extension.
@Suite(.timeLimit(.minutes(2)))
struct GateTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// Returns once the host has heard that the app's gate is as it should be.
    private func untilGate(isShut: Bool) async throws {
        while bench.gates.isShut(OwnedApp(topic: Bench.topic)) != isShut { try await Task.turn() }
    }

    /// Runs the body while the host hears what the centre says, with a record behind it.
    private func withHeardLink(
        _ registry: LinkRegistry = Bench.registry(),
        _ body: () async throws -> Void
    ) async throws {
        try await bench.withLink(registry) { link in
            #expect(await link.send(Bench.record(1)))
            _ = await link.answers(to: 1)
            let hearing = Task { while await link.answers() != nil {} }
            try await body()
            await link.close()
            await hearing.value
        }
    }

    private func set(alert: Bool) async throws {
        let changed = try await bench.center.changeSettings(of: bench.chat, ["alert": .bool(alert)])
        if case .success? = changed { return }
        Issue.record("nothing changed: \(String(describing: changed))")
    }

    @Test func `alerts that are switched off and on are told as it happens`() async throws {
        try await withHeardLink {
            #expect(!bench.gates.isShut(OwnedApp(topic: Bench.topic)))
            try await set(alert: false)
            try await untilGate(isShut: true)
            try await set(alert: true)
            try await untilGate(isShut: false)
        }
    }

    @Test func `a host that comes later hears of what is off before it says a word`() async throws {
        try await withHeardLink {}
        try await set(alert: false)
        #expect(!bench.gates.isShut(OwnedApp(topic: Bench.topic)))
        try await bench.withLink { _ in #expect(bench.gates.isShut(OwnedApp(topic: Bench.topic))) }
        try await set(alert: true)
        try await bench.withLink { _ in #expect(!bench.gates.isShut(OwnedApp(topic: Bench.topic))) }
    }

    @Test func `an app that nobody has decided about has its extension, and one that is denied has not`() async throws {
        try await withHeardLink(Bench.registry(.ask)) {
            #expect(!bench.gates.isShut(OwnedApp(topic: Bench.topic)))
            _ = try await bench.center.decide(.allow(false), bench.chat)
            try await untilGate(isShut: true)
            _ = try await bench.center.decide(.allow(true), bench.chat)
            try await untilGate(isShut: false)
        }
    }

    @Test func `every owner's gates are in the list, page by page`() async throws {
        let count = 1100
        var work: [CenterWork] = []
        var permission = AppPermission()
        _ = permission.apply(.allow(false))
        for number in 0..<count {
            let owner = try #require(OwnerName("o\(number)"))
            work.append(.setOwner(owner, OwnerPreferences()))
            let key = try #require(InstallationKey(owner: owner, app: Bench.topic))
            let stored = number == 7 ? AppPermission().stored : permission.stored
            work.append(.setPermission(key, stored))
        }
        _ = try await bench.center.perform(work)
        let list = try bench.center.shutGates()
        #expect(list.isWhole && list.open.isEmpty && list.shut.count == count - 1)
        #expect(!list.shut.contains(Gate(owner: "o7", topic: Bench.topic)))
        #expect(try #require(list.pieces).count == 3)
        // The host has the one owner that is not among them.
        try await bench.withLink { _ in #expect(!bench.gates.isShut(OwnedApp(topic: Bench.topic))) }
    }
}
