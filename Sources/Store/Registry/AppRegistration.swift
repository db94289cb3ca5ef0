// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import HostRuntime

internal import struct Foundation.Date

/// The registration of an app for an owner, in the registry's tables: the device token that the app asked for itself.
struct AppRegistration {
    /// Tombstones of one registration; the oldest go, so that an app which registers and withdraws without end takes no
    /// room.
    private static let tombstoneLimit = 16

    let topic: String
    let owner: String

    /// Returns the active token in an environment; `nil` means that there is none.
    func token(in environment: PushEnvironment, _ database: Database) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT token FROM registrations JOIN tokens USING (token)
                WHERE registrations.owner = ? AND registrations.topic = ? AND environment = ? AND removed IS NULL
                """,
            arguments: [owner, topic, environment.rawValue]
        )
    }

    /// Returns the active token, or makes `new` it; one of another environment is removed.
    func register(_ new: RegisteredToken, _ database: Database) throws -> String {
        try RegistryFile.prune(database, now: new.added)
        if let known = try token(in: new.environment, database) { return known }
        try withdraw(at: new.added, database)
        try RegistryFile.insert(new, into: database)
        try database.execute(
            sql: "INSERT INTO registrations (token, owner, topic) VALUES (?, ?, ?)",
            arguments: [new.token, owner, topic]
        )
        return new.token
    }

    /// Leaves a tombstone in the place of the active token; without one does nothing.
    func withdraw(at now: Date, _ database: Database) throws {
        let mine = "(SELECT token FROM registrations WHERE owner = :owner AND topic = :topic)"
        try database.execute(
            sql: "UPDATE tokens SET removed = :now WHERE removed IS NULL AND token IN \(mine)",
            arguments: ["owner": owner, "topic": topic, "now": now.milliseconds]
        )
        try database.execute(
            sql: """
                DELETE FROM tokens WHERE token IN (
                    SELECT token FROM tokens WHERE removed IS NOT NULL AND token IN \(mine)
                    ORDER BY removed DESC, token LIMIT -1 OFFSET \(Self.tombstoneLimit)
                )
                """,
            arguments: ["owner": owner, "topic": topic]
        )
        try database.execute(sql: "DELETE FROM registrations WHERE token NOT IN (SELECT token FROM tokens)")
    }
}
