// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The rows of `history`.
extension HeadBook {
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
        let number = accounts.number(of: owner)
        let removal = try unlist(stored, of: installation, by: cause, as: number, at: now)
        guard limits.history > .zero else {
            if !keepsContent { try tables.deleteContent(stored.body) }
            accounts.change(owner) { $0.bytes -= stored.byteCount }
            return removal
        }
        var past = stored
        if cause == .response { past.head.presentation.flags.insert(.answered) }
        let insertion = try tables.statement(
            "INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?15, ?13, ?14)"
        ).bind(past, of: owner.id)
        insertion.bind(now, at: 15)
        try insertion.run()
        accounts.change(owner) { $0.past += 1 }
        return removal
    }

    func past(_ owner: OwnerAccount, _ number: Int64) throws -> StoredHead? {
        try tables.statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 AND number = ?2")
            .bind(owner.id, number).first { StoredHead($0) }
    }

    func oldestPast(of owner: OwnerAccount) throws -> StoredHead? {
        try tables.statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 ORDER BY number LIMIT 1")
            .bind(owner.id).first { StoredHead($0) }
    }

    func past(of installation: InstallationAccount) throws -> [StoredHead] {
        var past: [StoredHead] = []
        try tables.statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 AND installation = ?2")
            .bind(installation.owner.id, installation.id).each { past.append(StoredHead($0)) }
        return past
    }

    /// Returns what was closed before an instant, the earliest first, with the numbers of the owners.
    func past(closedBefore end: WallTime, atMost count: Int) throws -> [(owner: Int64, head: StoredHead)] {
        var ended: [(owner: Int64, head: StoredHead)] = []
        try tables.statement(
            "SELECT owner, \(StoredHead.columns) FROM history WHERE closed < ?1 ORDER BY closed LIMIT ?2"
        ).bind(end, count).each { row in ended.append((row.integer(0), StoredHead(row, from: 1))) }
        return ended
    }

    /// Removes a row of the history for good; a response that waits keeps the content.
    func remove(past stored: StoredHead, of owner: OwnerAccount) throws {
        try unlist(past: stored, of: owner)
        if try !hasResponse(stored) { try tables.deleteContent(stored.body) }
        accounts.change(owner) { $0.bytes -= stored.byteCount }
        tables.eraseSoon()
    }

    /// Takes a row out of the history; its content stays where it is.
    func unlist(past stored: StoredHead, of owner: OwnerAccount) throws {
        try tables.statement("DELETE FROM history WHERE owner = ?1 AND number = ?2")
            .bind(owner.id, stored.head.number).run()
        accounts.change(owner) { $0.past -= 1 }
    }

    func hasResponse(_ stored: StoredHead) throws -> Bool {
        try tables.statement("SELECT 1 FROM response WHERE installation = ?1 AND number = ?2")
            .bind(stored.head.installation, stored.head.number).first { _ in true } ?? false
    }
}
