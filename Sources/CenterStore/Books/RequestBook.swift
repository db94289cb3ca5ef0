// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The requests that wait for their triggers.
final class RequestBook: Book {
    /// A pending request's row, and that of its content.
    typealias Row = (id: Int64, body: Int64)

    var count: Int64 { pending.value }
    private let tables: BookTables
    private let limits: CenterLimits
    private var pending: Undoable<Int64>

    init(_ tables: BookTables, limits: CenterLimits) throws {
        self.tables = tables
        self.limits = limits
        pending = Undoable(try tables.statement("SELECT count(*) FROM pending").first { $0.integer(0) } ?? 0)
    }

    func committed() { pending.commit() }

    func rolledBack() { pending.rollBack() }

    func schedule(
        _ request: PendingRequest,
        for installation: InstallationAccount,
        limit: PendingLimit
    ) throws -> WorkResult {
        let former = try row(installation, named: request.content.identifier)
        guard former != nil || count < limits.pending else { return .refused(.tooManyPending(limit: limits.pending)) }
        if request.box != nil, try regions(of: installation, but: former) >= limits.regions {
            return .refused(.tooManyRegions(limit: limits.regions))
        }
        if let former { try delete(former) }
        try tables.statement("INSERT INTO pending VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)").bind(
            installation.id,
            tables.hash(request.content.identifier),
            request.date.due,
            request.clock.rawValue,
            request.repeats ? 1 : 0,
            request.date.anchor,
            request.rule,
            try tables.insert(request.content, of: installation).body
        ).run()
        // The content was inserted before it, and its files.
        let id = tables.lastRow
        pending.value += 1
        if let box = request.box {
            try tables.statement("INSERT INTO region VALUES (?1, ?2, ?3, 0)")
                .bind(id, installation.owner.id, box).run()
        }
        return .scheduled(id, replaces: former?.id, dropped: try drop(installation, beyond: limit))
    }

    /// The number of an app's requests with a region, but for the one that is to be replaced.
    private func regions(of installation: InstallationAccount, but former: Row?) throws -> Int {
        let count = try tables.statement(
            """
            SELECT count(*) FROM pending JOIN region ON region.pending = pending.id
            WHERE installation = ?1 AND pending.id IS NOT ?2
            """
        ).bind(installation.id, former?.id).first { $0.integer(0) }
        return Int(count ?? 0)
    }

    /// Notes the side of a region's border on which its owner is; a request that is not there any more has none.
    func note(region id: Int64, standing: Int64) throws {
        try tables.statement("UPDATE region SET state = ?2 WHERE pending = ?1").bind(id, standing).run()
    }

    /// Keeps the soonest requests of an app.
    private func drop(_ installation: InstallationAccount, beyond limit: PendingLimit) throws -> [DroppedRequest] {
        guard limit.count > 0 else { return [] }
        var dropped: [(row: Row, identifier: String?)] = []
        try tables.statement(
            """
            SELECT pending.id, body, \(StoredBytes.names) FROM pending JOIN content ON content.id = body
            WHERE installation = ?1
            ORDER BY due IS NULL, due + iif(clock = \(TriggerClock.boot.rawValue), ?2, 0), pending.id
            LIMIT -1 OFFSET ?3
            """
        ).bind(installation.id, limit.wallMinusBoot, limit.count).each { row in
            dropped.append(((row.integer(0), row.integer(1)), try tables.content(row, 2)?.identifier))
        }
        return try dropped.map { row, identifier in
            try delete(row)
            return DroppedRequest(id: row.id, identifier: identifier ?? "")
        }
    }

    /// Removes the requests of these identifiers, and returns their numbers; `nil` means all of the app.
    func unschedule(_ installation: InstallationAccount, identifiers: [String]?) throws -> [Int64] {
        let found =
            try identifiers.map { try $0.compactMap { try row(installation, named: $0) } }
            ?? rows(of: installation)
        var ids: [Int64] = []
        // An identifier may be named twice.
        for row in found where !ids.contains(row.id) {
            try delete(row)
            ids.append(row.id)
        }
        tables.eraseSoon()
        return ids
    }

    func redate(_ id: Int64, _ date: DueDate) throws {
        try tables.statement("UPDATE pending SET due = ?2, anchor = ?3 WHERE id = ?1").bind(id, date.due, date.anchor)
            .run()
    }

    /// Deletes a request that fires, or dates it anew; false means that it is not there, or has another date than
    /// `due`.
    func take(_ id: Int64, of installation: InstallationAccount, due: Int64?, next: DueDate?) throws -> Bool {
        let body = try tables.statement("SELECT body FROM pending WHERE id = ?1 AND installation = ?2 AND due IS ?3")
            .bind(id, installation.id, due).first { $0.integer(0) }
        guard let body else { return false }
        if let next { try redate(id, next) } else { try delete((id, body)) }
        return true
    }

    private func rows(of installation: InstallationAccount) throws -> [Row] {
        var rows: [Row] = []
        try tables.statement("SELECT id, body FROM pending WHERE installation = ?1 ORDER BY id").bind(installation.id)
            .each { rows.append(($0.integer(0), $0.integer(1))) }
        return rows
    }

    private func row(_ installation: InstallationAccount, named identifier: String) throws -> Row? {
        let opening = NotificationContent.opening(identifier)
        var found: Row?
        try tables.statement(
            """
            SELECT pending.id, body, \(StoredBytes.names) FROM pending INDEXED BY requested
            JOIN content ON content.id = body
            WHERE installation = ?1 AND name = ?2
            """
        ).bind(installation.id, tables.hash(identifier)).each { row in
            if try tables.isContent(row, 2, opening: opening) { found = (row.integer(0), row.integer(1)) }
        }
        return found
    }

    private func delete(_ row: Row) throws {
        try tables.statement("DELETE FROM pending WHERE id = ?1").bind(row.id).run()
        try tables.statement("DELETE FROM region WHERE pending = ?1").bind(row.id).run()
        try tables.deleteContent(row.body)
        pending.value -= 1
    }
}
