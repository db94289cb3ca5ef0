// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The writing connection's side of the store: its statements, and what is kept in memory of the tables.
///
/// The books serve one thread at a time; the connection's queue sees to it.
final class CenterBooks {
    let statements = HotStatements()
    let log: WriteAheadLog
    let limits: CenterLimits
    let hash: NameHash
    var accounts = Accounts()
    var totals = Totals()
    /// Numbers of apps in the table `app`.
    var apps: [String: Int64] = [:]
    /// Installations that may have more notifications, or more responses, than they should.
    var crowded: Set<Int64> = []
    var talkative: Set<Int64> = []
    /// The news of maintenance, until somebody fetches them.
    var upkeep = Upkeep()
    /// The last transaction failed: only a write tells whether the next will.
    var hasFailed = false
    var isClosed = false
    /// Since the last maintenance.
    var hasCommitted = false
    /// Something was deleted that nobody may find any more, and may still lie in the log.
    var mustErase = true
    var isAtRest = false
    /// The connection that writes, which is used inside its queue's accesses alone.
    let database: Database

    struct Totals: Equatable {
        var stored: Int64 = 0
        var bytes: Int64 = 0
        var pending: Int64 = 0
    }

    init(_ database: Database, limits: CenterLimits, hashBits: Int) throws {
        self.database = database
        self.limits = limits
        log = try WriteAheadLog(of: database)
        let key = try HotStatement("SELECT value FROM facts WHERE name = ?1", on: database).bind(Fact.hashKey)
            .first { $0.blob(0) }
        guard let hash = SipHash(key: key ?? []) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the key of its hashes is missing")
        }
        self.hash = NameHash(hash, bits: hashBits)
        try readOwners()
        totals.pending = try statement("SELECT count(*) FROM pending").first { $0.integer(0) } ?? 0
        try statement("SELECT id FROM installation WHERE stored > ?1").bind(limits.perInstallation).each { row in
            crowded.insert(row.integer(0))
        }
        try statement("SELECT installation FROM response GROUP BY installation HAVING count(*) > ?1")
            .bind(limits.responses).each { row in talkative.insert(row.integer(0)) }
    }

    func statement(_ sql: String) throws -> HotStatement { try statements(sql, on: database) }

    /// The row that the last insertion made.
    var lastRow: Int64 { database.lastInsertedRowID }

    /// Runs `body` as one transaction, and takes back in memory what it did there if the disk refuses.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let before = (totals, upkeep)
        do {
            try statement("BEGIN IMMEDIATE").run()
            let result = try body()
            try save()
            try statement("COMMIT").run()
            accounts.committed()
            return result
        } catch {
            hasFailed = true
            // Some errors have rolled back already.
            if database.isInsideTransaction { _ = try? statement("ROLLBACK").run() }
            accounts.rolledBack()
            apps = [:]
            (totals, upkeep) = before
            throw error
        }
    }

    /// Writes the rows of the owners and installations that the transaction has changed.
    private func save() throws {
        for owner in accounts.openOwners where owner.values != owner.saved {
            let values = owner.values
            try statement(
                """
                UPDATE owner SET next = ?2, floor = ?3, seen = ?4, language = ?5, zone = ?6, focus = ?7, summary = ?8,
                    changed = ?9, stored = ?10, past = ?11, tombstones = ?12, bytes = ?13 WHERE id = ?1
                """
            ).bind(
                owner.id,
                values.next,
                values.floor,
                values.seen,
                values.preferences.language,
                values.preferences.zone,
                values.preferences.focus,
                values.preferences.summary,
                values.changed,
                values.stored,
                values.past,
                values.tombstones,
                values.bytes
            ).run()
        }
        for installation in accounts.openInstallations where installation.values != installation.saved {
            let values = installation.values
            try statement(
                """
                UPDATE installation SET status = ?2, options = ?3, settings = ?4, badge = ?5, token = ?6, changed = ?7,
                    stored = ?8, bytes = ?9 WHERE id = ?1
                """
            ).bind(
                installation.id,
                values.permission.status,
                values.permission.options,
                values.permission.settings,
                values.badge,
                values.permission.token,
                values.changed,
                values.stored,
                values.bytes
            ).run()
        }
    }

    /// A number of the owner's series, which nobody else gets.
    func number(of owner: OwnerAccount) -> Int64 {
        accounts.change(owner) { values in
            defer { values.next += 1 }
            return values.next
        }
    }

    /// Copies a log that has grown too long, whatever else there is to do.
    func boundLog() throws {
        if log.byteCount >= limits.log { try log.copy(database) }
    }

    func close() throws {
        isClosed = true
        defer { statements.close() }
        try log.empty(database)
    }
}
