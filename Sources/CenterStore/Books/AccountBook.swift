// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The owners and their installations: their rows, their sums, and the numbers that an owner gives out.
final class AccountBook: Book {
    /// The sums over all owners.
    struct Totals: Equatable {
        var stored: Int64 = 0
        var bytes: Int64 = 0
    }

    var totals: Totals { sums.value }
    private let tables: BookTables
    private let limits: CenterLimits
    private var accounts = Accounts()
    private var sums = Undoable(Totals())
    /// Numbers of topics in the table `app`.
    private var apps: [String: Int64] = [:]

    /// Reads all owners: at most some ten thousand rows.
    init(_ tables: BookTables, limits: CenterLimits) throws {
        self.tables = tables
        self.limits = limits
        try tables.eachOwner { owner in
            accounts.insert(owner, isNew: false)
            sums.value.stored += owner.values.stored
            sums.value.bytes += owner.values.bytes
        }
        sums.commit()
    }

    // MARK: - Finding

    var owners: some Collection<OwnerAccount> { accounts.owners.values }

    func owner(_ name: OwnerName) -> OwnerAccount? { accounts.owners[name] }

    func owner(_ id: Int64) -> OwnerAccount? { accounts.ownersByID[id] }

    /// The installation of a key; `nil` means that there is none.
    func installation(_ key: InstallationKey) throws -> InstallationAccount? {
        if let known = accounts.installations[key] { return known }
        guard let owner = owner(key.owner), let app = try app(key.app) else { return nil }
        guard let account = try tables.installation(key, of: owner, app: app) else { return nil }
        accounts.insert(account)
        return account
    }

    /// The installation of a number; `nil` means that there is none.
    func installation(_ id: Int64) throws -> InstallationAccount? {
        if let known = accounts.installationsByID[id] { return known }
        guard let account = try tables.installation(id, owner: { owner($0) }) else { return nil }
        accounts.insert(account)
        return account
    }

    /// The installations of an owner, in the order in which they were made.
    func installations(of owner: OwnerAccount) throws -> [InstallationAccount] {
        var ids: [Int64] = []
        // The transaction may have changed what is in memory and not yet in the table.
        try tables.statement("SELECT id FROM installation WHERE owner = ?1 ORDER BY id").bind(owner.id)
            .each { ids.append($0.integer(0)) }
        return try ids.compactMap { try installation($0) }
    }

    /// The number of a topic; `nil` means that no installation ever had it.
    private func app(_ topic: String) throws -> Int64? {
        if let known = apps[topic] { return known }
        let found = try tables.statement("SELECT id FROM app WHERE topic = ?1").bind(topic).first { $0.integer(0) }
        if let found { apps[topic] = found }
        return found
    }

    // MARK: - Making and removing

    func make(_ name: OwnerName) throws -> OwnerAccount {
        let values = OwnerValues()
        let owner = OwnerAccount(id: try tables.insert(name, values), name: name, values: values)
        accounts.insert(owner, isNew: true)
        return owner
    }

    /// Makes an installation; `nil` means that the owner has as many as may be.
    func make(_ key: InstallationKey, of owner: OwnerAccount) throws -> InstallationAccount? {
        let count = try tables.statement("SELECT count(*) FROM installation WHERE owner = ?1").bind(owner.id)
            .first { $0.integer(0) }
        guard (count ?? 0) < limits.installations else { return nil }
        if try app(key.app) == nil {
            try tables.statement("INSERT INTO app VALUES (NULL, ?1)").bind(key.app).run()
            apps[key.app] = tables.lastRow
        }
        try tables.statement("INSERT INTO installation VALUES (NULL, ?1, ?2, 0, 0, x'', 0, NULL, NULL, 0, 0, 0)")
            .bind(owner.id, apps[key.app]).run()
        let account = InstallationAccount(id: tables.lastRow, key: key, owner: owner, values: InstallationValues())
        accounts.insert(account)
        return account
    }

    /// Removes an installation's own row.
    func remove(_ installation: InstallationAccount) throws {
        try tables.statement("DELETE FROM installation WHERE id = ?1").bind(installation.id).run()
        accounts.remove(installation)
    }

    // MARK: - Changing

    /// Takes a number of the owner's series, which nobody else gets.
    func number(of owner: OwnerAccount) -> Int64 {
        change(owner) { values in
            defer { values.next += 1 }
            return values.next
        }
    }

    /// Changes an owner's values, and the sums over all owners with them.
    @discardableResult
    func change<Result>(_ owner: OwnerAccount, _ body: (inout OwnerValues) -> Result) -> Result {
        let (stored, bytes) = (owner.values.stored, owner.values.bytes)
        let result = accounts.change(owner, body)
        sums.value.stored += owner.values.stored - stored
        sums.value.bytes += owner.values.bytes - bytes
        return result
    }

    @discardableResult
    func change<Result>(
        _ installation: InstallationAccount,
        _ body: (inout InstallationValues) -> Result
    ) -> Result {
        accounts.change(installation, body)
    }

    /// Changes what watchers see of an owner, under a number of its own, and returns that.
    func noteChange(of owner: OwnerAccount, _ body: (inout OwnerValues) -> Void = { _ in }) -> Int64 {
        let number = number(of: owner)
        change(owner) { values in
            body(&values)
            values.changed = number
        }
        return number
    }

    /// Changes what watchers see of an installation, under a number of its owner, and returns that.
    func noteChange(
        of installation: InstallationAccount,
        _ body: (inout InstallationValues) -> Void = { _ in }
    ) -> Int64 {
        let number = number(of: installation.owner)
        change(installation) { values in
            body(&values)
            values.changed = number
        }
        return number
    }

    // MARK: - The end of a transaction

    /// Writes the rows of the owners and installations that the transaction has changed.
    func save() throws {
        for owner in accounts.openOwners where owner.values != owner.saved { try tables.save(owner) }
        for installation in accounts.openInstallations where installation.values != installation.saved {
            try tables.save(installation)
        }
    }

    func committed() {
        accounts.committed()
        sums.commit()
    }

    func rolledBack() {
        accounts.rolledBack()
        sums.rollBack()
        apps = [:]
    }
}
