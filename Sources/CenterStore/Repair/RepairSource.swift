// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// A damaged database, read as far as it can be.
struct RepairSource {
    /// The tables in an order in which what others name comes first, and the columns by which each is read.
    private static let tables = [
        ("facts", "name"), ("owner", "id"), ("app", "id"), ("installation", "id"), ("categories", "installation"),
        ("content", "id"), ("file", "content, name"), ("head", "owner, number"), ("history", "owner, number"),
        ("gone", "owner, number"), ("taken", "journal, number"), ("waiting", "id"), ("pending", "id"),
        ("region", "pending"), ("response", "id"), ("silent", "installation"), ("session", "hash"), ("token", "hash"),
        ("code", "hash"),
    ]

    private let path: String
    private let database: DatabaseQueue

    /// Opens it to be read; its log is read too.
    init(_ path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.readonly = true
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Copies every row that can be read, and tells which tables were not read whole.
    func copyAll(to target: Database, _ report: inout CenterRepair.Report) throws {
        try database.unsafeRead { source in
            let version = try Int.fetchOne(source, sql: "PRAGMA user_version") ?? 0
            guard version <= CenterSchema.version else {
                throw StoreError(
                    .tooNew,
                    "\"\(path)\" has version \(version), and this program knows versions up to \(CenterSchema.version)",
                    hint: "repair it with the version that wrote it"
                )
            }
            let known = try Set(String.fetchAll(source, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
            for (table, key) in Self.tables where known.contains(table) {
                let keys = key.split(separator: ",").map(String.init)
                if Self.copy(table, keys.joined(separator: ","), from: source, to: target, &report) { continue }
                report.partly.append(table)
                // What lies behind the damage is read from the other end.
                let down = keys.map { $0 + " DESC" }.joined(separator: ",")
                _ = Self.copy(table, down, from: source, to: target, &report)
            }
            try copySequences(from: source, to: target)
            guard known.isSuperset(of: ["owner", "head", "content"]) else {
                throw StoreError(.corrupt, "nothing of \"\(path)\" can be read", hint: "take a copy of an earlier day")
            }
        }
    }

    /// Numbers that were given once are not given again.
    private func copySequences(from source: Database, to target: Database) throws {
        let rows = (try? Row.fetchAll(source, sql: "SELECT name, seq FROM sqlite_sequence")) ?? []
        for row in rows {
            guard let name = String.fromDatabaseValue(row["name"]), let last = Int64.fromDatabaseValue(row["seq"])
            else {
                continue
            }
            try target.execute(
                sql: "INSERT INTO sqlite_sequence SELECT ?1, 0 WHERE ?1 NOT IN (SELECT name FROM sqlite_sequence)",
                arguments: [name]
            )
            try target.execute(
                sql: "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1",
                arguments: [name, last]
            )
        }
    }

    /// Copies a table in an order; true means that it was read to its end.
    ///
    /// A row that the table does not take is damaged, and left out.
    private static func copy(
        _ table: String,
        _ order: String,
        from source: Database,
        to target: Database,
        _ report: inout CenterRepair.Report
    ) -> Bool {
        do {
            let rows = try Row.fetchCursor(source, sql: "SELECT * FROM \(table) ORDER BY \(order)")
            while let row = try rows.next() {
                let columns = Array(row.columnNames)
                let places = columns.map { _ in "?" }.joined(separator: ",")
                let verb = table == "facts" ? "REPLACE" : "IGNORE"
                do {
                    try target.execute(
                        sql: "INSERT OR \(verb) INTO \(table) (\(columns.joined(separator: ","))) VALUES (\(places))",
                        arguments: StatementArguments(row.databaseValues)
                    )
                } catch {
                    report.dropped += 1
                }
            }
            return true
        } catch {
            return false
        }
    }
}
