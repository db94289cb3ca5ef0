// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import GRDB
internal import HostRuntime

internal import struct Foundation.Date

extension RegistryFile {
    /// Tombstones of tokens that one app registered for one owner; the oldest go, so that an app which registers and withdraws
    /// without end takes no room.
    private static let tombstoneLimit = 16

    /// Returns the active token that an app registered for an owner in an environment; `nil` means that there is none.
    func registration(
        of topic: String,
        for owner: String,
        in environment: PushEnvironment
    ) throws(StoreError) -> String? {
        try read { try Self.registration(of: topic, for: owner, in: environment, $0) }
    }

    private static func registration(
        of topic: String,
        for owner: String,
        in environment: PushEnvironment,
        _ database: Database
    ) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT token FROM registrations JOIN tokens USING (token)
                WHERE owner = ? AND registrations.topic = ? AND environment = ? AND removed IS NULL
                """,
            arguments: [owner, topic, environment.rawValue]
        )
    }

    /// Returns the active token that an app registered for an owner, or makes `token` it; one of another environment is
    /// removed.
    func register(_ token: RegisteredToken, for owner: String) throws(StoreError) -> String {
        try write { database in
            try Self.prune(database, now: token.added)
            let known = try Self.registration(of: token.topic, for: owner, in: token.environment, database)
            if let known { return known }
            try Self.withdraw(token.topic, of: owner, at: token.added, database)
            try Self.insert(token, into: database)
            try database.execute(
                sql: "INSERT INTO registrations (token, owner, topic) VALUES (?, ?, ?)",
                arguments: [token.token, owner, token.topic]
            )
            return token.token
        }
    }

    /// Leaves a tombstone in the place of the token that an app registered for an owner; without one does nothing.
    func withdraw(_ topic: String, of owner: String, at now: Date) throws(StoreError) {
        try write { try Self.withdraw(topic, of: owner, at: now, $0) }
    }

    private static func withdraw(_ topic: String, of owner: String, at now: Date, _ database: Database) throws {
        let mine = "(SELECT token FROM registrations WHERE owner = :owner AND topic = :topic)"
        try database.execute(
            sql: "UPDATE tokens SET removed = :now WHERE removed IS NULL AND token IN \(mine)",
            arguments: ["owner": owner, "topic": topic, "now": now.milliseconds]
        )
        try database.execute(
            sql: """
                DELETE FROM tokens WHERE token IN (
                    SELECT token FROM tokens WHERE removed IS NOT NULL AND token IN \(mine)
                    ORDER BY removed DESC, token LIMIT -1 OFFSET \(tombstoneLimit)
                )
                """,
            arguments: ["owner": owner, "topic": topic]
        )
        try database.execute(sql: "DELETE FROM registrations WHERE token NOT IN (SELECT token FROM tokens)")
    }
}
