// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Brings rows that were copied from a damaged database in line with each other.
struct RepairMender {
    /// Numbers that are left out behind the greatest that was read: those that were lost are not given again.
    private static let gap: Int64 = 1_000_000
    /// The name of the only owner of a centre whose row is lost.
    private static let onlyOwner = "me"

    private let database: Database
    /// `nil` means that nothing is sealed.
    private let seal: StoreSeal?

    init(_ database: Database, _ seal: StoreSeal?) {
        self.database = database
        self.seal = seal
    }

    func mend(_ report: inout CenterRepair.Report) throws {
        let before = try rowsWithContents()
        try bringOwnersBack()
        try run(
            "DELETE FROM installation WHERE owner NOT IN (SELECT id FROM owner) OR app NOT IN (SELECT id FROM app)"
        )
        for table in Self.tables {
            try run(
                """
                DELETE FROM \(table) WHERE installation NOT IN (SELECT id FROM installation)
                    OR body NOT IN (SELECT id FROM content)
                """
            )
        }
        for table in ["categories", "silent"] {
            try run("DELETE FROM \(table) WHERE installation NOT IN (SELECT id FROM installation)")
        }
        for table in ["gone", "session", "token", "code"] {
            try run("DELETE FROM \(table) WHERE owner NOT IN (SELECT id FROM owner)")
        }
        try dropLostKeys()
        try readContents()
        try run("DELETE FROM region WHERE pending NOT IN (SELECT id FROM pending)")
        try run("DELETE FROM content WHERE id NOT IN (\(Self.bodies))")
        try run("DELETE FROM file WHERE content NOT IN (SELECT id FROM content)")
        report.dropped += before - (try rowsWithContents())
        let isDamaged = !report.partly.isEmpty || report.dropped > 0
        if isDamaged { try run("UPDATE sqlite_sequence SET seq = seq + ?", Self.gap) }
        try sumUp(isDamaged: isDamaged)
    }

