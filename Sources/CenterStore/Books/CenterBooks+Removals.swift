// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// Removals, and new numbers for what is there.
extension CenterBooks {
    func remove(
        _ name: OwnerName,
        numbers: [Int64],
        by remover: CenterWork.Remover,
        at now: WallTime
    ) throws -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        return .removed(
            try numbers.compactMap { number in
                guard let stored = try heads.head(owner, number),
                    let installation = try accounts.installation(stored.head.installation)
                else { return nil }
                return try remove(stored, installation, by: remover, at: now)
            }
        )
    }

    func remove(_ key: InstallationKey, identifiers: [String], at now: WallTime) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        return .removed(
            try identifiers.compactMap { identifier in
                guard let stored = try heads.head(installation, named: identifier) else { return nil }
                return try remove(stored, installation, by: .app, at: now)
            }
        )
    }

    func removeAll(
        _ key: InstallationKey,
        upTo number: Int64?,
        by remover: CenterWork.Remover,
        at now: WallTime
    ) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        return .removed(
            try heads.heads(installation, upTo: number ?? .max).map { stored in
                try remove(stored, installation, by: remover, at: now)
            }
        )
    }

    private func remove(
        _ stored: StoredHead,
        _ installation: InstallationAccount,
        by remover: CenterWork.Remover,
        at now: WallTime
    ) throws -> Removal {
        tables.eraseSoon()
        switch remover {
        case .user: return try heads.dismiss(stored, of: installation, by: .user, at: now)
        case .app: return try heads.remove(stored, of: installation, by: .app, at: now)
        }
    }

    func renew(_ name: OwnerName, numbers: [Int64], flags: HeadFlags, at now: WallTime) throws -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        return .renewed(try numbers.compactMap { try heads.renew(owner, number: $0, flags: flags, at: now) })
    }

    func restore(_ name: OwnerName, number: Int64) throws -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        return try heads.restore(owner, number: number)
    }

    func forget(_ name: OwnerName, number: Int64) throws -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        guard let stored = try heads.past(owner, number) else {
            return .refused(.notThere(try heads.standing(owner, number)))
        }
        try heads.remove(past: stored, of: owner)
        return .done
    }

    func forgetAll(_ name: OwnerName, upTo number: Int64?) throws -> WorkResult {
        guard let owner = accounts.owner(name) else { return .refused(.unknownOwner) }
        while let stored = try heads.oldestPast(of: owner), stored.head.number <= number ?? .max {
            try heads.remove(past: stored, of: owner)
        }
        return .done
    }

    func unschedule(_ key: InstallationKey, identifiers: [String]?) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        return .unscheduled(try requests.unschedule(installation, identifiers: identifiers))
    }

    func dropSilent(_ key: InstallationKey, stored: WallTime) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        try tables.statement("DELETE FROM silent WHERE installation = ?1 AND stored = ?2")
            .bind(installation.id, stored).run()
        tables.eraseSoon()
        return .done
    }

    /// Removes an installation with all its rows.
    func remove(_ key: InstallationKey, at now: WallTime) throws -> WorkResult {
        guard let installation = try accounts.installation(key) else { return .refused(.unknownInstallation) }
        let removals = try heads.heads(installation).map { stored in
            try heads.remove(stored, of: installation, by: .user, at: now)
        }
        // Before the responses: those decide which contents they keep.
        for stored in try heads.past(of: installation) { try heads.remove(past: stored, of: installation.owner) }
        try responses.removeAll(of: installation)
        _ = try requests.unschedule(installation, identifiers: nil)
        var waiting: [Int64] = []
        try tables.statement("SELECT body FROM waiting WHERE installation = ?1").bind(installation.id)
            .each { waiting.append($0.integer(0)) }
        for body in waiting { try tables.deleteContent(body) }
        for table in ["waiting", "silent", "categories"] {
            try tables.statement("DELETE FROM \(table) WHERE installation = ?1").bind(installation.id).run()
        }
        // Its key goes with its row, whose place is overwritten.
        let end = try heads.noteEnd(of: installation, at: now)
        try accounts.remove(installation)
        tables.stored.seal?.forget(installation.id)
        tables.eraseSoon()
        // The host that gave it a device token may not be there; whichever comes next is asked.
        try tables.statement("INSERT OR REPLACE INTO facts VALUES (?1, x'')").bind(Fact.withdrawal(of: key)).run()
        return .uninstalled(removals, changed: end)
    }

    func settleWithdrawal(of key: InstallationKey) throws -> WorkResult {
        try tables.statement("DELETE FROM facts WHERE name = ?1").bind(Fact.withdrawal(of: key)).run()
        return .done
    }
}
