// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The settings of people and of apps.
extension CenterBooks {
    static let badges = 0...Int(Int32.max)

    func seen(_ name: OwnerName, number: Int64) -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        let mark = min(number, owner.values.next - 1)
        guard mark > owner.values.seen else { return .unchanged }
        return .changed(accounts.noteChange(of: owner) { $0.seen = mark })
    }

    func setOwner(_ name: OwnerName, _ preferences: OwnerPreferences) throws -> WorkResult {
        if let known = accounts.owner(name), known.values.preferences == preferences { return .unchanged }
        let owner = try accounts.owner(name) ?? accounts.make(name)
        return .changed(accounts.noteChange(of: owner) { $0.preferences = preferences })
    }

    func setPermission(_ key: InstallationKey, _ permission: Permission) throws -> WorkResult {
        guard let owner = accounts.owner(key.owner) else { return .refused(.unknownOwner) }
        let known = try accounts.installation(key)
        if let known, known.values.permission == permission { return .unchanged }
        guard let installation = try known ?? accounts.make(key, of: owner) else {
            return .refused(.tooManyInstallations(limit: limits.installations))
        }
        return .changed(accounts.noteChange(of: installation) { $0.permission = permission })
    }

    func setBadge(_ key: InstallationKey, _ badge: Int) throws -> WorkResult {
        guard Self.badges.contains(badge) else { return .refused(.badgeOutOfRange(badge)) }
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        return setBadge(badge, installation).map { .changed($0) } ?? .unchanged
    }

    /// Sets the badge, if it is another one; returns the number of the change.
    func setBadge(_ badge: Int?, _ installation: InstallationAccount) -> Int64? {
        guard let badge, badge != installation.values.badge else { return nil }
        return accounts.noteChange(of: installation) { $0.badge = badge }
    }

    func setCategories(_ key: InstallationKey, _ categories: [UInt8]) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        let isSame = try tables.statement("SELECT 1 FROM categories WHERE installation = ?1 AND value = ?2")
            .bind(installation.id, categories).first { _ in true }
        guard isSame == nil else { return .unchanged }
        try tables.statement("INSERT OR REPLACE INTO categories VALUES (?1, ?2)").bind(installation.id, categories)
            .run()
        return .changed(accounts.noteChange(of: installation))
    }
}