    /// The rows that are of no use without their contents.
    private func rowsWithContents() throws -> Int {
        let rows = Self.tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " + ")
        return try Int.fetchOne(database, sql: "SELECT \(rows)") ?? 0
    }

    /// Owners that were lost come back with their apps, though without their wishes.
    ///
    /// The only owner of a centre has the name that is every such owner's. One of several gets a name that nobody has,
    /// because it is not known whose apps those were: nobody is shown them before somebody looks.
    private func bringOwnersBack() throws {
        let lost = try Int64.fetchAll(
            database,
            sql: "SELECT DISTINCT owner FROM installation WHERE owner NOT IN (SELECT id FROM owner)"
        )
        let isOnly = try lost.count == 1 && Int.fetchOne(database, sql: "SELECT count(*) FROM owner") == 0
        for id in lost {
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO owner (id, name, next, floor, seen, changed, stored, past, tombstones, bytes)
                    VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 0)
                    """,
                arguments: [id, isOnly ? Self.onlyOwner : "recovered-\(id)"]
            )
        }
    }

    private static let tables = ["head", "history", "waiting", "pending", "response"]
    private static let bodies =
        tables
        .map { "SELECT body FROM \($0)" }.joined(separator: " UNION ")

    // MARK: - Contents

    /// Makes hashes, lengths, words and files of rows anew from their contents; a content that cannot be read takes its
    /// rows along.
    private func readContents() throws {
        let key = try Data.fetchOne(
            database,
            sql: "SELECT value FROM facts WHERE name = ?",
            arguments: [Fact.hashKey]
        )
        guard let hash = SipHash(key: [UInt8](key ?? Data())).map({ NameHash($0) }) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the key of its hashes is missing")
        }
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM content") {
            guard let bytes = try content(id), let content = NotificationContent(stored: bytes) else {
                for table in Self.tables {
                    try run("DELETE FROM \(table) WHERE body = ?", id)
                }
                continue
            }
            for file in content.files { try run("INSERT OR IGNORE INTO file VALUES (?, ?)", id, file.id) }
            let byteCount = content.files.reduce(Int64(bytes.count)) { $0 + $1.byteCount }
            let name = hash(content.identifier)
            let words = seal == nil ? content.words : SummaryWords()
            for table in ["head", "history"] {
                try run(
                    "UPDATE \(table) SET name = ?, thread = ?, bytes = ?, category = ?, argument = ? WHERE body = ?",
                    name,
                    content.thread.map { hash($0) },
                    byteCount,
                    words.category,
                    words.argument,
                    id
                )
            }
            try run("UPDATE pending SET name = ? WHERE body = ?", name, id)
        }
    }

    /// The bytes of a content; `nil` means that they are damaged.
    private func content(_ id: Int64) throws -> [UInt8]? {
        let sql = "SELECT \(StoredBytes.names) FROM content WHERE id = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
        if let plain = Data.fromDatabaseValue(row["plain"]) { return [UInt8](plain) }
        guard let seal, let installation = Int64.fromDatabaseValue(row["key"]),
            let sealed = Data.fromDatabaseValue(row["sealed"]),
            let key = try seal.key(of: installation, { try sealedKey(of: installation) })
        else { return nil }
        return Seal.content.open([UInt8](sealed), of: installation, under: key)
    }

    private func sealedKey(of installation: Int64) throws -> [UInt8]? {
        let sql = "SELECT data_key FROM installation WHERE id = ?"
        return try Data.fetchOne(database, sql: sql, arguments: [installation]).map { [UInt8]($0) }
    }

    /// Makes room for new keys in the place of damaged ones, and has the next start look for what lies open.
    private func dropLostKeys() throws {
        guard let seal else { return }
        try run("DELETE FROM facts WHERE name = ?", Fact.allSealed)
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM installation WHERE data_key IS NOT NULL")
        where try seal.key(of: id, { try sealedKey(of: id) }) == nil {
            try run("UPDATE installation SET data_key = NULL WHERE id = ?", id)
        }
        try run(
            """
            DELETE FROM silent WHERE sealed_payload IS NOT NULL
                AND installation IN (SELECT id FROM installation WHERE data_key IS NULL)
            """
        )
    }

    // MARK: - Sums

    private func sumUp(isDamaged: Bool) throws {
        try run(
            """
            UPDATE installation SET stored = (SELECT count(*) FROM head WHERE installation = installation.id),
                bytes = (SELECT ifnull(sum(bytes), 0) FROM head WHERE installation = installation.id)
            """
        )
        try run(
            """
            UPDATE owner SET stored = (SELECT count(*) FROM head WHERE owner = owner.id),
                past = (SELECT count(*) FROM history WHERE owner = owner.id),
                tombstones = (SELECT count(*) FROM gone WHERE owner = owner.id),
                bytes = (SELECT ifnull(sum(bytes), 0) FROM head WHERE owner = owner.id)
                    + (SELECT ifnull(sum(bytes), 0) FROM history WHERE owner = owner.id),
                next = max(next, changed + 1,
                    (SELECT ifnull(max(number), 0) + 1 FROM head WHERE owner = owner.id),
                    (SELECT ifnull(max(number), 0) + 1 FROM history WHERE owner = owner.id),
                    (SELECT ifnull(max(number), 0) + 1 FROM gone WHERE owner = owner.id),
                    (SELECT ifnull(max(changed), 0) + 1 FROM installation WHERE owner = owner.id))
            """
        )
        guard isDamaged else { return }
        // Whoever watched knows of numbers that may be lost, and of removals that nobody knows of any more.
        try run("UPDATE owner SET next = next + ?", Self.gap)
        try run("UPDATE owner SET floor = next - 1")
        try run("DELETE FROM gone")
        try run("UPDATE owner SET tombstones = 0")
    }

    func count(_ report: inout CenterRepair.Report) throws {
        func rows(_ table: String) throws -> Int {
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
        report.notifications = try rows("head")
        report.history = try rows("history")
        report.requests = try rows("pending")
        report.responses = try rows("response")
    }

    private func run(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws {
        try database.execute(sql: sql, arguments: StatementArguments(arguments))
    }
}
