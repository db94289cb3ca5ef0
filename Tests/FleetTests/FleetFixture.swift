// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Locking
import PostgreSQL
import TestClock
import Testing

/// A database with a fleet in it, and a role for hosts that may only call functions.
final class FleetFixture {
    private static let count = Locked(0)

    let conninfo: String
    private let ownerInfo: String
    let owner: Connection
    let name: String

    /// Starts a server for the tests of one suite, which run one after the other.
    ///
    /// Reading ends at the oldest transaction of the whole server, so that no two suites share one, and the server
    /// writes nothing by itself.
    static func server() -> Result<DatabaseServer, any Error> {
        Result { try DatabaseServer(settings: ["autovacuum": "off"]) }
    }

    /// Makes a database of its own on a server; no session is spared because the server is young.
    init(on server: Result<DatabaseServer, any Error>) throws {
        let server = try server.get()
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let administrator = try server.connect()
        try administrator.runScript("CREATE DATABASE fleet\(number)")
        try administrator.runScript(
            "DO $$ BEGIN CREATE ROLE host LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
        )
        ownerInfo = server.conninfo(database: "fleet\(number)")
        name = try FleetDatabase.create(ownerInfo)
        try FleetDatabase.grant(to: "host", ownerInfo)
        owner = try Connection(ownerInfo, application: "tests")
        try owner.runScript("UPDATE nestbox.fleet SET grace = 0")
        conninfo = server.conninfo(role: "host", database: "fleet\(number)")
    }

    /// The same after the server has died and was started again.
    func reconnected() throws -> FleetFixture { try FleetFixture(of: self) { $0 } }

    /// The same on another server, which has taken over.
    func reconnected(from former: DatabaseServer, to next: DatabaseServer) throws -> FleetFixture {
        try FleetFixture(of: self) { $0.replacing(former.folder, with: next.folder) }
    }

    private init(of former: FleetFixture, _ moved: (String) -> String) throws {
        (conninfo, ownerInfo, name) = (moved(former.conninfo), moved(former.ownerInfo), former.name)
        owner = try Connection(ownerInfo, application: "tests")
    }

    /// Has each commit wait for the standbys from now on; what is there already they have when this returns.
    func becomeReplicated() async throws {
        try owner.runScript("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try owner.runScript("SELECT pg_reload_conf()")
        while try connect().facts().standbys == 0 { try await Task.turn() }
    }

    /// A connection as hosts have it, that waits for as long as a slow machine needs.
    func connect(patience: Duration = .seconds(60)) throws -> FleetDatabase {
        try FleetDatabase(conninfo, patience: patience)
    }

    /// Adds active device tokens of an app.
    func add(tokens: [String], app: String = "com.example.chat", owner ownerName: String = "me") throws {
        try owner.run(
            Statement(
                "add_tokens",
                "INSERT INTO nestbox.tokens SELECT unnest($1::text[]), $2, 'production', $3, 'minted'"
            ),
            [.texts(tokens), .text(app), .text(ownerName)],
            within: .seconds(60)
        )
    }

    /// Lets so much time pass for a session, as far as the database knows, and the server be up for an hour.
    func age(_ session: FleetSession, by seconds: Int) throws {
        try owner.runScript(
            """
            INSERT INTO nestbox.awake (at, started)
                VALUES (clock_timestamp() - interval '1 hour', pg_postmaster_start_time())
                ON CONFLICT (is_only) DO UPDATE SET at = excluded.at;
            UPDATE nestbox.beats SET at = at - interval '\(seconds) seconds' WHERE session = \(session.number);
            """
        )
    }

    /// The number that a query of one value returns.
    func number(_ sql: String) throws -> Int64 {
        let rows = try owner.run(Statement("number \(sql.hashValue)", sql), within: .seconds(60))
        return try rows.int64(0, 0)
    }

    /// The texts that a query of one column returns.
    func texts(_ sql: String) throws -> [String] {
        let rows = try owner.run(Statement("texts \(sql.hashValue)", sql), within: .seconds(60))
        var texts: [String] = []
        for row in 0..<rows.count { texts.append(try rows.text(row, 0)) }
        return texts
    }

    /// Joins as a host, with a lease that no stall of the machine uses up.
    static func join(_ host: String, _ database: FleetDatabase, weight: Double = 1) throws -> FleetSession {
        try database.join(FleetMember(host: host, version: "1", lease: .seconds(600), weight: weight))
    }

    /// Joins as a host, and takes some partitions.
    func holder(_ host: String = "a", of parts: [Partition]) throws -> (database: FleetDatabase, session: FleetSession)
    {
        let database = try connect()
        let session = try Self.join(host, database)
        let taken = try database.take(Self.free(parts), from: nil, as: session)
        #expect(taken.count == parts.count)
        return (database, session)
    }

    static func push(_ token: String, name: String, app: String = "com.example.chat") -> OfferedPush {
        OfferedPush(
            topic: app,
            token: token,
            app: app,
            environment: "production",
            name: name,
            keys: Array(repeating: 7, count: 16),
            head: "{}",
            body: Array("{\"aps\":{}}".utf8)
        )
    }

    /// Free partitions, as a session that has seen nothing yet sees them.
    static func free(_ parts: [Partition]) -> [FleetSnapshot.Holding] {
        parts.map { FleetSnapshot.Holding(part: $0, holder: nil, epoch: 0) }
    }
}

/// The error that `body` throws.
func failure(_ body: () throws(FleetError) -> Void) -> FleetError? {
    do throws(FleetError) {
        try body()
        return nil
    } catch {
        return error
    }
}
