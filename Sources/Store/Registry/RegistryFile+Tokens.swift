// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
internal import GRDB
private import HostRuntime

package import struct Foundation.Date

extension RegistryFile {
    /// Makes a token active, whatever was known of it before.
    package func add(_ token: RegisteredToken) throws(StoreError) {
        try write { database in
            try Self.prune(database, now: token.added)
            try Self.insert(token, into: database)
        }
    }

    /// Leaves a tombstone in the place of an active token.
    ///
    /// Returns false if there is none that is active.
    package func removeToken(_ token: String, at now: Date) throws(StoreError) -> Bool {
        try write { database in
            try Self.prune(database, now: now)
            try database.execute(
                sql: "UPDATE tokens SET removed = ? WHERE token = ? AND removed IS NULL",
                arguments: [now.milliseconds, token]
            )
            return database.changesCount > 0
        }
    }

    /// All tokens, or those of one app, the oldest first; removed ones as long as they are remembered.
    package func tokens(of topic: String? = nil, now: Date) throws(StoreError) -> [RegisteredToken] {
        try read { database in
            try RegisteredToken.fetch(
                database,
                sql: """
                    SELECT token, topic, environment, origin, added, removed, owner FROM tokens
                    WHERE (?1 IS NULL OR topic = ?1) AND (removed IS NULL OR removed > ?2) ORDER BY added, token
                    """,
                [topic, Self.forgottenUpTo(now)]
            )
        }
    }

    /// Returns one token, also a removed one as long as it is remembered.
    package func token(_ token: String, now: Date) throws(StoreError) -> RegisteredToken? {
        try read { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT token, topic, environment, origin, added, removed, owner FROM tokens
                        WHERE token = ? AND (removed IS NULL OR removed > ?)
                        """
                ),
                arguments: [token, Self.forgottenUpTo(now)]
            )
            return try row.map(RegisteredToken.init)
        }
    }

    static func insert(_ token: RegisteredToken, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO tokens (token, topic, environment, origin, added, owner) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (token) DO UPDATE SET topic = excluded.topic, environment = excluded.environment,
                    origin = excluded.origin, added = excluded.added, owner = excluded.owner, removed = NULL
                """,
            arguments: [
                token.token, token.topic, token.environment.rawValue, token.origin.rawValue, token.added.milliseconds,
                token.owner,
            ]
        )
        // An app of the former owner is given another one.
        try database.execute(
            sql: "DELETE FROM registrations WHERE token = ? AND owner <> ?",
            arguments: [token.token, token.owner]
        )
    }

    // MARK: Tombstones

    /// A tombstone is remembered for ninety days: after that its token is as unknown as if it had never been.
    static let tombstoneLifetime = 90.0 * 24 * 3600

    /// Tombstones of this time and before, in milliseconds since 1970, are forgotten.
    static func forgottenUpTo(_ now: Date) -> Int64 {
        now.addingTimeInterval(-tombstoneLifetime).milliseconds
    }

    /// Deletes what is forgotten.
    static func prune(_ database: Database, now: Date) throws {
        for table in ["tokens", "subscriptions"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE removed IS NOT NULL AND removed <= ?",
                arguments: [forgottenUpTo(now)]
            )
        }
    }
}

extension RegisteredToken {
    static func fetch(
        _ database: Database,
        sql: String,
        _ arguments: StatementArguments
    ) throws -> [RegisteredToken] {
        var tokens: [RegisteredToken] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() { tokens.append(try RegisteredToken(row)) }
        return tokens
    }

    /// Columns as they stand in the table.
    init(_ row: Row) throws {
        guard let environment = PushEnvironment(rawValue: row[2]), let origin = Origin(rawValue: row[3]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a token has an unknown environment or origin")
        }
        self.init(
            token: row[0],
            topic: row[1],
            environment: environment,
            origin: origin,
            owner: row[6],
            added: Date(milliseconds: row[4]),
            removed: (row[5] as Int64?).map { Date(milliseconds: $0) }
        )
    }
}

extension Date {
    /// Since 1970, as the registry keeps time.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
