// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Foundation
import PostgreSQL

/// A fleet's database on two servers of this machine, and what they have used.
final class Site {
    /// The connection string of a host, and of the owner of all tables.
    let conninfo: String
    let ownerConninfo: String
    private let primary: DatabaseServer
    private let standby: DatabaseServer
    private let owner: Connection

    /// Makes a fleet in which so many device tokens are known.
    init(tokens: Int) throws {
        let settings = ["max_wal_size": "4GB", "shared_buffers": "512MB"]
        primary = try DatabaseServer(settings: settings, isDurable: true)
        standby = try DatabaseServer(settings: settings, isDurable: true, standbyOf: primary)
        ownerConninfo = primary.conninfo()
        _ = try FleetDatabase.create(ownerConninfo)
        owner = try Connection(ownerConninfo, application: "bench")
        try owner.runScript("CREATE ROLE host LOGIN")
        try FleetDatabase.grant(to: "host", ownerConninfo)
        try owner.runScript(
            """
            INSERT INTO nestbox.tokens (token, topic, environment, owner, origin)
                SELECT lpad(to_hex(i), 64, '0'), 'com.example.chat', 'production', 'me', 'minted'
                FROM generate_series(0, \(tokens - 1)) i;
            """,
            within: .seconds(600)
        )
        try owner.runScript("ANALYZE nestbox.tokens", within: .seconds(600))
        try owner.runScript("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try owner.runScript("SELECT pg_reload_conf()")
        conninfo = primary.conninfo(role: "host")
        let end = ContinuousClock.now + .seconds(60)
        while try FleetDatabase(conninfo).facts().standbys == 0 {
            guard .now < end else { throw DatabaseServer.Failure("the standby does not count within a minute") }
        }
        try owner.runScript("CHECKPOINT", within: .seconds(600))
    }

    /// Runs `body`, and returns microseconds of both servers and bytes of log a push, and pushes a second.
    func measured(_ pushes: Int, _ body: () async throws -> Void) async throws -> String {
        let (log, cpu, start) = (try logPosition(), try cpuTime(), ContinuousClock.now)
        try await body()
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let used = try cpuTime() - cpu
        let written = try logPosition() - log
        return String(
            format: "%.1f %.0f %.0f",
            used * 1e6 / Double(pushes),
            Double(written) / Double(pushes),
            Double(pushes) / wall
        )
    }

    private func logPosition() throws -> Int64 {
        let rows = try owner.run(Statement("log", "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"))
        return try rows.int64(0, 0)
    }

    /// Processor time of both servers, in seconds: of the processes that are there and of those that have ended.
    private func cpuTime() throws -> Double {
        try [primary, standby].reduce(0) { sum, server in
            let first = try server.processID()
            let children = (try? String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)) ?? ""
            let own = Self.ticks(of: first, withEnded: true)
            let theirs = children.split(separator: " ").compactMap { pid_t($0) }.map { Self.ticks(of: $0) }
            return sum + (own + theirs.reduce(0, +)) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// User and system time of a process, and of its children that have ended.
    ///
    /// Source: proc_pid_stat(5).
    private static func ticks(of process: pid_t, withEnded: Bool = false) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let fields = text.split(separator: ") ").last?.split(separator: " "), fields.count > 14
        else { return 0 }
        let times = fields[11...(withEnded ? 14 : 12)].compactMap { Double($0) }
        return times.reduce(0, +)
    }
}
