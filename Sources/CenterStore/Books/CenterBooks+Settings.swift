// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    func seen(_ name: OwnerName, number: Int64) -> WorkResult {
        guard let owner = accounts.owners[name] else { return .refused(.unknownOwner) }
        let mark = min(number, owner.values.next - 1)
        guard mark > owner.values.seen else { return .unchanged }
        return .changed(changed(owner) { $0.seen = mark })
    }

    func setOwner(_ name: OwnerName, _ preferences: OwnerPreferences) throws -> WorkResult {
        if let known = accounts.owners[name], known.values.preferences == preferences { return .unchanged }
        let owner = try accounts.owners[name] ?? make(name)
        return .changed(changed(owner) { $0.preferences = preferences })
    }

    func setPermission(_ key: InstallationKey, _ permission: Permission) throws -> WorkResult {
        guard let owner = accounts.owners[key.owner] else { return .refused(.unknownOwner) }
        if let known = try installation(key), known.values.permission == permission { return .unchanged }
        guard let installation = try installation(key) ?? make(key, of: owner) else {
            return .refused(.tooManyInstallations(limit: limits.installations))
        }
        return .changed(changed(installation) { $0.permission = permission })
    }

    func setBadge(_ key: InstallationKey, _ badge: Int) throws -> WorkResult {
        guard Self.badges.contains(badge) else { return .refused(.badgeOutOfRange(badge)) }
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        return setBadge(badge, installation).map { .changed($0) } ?? .unchanged
    }

    func setCategories(_ key: InstallationKey, _ categories: [UInt8]) throws -> WorkResult {
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        let isSame = try statement("SELECT 1 FROM categories WHERE installation = ?1 AND value = ?2")
            .bind(installation.id, categories).first { _ in true }
        guard isSame == nil else { return .unchanged }
        try statement("INSERT OR REPLACE INTO categories VALUES (?1, ?2)").bind(installation.id, categories).run()
        return .changed(changed(installation) { _ in })
    }

    func dropSilent(_ key: InstallationKey, stored: WallTime) throws -> WorkResult {
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        try statement("DELETE FROM silent WHERE installation = ?1 AND stored = ?2").bind(installation.id, stored).run()
        mustErase = true
        return .done
    }
}
