// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import FleetHistory
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
    enum Fault {
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
        /// The database dies for good, and its standby takes over.
        case failover

        /// The faults that may come again and again.
        static let repeated = [kill, pause, drain, cut, crash]
    }

    /// The database of the hosts: one server, or two of which each commit waits for both.
    private final class Site {
        private let primary: DatabaseServer
        private let standby: DatabaseServer?
        private(set) var fixture: FleetFixture

        init(hasStandby: Bool) async throws {
            primary = try FleetFixture.server().get()
            standby = hasStandby ? try DatabaseServer(standbyOf: primary) : nil
            fixture = try FleetFixture(on: .success(primary))
            for device in FleetKillTests.devices { try fixture.add(tokens: [device.token], app: device.app) }
            if hasStandby { try await fixture.becomeReplicated() }
        }

        /// Leads hosts to whichever server takes writes.
        var conninfo: String {
            guard let standby else { return fixture.conninfo }
            let both = fixture.conninfo.replacing(primary.folder, with: "\(primary.folder),\(standby.folder)")
            return "\(both) target_session_attrs=read-write"
        }

        func crash() throws {
            try primary.signal(SIGKILL)
            try primary.restart()
            fixture = try fixture.reconnected()
        }

        func failover() throws {
            guard let standby else { return }
            try primary.signal(SIGKILL)
            try standby.promote()
            fixture = try fixture.reconnected(from: primary, to: standby)
        }
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

    private static func strike(_ fault: Fault, _ storm: FleetStorm, _ site: Site) async throws {
        let index = storm.chance(0..<hosts)
        guard let host = storm.host(index) else { return }
        switch fault {
        case .kill:
            host.signal(SIGKILL)
            try await storm.until("host\(index) is dead", gone: index) {
                try host.isGone && isDead(index, site.fixture)
            }
            try storm.start(index)
        case .pause:
            host.pause()
            try await storm.until("host\(index) counts as dead") { try isDead(index, site.fixture) }
            host.goOn()
        case .drain:
            host.tell("drain")
            try await storm.until("host\(index) leaves", gone: index) { host.isGone }
            try storm.start(index)
        case .cut:
            try site.fixture.owner.runScript(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nestbox'"
            )
        case .crash: try site.crash()
        case .failover: try site.failover()
        }
    }

    @Test("whatever dies, no accepted push is lost, comes twice or out of order, or is opened under two names")
    func storm() async throws {
        let seed = UInt64.random(in: 1 ... .max)
        let faults = (0..<Self.faultCount).map { Fault.repeated[($0 + Int(seed % 5)) % Fault.repeated.count] }
        try await Self.pass(faults, on: Site(hasStandby: false), seed: seed)
    }

    @Test("what was accepted is on the standby that takes over, and is worked on from there")
    func failover() async throws {
        try await Self.pass([.failover], on: Site(hasStandby: true), seed: .random(in: 1 ... .max))
    }

    /// Has hosts live through faults while senders send, and looks at what became of each push.
    private static func pass(_ faults: [Fault], on site: Site, seed: UInt64) async throws {
        let storm = FleetStorm(hosts: hosts, site.conninfo, seed: seed)
        defer { storm.end() }
        for index in 0..<hosts { try storm.start(index) }
        try await strikeAll(faults, storm, site)
        try await storm.until("everything is concluded and sent") {
            try site.fixture.number(
                "SELECT (SELECT count(*) FROM nestbox.waiting) + (SELECT count(*) FROM nestbox.outbox)"
            ) == 0
        }
        try await storm.drain()
        let broken = storm.history.faults
        for case .swapped(let first, let second) in broken {
            Issue.record("\(storm.history.story(of: first)); \(storm.history.story(of: second))")
        }
        #expect(broken == [], "seed \(seed), \(storm.counts)")
        #expect(storm.acceptedCount > 40 * faults.count)
        #expect(try site.fixture.number("SELECT count(*) FROM nestbox.dead") == 0)
    }

    /// Strikes once after another while senders send.
    private static func strikeAll(_ faults: [Fault], _ storm: FleetStorm, _ site: Site) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { try await storm.send(to: device) } }
            do {
                try await storm.until("three hosts share the partitions") { try isWhole(site.fixture) }
                for (number, fault) in faults.enumerated() {
                    if isByHand { print("fault \(number): \(fault), \(storm.counts)") }
                    try await strike(fault, storm, site)
                    // Every device is served again before the next fault.
                    try await storm.until("three hosts share the partitions again") { try isWhole(site.fixture) }
                    let time = FleetStorm.now
                    try await storm.until("each device is served after \(fault)") {
                        storm.hasServed(devices, since: time)
                    }
                }
                storm.stopSending()
                try await group.waitForAll()
            } catch {
                // Whoever waits for a host that stands still has no answer before this.
                storm.end()
                throw error
            }
        }
    }
}
