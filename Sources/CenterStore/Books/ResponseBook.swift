// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The answers of people, from the one who answers until the app has them.
final class ResponseBook: Book {
    private let tables: BookTables
    private let accounts: AccountBook
    private let heads: HeadBook
    private let limits: CenterLimits
    /// Installations that may have more responses than they should.
    private var talk: Undoable<Set<Int64>>

    init(_ heads: HeadBook) throws {
        (tables, accounts, limits) = (heads.tables, heads.accounts, heads.limits)
        self.heads = heads
        var talkative: Set<Int64> = []
        try tables.statement("SELECT installation FROM response GROUP BY installation HAVING count(*) > ?1")
            .bind(limits.responses).each { row in talkative.insert(row.integer(0)) }
        talk = Undoable(talkative)
    }

    func committed() { talk.commit() }

    func rolledBack() { talk.rollBack() }

    /// Stores a response to a notification that has left the list; returns its number.
    func insert(_ draft: ResponseDraft, to stored: StoredHead, at now: WallTime) throws -> Int64 {
        let text = try draft.text.map {
            try tables.columns(Array($0.utf8), as: .text, of: stored.head.installation)
        }
        try tables.statement("INSERT INTO response VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8)").bind(
            stored.head.installation,
            draft.number,
            draft.action,
            text?.sealed == nil ? draft.text : nil,
            stored.body,
            ResponseState.stored.rawValue,
            now,
            text?.sealed
        ).run()
        talk.value.insert(stored.head.installation)
        tables.eraseSoon()
        return tables.lastRow
    }

    func step(_ id: Int64, _ step: ResponseStep) throws -> ResponseVerdict {
        let row = try tables.statement("SELECT \(Row.columns) FROM response WHERE id = ?1").bind(id).first { Row($0) }
        guard let row else { return .ignored }
        let verdict = row.state.verdict(on: step, tries: row.tries)
        switch verdict {
        case .kept(let state, let tries):
            try tables.statement("UPDATE response SET state = ?2, tries = ?3 WHERE id = ?1")
                .bind(id, state.rawValue, tries).run()
        case .completed, .expired: try delete(row)
        case .ignored: break
        }
        return verdict
    }

    /// Deletes all responses of an installation.
    func removeAll(of installation: InstallationAccount) throws {
        for row in try rows(of: installation) { try delete(row) }
    }

    /// Gives up what was stored before an instant, and the oldest of installations that have too many.
    func expire(storedBefore end: WallTime, _ slice: inout RetentionSlice) throws -> [ExpiredResponse] {
        var expired: [ExpiredResponse] = []
        var late: [Row] = []
        try tables.statement("SELECT \(Row.columns) FROM response WHERE stored < ?1 ORDER BY stored, id LIMIT ?2")
            .bind(end, slice.left).each { late.append(Row($0)) }
        for row in late where slice.take() { try expire(row, &expired) }
        for id in talk.value.sorted() {
            if let installation = try accounts.installation(id) {
                let rows = try rows(of: installation)
                for row in rows.prefix(max(0, rows.count - limits.responses)) {
                    guard slice.take() else { return expired }
                    try expire(row, &expired)
                }
            }
            talk.value.remove(id)
        }
        return expired
    }

    private func expire(_ row: Row, _ expired: inout [ExpiredResponse]) throws {
        if let installation = try accounts.installation(row.installation) {
            expired.append(ExpiredResponse(id: row.id, installation: installation.key, number: row.number))
        }
        try delete(row)
    }

    private func rows(of installation: InstallationAccount) throws -> [Row] {
        var rows: [Row] = []
        try tables.statement("SELECT \(Row.columns) FROM response WHERE installation = ?1 ORDER BY id")
            .bind(installation.id).each { rows.append(Row($0)) }
        return rows
    }

    /// Deletes a response; the history keeps the content if it has the notification.
    private func delete(_ row: Row) throws {
        try tables.statement("DELETE FROM response WHERE id = ?1").bind(row.id).run()
        tables.eraseSoon()
        if let installation = try accounts.installation(row.installation),
            try heads.past(installation.owner, row.number) != nil
        {
            return
        }
        try tables.deleteContent(row.body)
    }

    /// The part of a response's row that decides what happens to it.
    private struct Row {
        static let columns = "id, installation, number, body, state, tries"

        let id: Int64
        let installation: Int64
        let number: Int64
        let body: Int64
        let state: ResponseState
        let tries: Int

        init(_ row: borrowing HotRow) {
            (id, installation, number) = (row.integer(0), row.integer(1), row.integer(2))
            body = row.integer(3)
            // A value that nobody wrote: the response is handed over anew.
            state = ResponseState(rawValue: row.integer(4)) ?? .stored
            tries = Int(row.integer(5))
        }
    }
}
