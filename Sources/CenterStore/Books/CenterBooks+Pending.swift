// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    func schedule(_ request: PendingRequest, limit: PendingLimit) throws -> WorkResult {
        guard accounts.owners[request.installation.owner] != nil else { return .refused(.unknownOwner) }
        guard let installation = try installation(request.installation) else { return .refused(.unknownInstallation) }
        let former = try pending(installation, named: request.content.identifier)
        guard former != nil || totals.pending < limits.pending else {
            return .refused(.tooManyPending(limit: limits.pending))
        }
        if let former { try deletePending(former.id, body: former.body) }
        try statement("INSERT INTO pending VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)").bind(
            installation.id,
            hash(request.content.identifier),
            request.date.due,
            request.clock.rawValue,
            request.repeats ? 1 : 0,
            request.date.anchor,
            request.rule,
            try insert(request.content.stored)
        ).run()
        // The content was inserted before it.
        let id = lastRow
        totals.pending += 1
        return .scheduled(id, replaces: former?.id, dropped: try drop(installation, beyond: limit))
    }

    /// Keeps the soonest requests of an app.
    private func drop(_ installation: InstallationAccount, beyond limit: PendingLimit) throws -> [DroppedRequest] {
        guard limit.count > 0 else { return [] }
        var dropped: [(id: Int64, body: Int64, content: [UInt8])] = []
        try statement(
            """
            SELECT pending.id, body, plain FROM pending JOIN content ON content.id = body WHERE installation = ?1
            ORDER BY due IS NULL, due + iif(clock = \(TriggerClock.boot.rawValue), ?2, 0), pending.id
            LIMIT -1 OFFSET ?3
            """
        ).bind(installation.id, limit.wallMinusBoot, limit.count).each { row in
            dropped.append((row.integer(0), row.integer(1), row.blob(2)))
        }
        return try dropped.map { id, body, content in
            try deletePending(id, body: body)
            return DroppedRequest(id: id, identifier: NotificationContent(stored: content)?.identifier ?? "")
        }
    }

    func unschedule(_ key: InstallationKey, identifiers: [String]?) throws -> WorkResult {
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        let found =
            try identifiers.map { try $0.compactMap { try pending(installation, named: $0) } }
            ?? pending(of: installation)
        var ids: [Int64] = []
        // An identifier may be named twice.
        for (id, body) in found where !ids.contains(id) {
            try deletePending(id, body: body)
            ids.append(id)
        }
        mustErase = true
        return .unscheduled(ids)
    }

    func redate(_ id: Int64, _ date: DueDate) throws {
        try statement("UPDATE pending SET due = ?2, anchor = ?3 WHERE id = ?1").bind(id, date.due, date.anchor).run()
    }

    func pending(of installation: InstallationAccount) throws -> [(id: Int64, body: Int64)] {
        var rows: [(id: Int64, body: Int64)] = []
        try statement("SELECT id, body FROM pending WHERE installation = ?1 ORDER BY id").bind(installation.id)
            .each { rows.append(($0.integer(0), $0.integer(1))) }
        return rows
    }

    private func pending(
        _ installation: InstallationAccount,
        named identifier: String
    ) throws -> (id: Int64, body: Int64)? {
        let opening = NotificationContent.opening(identifier)
        var found: (id: Int64, body: Int64)?
        try statement(
            """
            SELECT pending.id, body, plain FROM pending INDEXED BY requested JOIN content ON content.id = body
            WHERE installation = ?1 AND name = ?2
            """
        ).bind(installation.id, hash(identifier)).each { row in
            if row.bytes(2, { $0.starts(with: opening) }) { found = (row.integer(0), row.integer(1)) }
        }
        return found
    }

    func deletePending(_ id: Int64, body: Int64) throws {
        try statement("DELETE FROM pending WHERE id = ?1").bind(id).run()
        try statement("DELETE FROM region WHERE pending = ?1").bind(id).run()
        try deleteContent(body)
        totals.pending -= 1
    }
}
