// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
internal import GRDB

package import struct Foundation.Date

extension RegistryFile {
    /// Adds an app; with `replaces` in the place of one with the same topic, whose tokens stay.
    ///
    /// Returns false if there is one and it is not to be replaced.
    package func add(_ app: RegisteredApp, replaces: Bool = false) throws(StoreError) -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO apps (topic, yaml, file, added)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [app.topic, app.yaml, app.file, app.added.milliseconds]
            )
            return database.changesCount > 0
        }
    }

    /// Deletes an app, and leaves tombstones in the place of its tokens and subscriptions.
    ///
    /// Returns how many of both, nil if there is no such app.
    package func removeApp(_ topic: String, at now: Date) throws(StoreError) -> Int? {
        try write { database in
            try Self.prune(database, now: now)
            try database.execute(sql: "DELETE FROM apps WHERE topic = ?", arguments: [topic])
            guard database.changesCount > 0 else { return nil }
            return try Self.bury(["topic": topic, "now": now.milliseconds], where: "topic = :topic", database)
        }
    }

    /// In the order of their topics.
    package func apps() throws(StoreError) -> [RegisteredApp] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT topic, yaml, file, added FROM apps ORDER BY topic").map { row in
                RegisteredApp(topic: row[0], yaml: row[1], file: row[2], added: Date(milliseconds: row[3]))
            }
        }
    }

    /// Leaves tombstones in the place of active tokens and subscriptions; returns how many.
    static func bury(_ arguments: StatementArguments, where condition: String, _ database: Database) throws -> Int {
        var count = 0
        for table in ["tokens", "subscriptions"] {
            try database.execute(
                sql: "UPDATE \(table) SET removed = :now WHERE removed IS NULL AND \(condition)",
                arguments: arguments
            )
            count += database.changesCount
        }
        return count
    }
}
