// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    func remove(
        _ name: OwnerName,
        numbers: [Int64],
        by remover: CenterWork.Remover,
        at now: WallTime
    ) throws -> WorkResult {
        guard let owner = accounts.owners[name] else { return .refused(.unknownOwner) }
        return .removed(
            try numbers.compactMap { number in
                guard let stored = try head(owner, number),
                    let installation = try installation(stored.head.installation)
                else { return nil }
                return try remove(stored, installation, by: remover, at: now)
            }
        )
    }

    func remove(_ key: InstallationKey, identifiers: [String], at now: WallTime) throws -> WorkResult {
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        return .removed(
            try identifiers.compactMap { identifier in
                guard let stored = try head(installation, named: identifier) else { return nil }
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
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        return .removed(
            try heads(installation, upTo: number ?? .max).map { stored in
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
        mustErase = true
        switch remover {
        case .user: return try dismiss(stored, of: installation, by: .user, at: now)
        case .app: return try remove(stored, of: installation, by: .app, at: now)
        }
    }

    // MARK: - New numbers

    func renew(_ name: OwnerName, numbers: [Int64], flags: HeadFlags, at now: WallTime) throws -> WorkResult {
        guard let owner = accounts.owners[name] else { return .refused(.unknownOwner) }
        return .renewed(
            try numbers.compactMap { former in
                guard var stored = try head(owner, former),
                    let installation = try installation(stored.head.installation)
                else { return nil }
                let number = number(of: owner)
                _ = try unlist(stored, of: installation, by: .update, as: number, at: now)
                stored.head.number = number
                stored.head.presentation.flags = flags
                try insert(stored, of: installation)
                return Renewal(former: former, number: number)
            }
        )
    }

    func restore(_ name: OwnerName, number former: Int64, at now: WallTime) throws -> WorkResult {
        guard let owner = accounts.owners[name] else { return .refused(.unknownOwner) }
        guard var stored = try past(owner, former), let installation = try installation(stored.head.installation)
        else { return .refused(.notThere(try standing(owner, former))) }
        if let newer = try head(installation, sharing: stored) { return .refused(.replaced(by: newer)) }
        try unlist(past: stored, of: owner)
        // The response keeps the content that was answered, and what is restored has one of its own.
        if try hasResponse(stored) {
            try statement("INSERT INTO content SELECT NULL, key, plain, sealed FROM content WHERE id = ?1")
                .bind(stored.body).run()
            stored.body = lastRow
        }
        stored.head.number = number(of: owner)
        stored.head.presentation.flags.remove(.banner)
        stored.head.presentation.until = nil
        try insert(stored, of: installation)
        return .renewed([Renewal(former: former, number: stored.head.number)])
    }

    /// The number of the listed notification that has the name of one in the history.
    private func head(_ installation: InstallationAccount, sharing past: StoredHead) throws -> Int64? {
        let bytes = try statement("SELECT plain FROM content WHERE id = ?1").bind(past.body).first { $0.blob(0) }
        guard let bytes, let content = NotificationContent(stored: bytes) else { return nil }
        return try head(installation, named: content.identifier)?.head.number
    }

    // MARK: - Installations

    func remove(_ key: InstallationKey, at now: WallTime) throws -> WorkResult {
        guard let installation = try installation(key) else { return .refused(.unknownInstallation) }
        let owner = installation.owner
        let removals = try heads(installation).map { try remove($0, of: installation, by: .user, at: now) }
        var past: [StoredHead] = []
        try statement("SELECT \(StoredHead.columns) FROM history WHERE owner = ?1 AND installation = ?2")
            .bind(owner.id, installation.id).each { past.append(StoredHead($0)) }
        // Before the responses: those decide which contents they keep.
        for stored in past { try remove(past: stored, of: owner) }
        for response in try responses(of: installation) { try deleteResponse(response) }
        for (id, body) in try pending(of: installation) { try deletePending(id, body: body) }
        try statement("DELETE FROM content WHERE id IN (SELECT body FROM waiting WHERE installation = ?1)")
            .bind(installation.id).run()
        for table in ["waiting", "silent", "categories"] {
            try statement("DELETE FROM \(table) WHERE installation = ?1").bind(installation.id).run()
        }
        try statement("DELETE FROM installation WHERE id = ?1").bind(installation.id).run()
        accounts.remove(installation)
        mustErase = true
        return .uninstalled(removals, changed: changed(owner) { _ in })
    }

    /// Changes what watchers see of an owner.
    func changed(_ owner: OwnerAccount, _ body: (inout OwnerValues) -> Void) -> Int64 {
        let number = number(of: owner)
        accounts.change(owner) { values in
            body(&values)
            values.changed = number
        }
        return number
    }
}
