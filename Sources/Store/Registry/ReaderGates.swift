// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import HostRuntime

/// The apps whose alerts a reader of the records has off, in the registry's tables.
struct ReaderGates {
    let reader: String

    /// Returns the apps of when the reader was last heard of.
    func apps(_ database: Database) throws -> Set<OwnedApp> {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT topic, owner FROM owner_gates WHERE reader = ?",
            arguments: [reader]
        )
        return Set(rows.map { OwnedApp(topic: $0[0], owner: $0[1]) })
    }

    /// Keeps these apps in place of the former ones.
    func replace(by apps: Set<OwnedApp>, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM owner_gates WHERE reader = ?", arguments: [reader])
        for app in apps {
            try database.execute(
                sql: "INSERT INTO owner_gates (reader, owner, topic) VALUES (?, ?, ?)",
                arguments: [reader, app.owner, app.topic]
            )
        }
    }
}
