// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The notifications that are listed, those of the history, and the numbers of those that are gone.
final class HeadBook: Book {
    let tables: BookTables
    let accounts: AccountBook
    let limits: CenterLimits
    /// Installations that may have more notifications than they should.
    private var crowd: Undoable<Set<Int64>>

    init(_ tables: BookTables, _ accounts: AccountBook, limits: CenterLimits) throws {
        self.tables = tables
        self.accounts = accounts
        self.limits = limits
        var crowded: Set<Int64> = []
        try tables.statement("SELECT id FROM installation WHERE stored > ?1").bind(limits.perInstallation)
            .each { row in crowded.insert(row.integer(0)) }
        crowd = Undoable(crowded)
    }

    func committed() { crowd.commit() }

    func rolledBack() { crowd.rollBack() }

    /// Installations that may have more notifications than they should, in the order of their numbers.
    var crowded: [Int64] { crowd.value.sorted() }

    /// An installation has no more than it should.
    func thinned(_ installation: Int64) { crowd.value.remove(installation) }

    // MARK: - Finding

    func head(_ owner: OwnerAccount, _ number: Int64) throws -> StoredHead? {
        try tables.statement("SELECT \(StoredHead.columns) FROM head WHERE owner = ?1 AND number = ?2")
            .bind(owner.id, number).first { StoredHead($0) }
    }

    /// The listed notification of that name.
    ///
    /// Others may have the same hash, so each content is compared.
    func head(_ installation: InstallationAccount, named identifier: String) throws -> StoredHead? {
        let opening = NotificationContent.opening(identifier)
        var found: StoredHead?
        try tables.statement(
            """
            SELECT \(StoredHead.columns), \(StoredBytes.names) FROM head INDEXED BY named JOIN content ON id = body
            WHERE installation = ?1 AND name = ?2
            """
        ).bind(installation.id, tables.hash(identifier)).each { row in
            if try tables.isContent(row, StoredHead.columnCount, opening: opening) { found = StoredHead(row) }
        }
        return found
    }

    func heads(_ installation: InstallationAccount, upTo number: Int64 = .max) throws -> [StoredHead] {
        var heads: [StoredHead] = []
        try tables.statement("SELECT \(StoredHead.columns) FROM head INDEXED BY named WHERE installation = ?1")
            .bind(installation.id).each { heads.append(StoredHead($0)) }
        heads.removeAll { $0.head.number > number }
        heads.sort { $0.head.number < $1.head.number }
        return heads
    }

    func oldest(of owner: OwnerAccount) throws -> StoredHead? {
        try tables.statement("SELECT \(StoredHead.columns) FROM head WHERE owner = ?1 ORDER BY number LIMIT 1")
            .bind(owner.id).first { StoredHead($0) }
    }

    func standing(_ owner: OwnerAccount, _ number: Int64) throws -> Standing {
        if try head(owner, number) != nil { return .listed }
        return try Standing.gone(number, of: owner.id) { try tables.statement($0) }
    }

    // MARK: - Listing

    func insert(_ stored: StoredHead, of installation: InstallationAccount) throws {
        let owner = installation.owner
        try tables.statement("INSERT INTO head VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)")
            .bind(stored, of: owner.id).run()
        accounts.change(owner) { $0.stored += 1 }
        let count = accounts.change(installation) { values in
            values.stored += 1
            values.bytes += stored.byteCount
            return values.stored
        }
        if count > limits.perInstallation { crowd.value.insert(installation.id) }
        if let next = owner.agesNext { owner.agesNext = min(next, stored.head.date + limits.age.wholeMilliseconds) }
    }

    /// Takes a notification out of the list, under the number `number`; its content stays where it is.
    func unlist(
        _ stored: StoredHead,
        of installation: InstallationAccount,
        by cause: RemovalCause,
        as number: Int64,
        at now: WallTime
    ) throws -> Removal {
        let owner = installation.owner
        // Another one may be the oldest now.
        owner.agesNext = nil
        try tables.statement("DELETE FROM head WHERE owner = ?1 AND number = ?2").bind(owner.id, stored.head.number)
            .run()
        try tables.statement("INSERT INTO gone VALUES (?1, ?2, ?3, ?4, ?5)")
            .bind(owner.id, number, stored.head.number, cause.rawValue, now).run()
        accounts.change(owner) { values in
            values.stored -= 1
            values.tombstones += 1
        }
        accounts.change(installation) { values in
            values.stored -= 1
            values.bytes -= stored.byteCount
        }
        return Removal(target: stored.head.number, number: number)
    }

    /// Leaves a tombstone in the place of an app that is removed, and returns its number.
    func noteEnd(of installation: InstallationAccount, at now: WallTime) throws -> Int64 {
        let owner = installation.owner
        let number = accounts.number(of: owner)
        try tables.statement(
            "INSERT INTO gone SELECT ?1, ?2, -app, ?3, ?4 FROM installation WHERE id = ?5"
        ).bind(owner.id, number, RemovalCause.uninstalled.rawValue, now, installation.id).run()
        accounts.change(owner) { $0.tombstones += 1 }
        return number
    }

    /// Removes a notification for good.
    @discardableResult
    func remove(
        _ stored: StoredHead,
        of installation: InstallationAccount,
        by cause: RemovalCause,
        as number: Int64? = nil,
        at now: WallTime
    ) throws -> Removal {
        let number = number ?? accounts.number(of: installation.owner)
        let removal = try unlist(stored, of: installation, by: cause, as: number, at: now)
        try tables.deleteContent(stored.body)
        accounts.change(installation.owner) { $0.bytes -= stored.byteCount }
        return removal
    }
}

extension Standing {
    /// The standing of a number that is not listed.
    static func gone(
        _ number: Int64,
        of owner: Int64,
        _ statement: (String) throws -> HotStatement
    ) throws -> Standing {
        // The numbers of apps are below 0 in that table.
        guard number > 0 else { return .unknown }
        return try statement("SELECT number, by FROM gone INDEXED BY target WHERE owner = ?1 AND target = ?2")
            .bind(owner, number).first { row in
                RemovalCause(rawValue: row.integer(1)).map { .gone($0, by: row.integer(0)) } ?? .unknown
            } ?? .unknown
    }
}
