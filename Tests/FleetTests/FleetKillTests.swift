// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Foundation
import Glibc
import PostgreSQL
import Sampling
import TestClock
import Testing

/// Hosts in processes of their own on a real database, through real deaths.
@Suite(
    "A fleet of processes",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(30))
)
struct FleetKillTests {
    enum Fault: CaseIterable {
        /// `kill -9` of a host, and another start.
        case kill
        /// A host stands still until the others may take what it holds, and goes on.
        case pause
        /// A host leaves in peace, and comes back.
        case drain
        /// Every connection of all hosts breaks.
        case cut
        /// The database dies and is started again.
        case crash
    }

    private static let hosts = 3
    /// Forty devices of two apps in eight partitions, several of each in one.
    private static let devices: [FleetStorm.Device] = {
        let tokens = (0..<100_000).lazy.map { "d0\($0)" }.filter { Partition(token: $0).number % 128 == 5 }
        return tokens.prefix(40).enumerated().map { index, token in
            FleetStorm.Device(token: token, app: index % 2 == 0 ? "com.example.chat" : "com.example.mail")
        }
    }()

    /// A run by hand says how far it is.
    private static let isByHand = ProcessInfo.processInfo.environment["FLEET_STORM"] != nil

    /// `FLEET_STORM` is the number of faults, for a longer run by hand.
    private static var faultCount: Int {
        ProcessInfo.processInfo.environment["FLEET_STORM"].flatMap { Int($0) }
            ?? Sample.count(30, atMost: 5, "deaths of a fleet")
    }

    /// Every partition has a holder that lives, and so do all hosts.
    private static func isWhole(_ fixture: FleetFixture) throws -> Bool {
        let sql = """
            SELECT count(DISTINCT d.session) * 10000 + count(p.part)
            FROM nestbox.deaths() d LEFT JOIN nestbox.parts p USING (session) WHERE NOT d.is_dead
            """
        return try fixture.number(sql) == Int64(10_000 * hosts + 1024)
    }

    /// A host that is a member no more, whether anybody has taken its partitions or not.
    private static func isDead(_ index: Int, _ fixture: FleetFixture) throws -> Bool {
        let sql = """
            SELECT count(*) FROM nestbox.deaths() d JOIN nestbox.sessions s USING (session)
            WHERE s.host = 'host\(index)' AND NOT d.is_dead
            """
        return try fixture.number(sql) == 0
    }

    private static func strike(
        _ fault: Fault,
        _ storm: FleetStorm,
        _ fixture: FleetFixture,
        _ server: DatabaseServer
    ) async throws -> FleetFixture {
        let index = storm.chance(0..<hosts)
        guard let host = storm.host(index) else { return fixture }
        switch fault {
        case .kill:
            host.signal(SIGKILL)
            try await storm.until("host\(index) is dead", gone: index) {
                try host.isGone && isDead(index, fixture)
            }
            try storm.start(index)
        case .pause:
            host.pause()
            try await storm.until("host\(index) counts as dead") { try isDead(index, fixture) }
            host.goOn()
        case .drain:
            host.tell("drain")
            try await storm.until("host\(index) leaves", gone: index) { host.isGone }
            try storm.start(index)
        case .cut:
            try fixture.owner.runScript(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nestbox'"
            )
        case .crash:
            try server.signal(SIGKILL)
            try server.restart()
            return try fixture.reconnected()
        }
        return fixture
    }

    @Test("whatever dies, no accepted push is lost, comes twice or out of order, or is opened under two names")
    func storm() async throws {
        let server = try FleetFixture.server().get()
        let fixture = try FleetFixture(on: .success(server))
        for device in Self.devices { try fixture.add(tokens: [device.token], app: device.app) }
        let seed = UInt64.random(in: 1 ... .max)
        let storm = FleetStorm(hosts: Self.hosts, fixture.conninfo, seed: seed)
        defer { storm.end() }
        for index in 0..<Self.hosts { try storm.start(index) }
        let last = try await Self.strikeAll(storm, fixture, server, seed: seed)
        try await storm.until("everything is concluded and sent") {
            try last.number(
                "SELECT (SELECT count(*) FROM nestbox.waiting) + (SELECT count(*) FROM nestbox.outbox)"
            ) == 0
        }
        try await storm.drain()
        let faults = storm.history.faults
        for case .swapped(let first, let second) in faults {
            Issue.record("\(storm.history.story(of: first)); \(storm.history.story(of: second))")
        }
        #expect(faults == [], "seed \(seed), \(storm.counts)")
        #expect(storm.acceptedCount > 40 * Self.faultCount)
        #expect(try last.number("SELECT count(*) FROM nestbox.dead") == 0)
    }

    /// Strikes one host after another while senders send; returns the fixture of the server as it is at the end.
    private static func strikeAll(
        _ storm: FleetStorm,
        _ fixture: FleetFixture,
        _ server: DatabaseServer,
        seed: UInt64
    ) async throws -> FleetFixture {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await storm.send(to: device) } }
            do {
                var fixture = fixture
                try await storm.until("three hosts share the partitions") { try isWhole(fixture) }
                for number in 0..<faultCount {
                    let fault = Fault.allCases[(number + Int(seed % 5)) % Fault.allCases.count]
                    if isByHand { print("fault \(number): \(fault), \(storm.counts)") }
                    fixture = try await strike(fault, storm, fixture, server)
                    // Every device is served again before the next fault.
                    try await storm.until("three hosts share the partitions again") { try isWhole(fixture) }
                    let time = FleetStorm.now
                    try await storm.until("each device is served after \(fault)") {
                        storm.hasServed(devices, since: time)
                    }
                }
                storm.stopSending()
                try await group.waitForAll()
                return fixture
            } catch {
                // Whoever waits for a host that stands still has no answer before this.
                storm.end()
                throw error
            }
        }
    }
}
