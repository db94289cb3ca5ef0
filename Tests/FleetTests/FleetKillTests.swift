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
    .timeLimit(.minutes(60))
)
struct FleetKillTests {
    enum Fault: CaseIterable {
        /// `kill -9` of a host, and another start.
        case kill
        /// A host stands still until the others may take what it holds, and goes on.
        case pause
        /// A host leaves in peace, and comes back.
        case drain
        /// Every connection of a host breaks.
        case cut
        /// The database dies and is started again.
        case crash
    }

    private static let hosts = 3
    private static let devices = (0..<40).map { "d0\($0)" }

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

    private static func until(_ isTrue: () throws -> Bool) async throws {
        while try !isTrue() { try await Task.turn() }
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
            try await until { try isDead(index, fixture) }
            try storm.start(index)
        case .pause:
            _ = storm.pause(index)
            try await until { try isDead(index, fixture) }
            storm.goOn(host, as: index)
        case .drain:
            host.tell("drain")
            try await until { host.isGone }
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

    @Test("whatever dies, no accepted push is lost, none comes twice or out of order, and no content is opened twice")
    func storm() async throws {
        let server = try FleetFixture.server().get()
        var fixture = try FleetFixture(on: .success(server))
        try fixture.add(tokens: Self.devices)
        let seed = UInt64.random(in: 1 ... .max)
        let storm = FleetStorm(hosts: Self.hosts, fixture.conninfo, seed: seed)
        defer { storm.end() }
        for index in 0..<Self.hosts { try storm.start(index) }
        try await Self.until { try Self.isWhole(fixture) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in Self.devices { group.addTask { try await storm.send(to: device) } }
            for number in 0..<Self.faultCount {
                let fault = Fault.allCases[(number + Int(seed % 5)) % Fault.allCases.count]
                if Self.isByHand { print("fault \(number): \(fault), \(storm.acceptedCount) accepted") }
                fixture = try await Self.strike(fault, storm, fixture, server)
                // Every device is served again before the next fault, and for a while.
                try await Self.until { try Self.isWhole(fixture) }
                let count = storm.acceptedCount + 500
                try await Self.until { storm.acceptedCount >= count }
            }
            storm.stopSending()
            try await group.waitForAll()
        }
        try await Self.until {
            try fixture.number(
                "SELECT (SELECT count(*) FROM nestbox.waiting) + (SELECT count(*) FROM nestbox.outbox)"
            ) == 0
        }
        try await storm.drain()
        let faults = storm.history.faults
        for case .swapped(let first, let second) in faults {
            Issue.record("\(storm.history.story(of: first)); \(storm.history.story(of: second))")
        }
        #expect(faults == [], "seed \(seed), \(storm.acceptedCount) accepted, \(storm.counts)")
        #expect(storm.acceptedCount > 500 * Self.faultCount)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.dead") == 0)
    }
}
