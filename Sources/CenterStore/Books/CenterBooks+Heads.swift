// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The rows of `head`, `history`, `content` and `gone`, and the sums that go with them.
extension CenterBooks {
    // MARK: - Contents

    func insert(_ content: [UInt8]) throws -> Int64 {
        try statement("INSERT INTO content VALUES (NULL, NULL, ?1, NULL)").bind(content).run()
        return lastRow
    }

    func deleteContent(_ body: Int64) throws {
        try statement("DELETE FROM content WHERE id = ?1").bind(body).run()
    }

    // MARK: - Finding

    func head(_ owner: OwnerAccount, _ number: Int64) throws -> StoredHead? {
        try statement("SELECT \(StoredHead.columns) FROM head WHERE owner = ?1 AND number = ?2")
            .bind(owner.id, number).first { StoredHead($0) }
    }

    /// The listed notification of that name.
    ///
    /// Others may have the same hash, so each content is compared.
    func head(_ installation: InstallationAccount, named identifier: String) throws -> StoredHead? {
        let opening = NotificationContent.opening(identifier)
        var found: StoredHead?
        try statement(
            """
            SELECT \(StoredHead.columns), plain FROM head INDEXED BY named JOIN content ON id = body
            WHERE installation = ?1 AND name = ?2
            """
        ).bind(installation.id, hash(identifier)).each { row in
            if row.bytes(11, { $0.starts(with: opening) }) { found = StoredHead(row) }
        }
        return found
    }

    func heads(_ installation: InstallationAccount, upTo number: Int64 = .max) throws -> [StoredHead] {
        var heads: [StoredHead] = []
        try statement("SELECT \(StoredHead.columns) FROM head INDEXED BY named WHERE installation = ?1")
            .bind(installation.id).each { heads.append(StoredHead($0)) }
        heads.removeAll { $0.head.number > number }
        heads.sort { $0.head.number < $1.head.number }
        return heads
    }

    func standing(_ owner: OwnerAccount, _ number: Int64) throws -> Standing {
        if try head(owner, number) != nil { return .listed }
        return try Standing.gone(number, of: owner.id) { try statement($0) }
    }

    // MARK: - Listing

    func insert(_ stored: StoredHead, of installation: InstallationAccount) throws {
        let owner = installation.owner
        try statement("INSERT INTO head VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")
            .bind(stored, of: owner.id).run()
        accounts.change(owner) { $0.stored += 1 }
        totals.stored += 1
        let count = accounts.change(installation) { values in
            values.stored += 1
            values.bytes += stored.byteCount
            return values.stored
        }
        if count > limits.perInstallation { crowded.insert(installation.id) }
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
        try statement("DELETE FROM head WHERE owner = ?1 AND number = ?2").bind(owner.id, stored.head.number).run()
        try statement("INSERT INTO gone VALUES (?1, ?2, ?3, ?4, ?5)")
            .bind(owner.id, number, stored.head.number, cause.rawValue, now).run()
        accounts.change(owner) { values in
            values.stored -= 1
            values.tombstones += 1
        }
        accounts.change(installation) { values in
            values.stored -= 1
            values.bytes -= stored.byteCount
        }
        totals.stored -= 1
        return Removal(target: stored.head.number, number: number)
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
        let number = number ?? self.number(of: installation.owner)
        let removal = try unlist(stored, of: installation, by: cause, as: number, at: now)
        try deleteContent(stored.body)
        count(-stored.byteCount, of: installation.owner)
        return removal
    }

    /// Closes a notification for a person: into the history, if there is one.
    ///
    /// Without a history the content is deleted, unless a response keeps it.
    func dismiss(
        _ stored: StoredHead,
        of installation: InstallationAccount,
        by cause: RemovalCause,
        keepsContent: Bool = false,
        at now: WallTime
    ) throws -> Removal {
        let owner = installation.owner
        let removal = try unlist(stored, of: installation, by: cause, as: number(of: owner), at: now)
        guard limits.history > .zero else {
            if !keepsContent { try deleteContent(stored.body) }
            count(-stored.byteCount, of: owner)
            return removal
        }
        var past = stored
        if cause == .response { past.head.presentation.flags.insert(.answered) }
        let insertion = try statement(
            "INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        ).bind(past, of: owner.id)
        insertion.bind(now, at: 13)
        try insertion.run()
        accounts.change(owner) { $0.past += 1 }
        return removal
    }

    /// Adds to the length of an owner's contents.
    func count(_ byteCount: Int64, of owner: OwnerAccount) {
        accounts.change(owner) { $0.bytes += byteCount }
        totals.bytes += byteCount
    }

    // MARK: - History

    func past(_ owner: OwnerAccount, _ number: Int64) throws -> StoredHead? {
        try statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 AND number = ?2")
            .bind(owner.id, number).first { StoredHead($0) }
    }

    /// Takes a row out of the history; its content stays where it is.
    func unlist(past stored: StoredHead, of owner: OwnerAccount) throws {
        try statement("DELETE FROM history WHERE owner = ?1 AND number = ?2").bind(owner.id, stored.head.number).run()
        accounts.change(owner) { $0.past -= 1 }
    }

    /// Removes a row of the history for good; a response that waits keeps the content.
    func remove(past stored: StoredHead, of owner: OwnerAccount) throws {
        try unlist(past: stored, of: owner)
        if try !hasResponse(stored) { try deleteContent(stored.body) }
        count(-stored.byteCount, of: owner)
        mustErase = true
    }

    func hasResponse(_ stored: StoredHead) throws -> Bool {
        try statement("SELECT 1 FROM response WHERE installation = ?1 AND number = ?2")
            .bind(stored.head.installation, stored.head.number).first { _ in true } ?? false
    }
}

extension Standing {
    /// The standing of a number that is not listed.
    static func gone(
        _ number: Int64,
        of owner: Int64,
        _ statement: (String) throws -> HotStatement
    ) throws -> Standing {
        try statement("SELECT number, by FROM gone INDEXED BY target WHERE owner = ?1 AND target = ?2")
            .bind(owner, number).first { row in
                RemovalCause(rawValue: row.integer(1)).map { .gone($0, by: row.integer(0)) } ?? .unknown
            } ?? .unknown
    }
}
