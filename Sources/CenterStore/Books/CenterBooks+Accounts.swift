// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

extension CenterBooks {
    /// Reads all owners: at most some ten thousand rows.
    func readOwners() throws {
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
            let owner = OwnerAccount(id: row.integer(0), name: OwnerName(stored: row.text(1)), values: values)
            accounts.insert(owner, isNew: false)
            totals.stored += values.stored
            totals.bytes += values.bytes
        }
    }

    /// The installation of a key; `nil` means that there is none.
    func installation(_ key: InstallationKey) throws -> InstallationAccount? {
        if let known = accounts.installations[key] { return known }
        guard let owner = accounts.owners[key.owner], let app = try app(key.app) else { return nil }
        return try statement(
            """
            SELECT id, status, options, settings, badge, token, changed, stored, bytes FROM installation
            WHERE owner = ?1 AND app = ?2
            """
        ).bind(owner.id, app).first { row in
            let account = InstallationAccount(id: row.integer(0), key: key, owner: owner, values: .init(row, from: 1))
            accounts.insert(account)
            return account
        }
    }

    /// The installation of a number; `nil` means that there is none.
    func installation(_ id: Int64) throws -> InstallationAccount? {
        if let known = accounts.installationsByID[id] { return known }
        let found = try statement(
            """
            SELECT owner, topic, status, options, settings, badge, token, changed, stored, bytes
            FROM installation JOIN app ON app.id = app WHERE installation.id = ?1
            """
        ).bind(id).first { row in
            (owner: row.integer(0), topic: row.text(1), values: InstallationValues(row, from: 2))
        }
        guard let found, let owner = accounts.ownersByID[found.owner] else { return nil }
        let key = InstallationKey(owner: owner.name, stored: found.topic)
        let account = InstallationAccount(id: id, key: key, owner: owner, values: found.values)
        accounts.insert(account)
        return account
    }

    /// The number of a topic; `nil` means that no installation ever had it.
    private func app(_ topic: String) throws -> Int64? {
        if let known = apps[topic] { return known }
        let found = try statement("SELECT id FROM app WHERE topic = ?1").bind(topic).first { $0.integer(0) }
        if let found { apps[topic] = found }
        return found
    }

    // MARK: - New ones

    func make(_ name: OwnerName) throws -> OwnerAccount {
        let values = OwnerValues()
        try statement("INSERT INTO owner VALUES (NULL, ?1, ?2, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0)")
            .bind(name.text, values.next).run()
        let owner = OwnerAccount(id: lastRow, name: name, values: values)
        accounts.insert(owner, isNew: true)
        return owner
    }

    /// `nil` means that the owner has as many installations as may be.
    func make(_ key: InstallationKey, of owner: OwnerAccount) throws -> InstallationAccount? {
        let count = try statement("SELECT count(*) FROM installation WHERE owner = ?1").bind(owner.id)
            .first { $0.integer(0) }
        guard (count ?? 0) < limits.installations else { return nil }
        if try app(key.app) == nil {
            try statement("INSERT INTO app VALUES (NULL, ?1)").bind(key.app).run()
            apps[key.app] = lastRow
        }
        try statement("INSERT INTO installation VALUES (NULL, ?1, ?2, 0, 0, x'', 0, NULL, NULL, 0, 0, 0)")
            .bind(owner.id, apps[key.app]).run()
        let account = InstallationAccount(id: lastRow, key: key, owner: owner, values: InstallationValues())
        accounts.insert(account)
        return account
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
