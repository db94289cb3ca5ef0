// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    /// The part of a response's row that decides what happens to it.
    struct ResponseRow {
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

    func respond(_ draft: ResponseDraft, at now: WallTime) throws -> WorkResult {
        guard let owner = accounts.owners[draft.owner] else { return .refused(.unknownOwner) }
        guard let stored = try head(owner, draft.number), let installation = try installation(stored.head.installation)
        else { return .refused(.notThere(try standing(owner, draft.number))) }
        let cause: RemovalCause =
            switch draft.closing {
            case .response: .response
            case .user: .user
            }
        let removal = try dismiss(stored, of: installation, by: cause, keepsContent: true, at: now)
        try statement("INSERT INTO response VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, 0, ?7)").bind(
            installation.id,
            draft.number,
            draft.action,
            draft.text,
            stored.body,
            ResponseState.stored.rawValue,
            now
        ).run()
        talkative.insert(installation.id)
        mustErase = true
        return .answered(response: lastRow, removal)
    }

    func step(_ id: Int64, _ step: ResponseStep) throws -> WorkResult {
        let row = try statement("SELECT \(ResponseRow.columns) FROM response WHERE id = ?1").bind(id)
            .first { ResponseRow($0) }
        guard let row else { return .stepped(.ignored) }
        let verdict = row.state.verdict(on: step, tries: row.tries)
        switch verdict {
        case .kept(let state, let tries):
            try statement("UPDATE response SET state = ?2, tries = ?3 WHERE id = ?1").bind(id, state.rawValue, tries)
                .run()
        case .completed, .expired: try deleteResponse(row)
        case .ignored: break
        }
        return .stepped(verdict)
    }

    func responses(of installation: InstallationAccount) throws -> [ResponseRow] {
        var rows: [ResponseRow] = []
        try statement("SELECT \(ResponseRow.columns) FROM response WHERE installation = ?1 ORDER BY id")
            .bind(installation.id).each { rows.append(ResponseRow($0)) }
        return rows
    }

    /// Deletes a response; the history keeps the content if it has the notification.
    func deleteResponse(_ row: ResponseRow) throws {
        try statement("DELETE FROM response WHERE id = ?1").bind(row.id).run()
        mustErase = true
        if let installation = try installation(row.installation), try past(installation.owner, row.number) != nil {
            return
        }
        try deleteContent(row.body)
    }
}
