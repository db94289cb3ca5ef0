// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The rows of `owner` and `installation`.
extension BookTables {
    func eachOwner(_ body: (OwnerAccount) -> Void) throws {
        try statement(
            """
            SELECT id, name, next, floor, seen, language, zone, focus, summary, changed, stored, past, tombstones, bytes
            FROM owner
            """
        ).each { row in
            var values = OwnerValues()
            (values.next, values.floor, values.seen) = (row.integer(2), row.integer(3), row.integer(4))
            values.preferences = OwnerPreferences(row, from: 5)
            (values.changed, values.stored, values.past) = (row.integer(9), row.integer(10), row.integer(11))
            (values.tombstones, values.bytes) = (row.integer(12), row.integer(13))
            body(OwnerAccount(id: row.integer(0), name: OwnerName(stored: row.text(1)), values: values))
        }
    }

    func installation(_ key: InstallationKey, of owner: OwnerAccount, app: Int64) throws -> InstallationAccount? {
        try statement(
            """
            SELECT id, status, options, settings, badge, token, changed, stored, bytes FROM installation
            WHERE owner = ?1 AND app = ?2
            """
        ).bind(owner.id, app).first { row in
            InstallationAccount(id: row.integer(0), key: key, owner: owner, values: .init(row, from: 1))
        }
    }

    func installation(_ id: Int64, owner: (Int64) -> OwnerAccount?) throws -> InstallationAccount? {
        let found = try statement(
            """
            SELECT owner, topic, status, options, settings, badge, token, changed, stored, bytes
            FROM installation JOIN app ON app.id = app WHERE installation.id = ?1
            """
        ).bind(id).first { row in
            (owner: row.integer(0), topic: row.text(1), values: InstallationValues(row, from: 2))
        }
        guard let found, let owner = owner(found.owner) else { return nil }
        let key = InstallationKey(owner: owner.name, stored: found.topic)
        return InstallationAccount(id: id, key: key, owner: owner, values: found.values)
    }

    /// Returns the number of the new row.
    func insert(_ name: OwnerName, _ values: OwnerValues) throws -> Int64 {
        try statement("INSERT INTO owner VALUES (NULL, ?1, ?2, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0)")
            .bind(name.text, values.next).run()
        return lastRow
    }

    func save(_ owner: OwnerAccount) throws {
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

    func save(_ installation: InstallationAccount) throws {
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

extension OwnerPreferences {
    /// Reads language, zone, focus and summary.
    init(_ row: borrowing HotRow, from index: CInt) {
        language = row.isNull(index) ? nil : row.text(index)
        zone = row.isNull(index + 1) ? nil : row.text(index + 1)
        focus = row.isNull(index + 2) ? nil : row.blob(index + 2)
        summary = row.isNull(index + 3) ? nil : row.blob(index + 3)
    }
}

extension InstallationValues {
    /// Reads status, options, settings, badge, token, changed, stored and bytes.
    init(_ row: borrowing HotRow, from index: CInt) {
        permission.status = Int(row.integer(index))
        permission.options = Int(row.integer(index + 1))
        permission.settings = row.blob(index + 2)
        badge = Int(row.integer(index + 3))
        permission.token = row.isNull(index + 4) ? nil : row.text(index + 4)
        (changed, stored, bytes) = (row.integer(index + 5), row.integer(index + 6), row.integer(index + 7))
    }
}

extension HotRow {
    func blob(_ index: CInt) -> [UInt8] { bytes(index) { Array($0) } }

    func optionalInteger(_ index: CInt) -> Int64? { isNull(index) ? nil : integer(index) }
}
