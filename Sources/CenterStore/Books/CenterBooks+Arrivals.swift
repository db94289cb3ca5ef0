// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The arrival of notifications, of requests for later and of answers.
extension CenterBooks {
    func arrive(_ arrival: NotificationArrival, at now: WallTime) throws -> WorkResult {
        if let badge = arrival.badge, !Self.badges.contains(badge) { return .refused(.badgeOutOfRange(badge)) }
        guard accounts.owner(arrival.installation.owner) != nil else { return .refused(.unknownOwner) }
        guard let installation = try accounts.installation(arrival.installation) else {
            return .refused(.unknownInstallation)
        }
        if let reason = try take(arrival.source, installation) { return reason }
        switch arrival.fate {
        case .listed(let content, let presentation):
            let (number, former) = try heads.list(content, presentation, arrival.date, installation, at: now)
            return .listed(number, replaces: former, badge: setBadge(arrival.badge, installation))
        case .waits(let content):
            let body = try tables.insert(content, of: installation).body
            try tables.statement("INSERT INTO waiting VALUES (NULL, ?1, ?2, ?3)")
                .bind(installation.id, body, arrival.date).run()
            return .waits(tables.lastRow)
        case .silent(let payload):
            let (plain, sealed) = try tables.columns(payload, as: .silent, of: installation.id)
            try tables.statement("INSERT OR REPLACE INTO silent VALUES (?1, ?2, ?3, ?4)")
                .bind(installation.id, plain ?? [], now, sealed).run()
            return .noted(badge: setBadge(arrival.badge, installation))
        case .unlisted:
            return .noted(badge: setBadge(arrival.badge, installation))
        }
    }

    /// Takes the arrival from where it comes; returns why there is nothing to take.
    private func take(
        _ source: NotificationArrival.Source,
        _ installation: InstallationAccount
    ) throws -> WorkResult? {
        switch source {
        case .record(let name):
            let isNew = try tables.statement("INSERT OR IGNORE INTO taken VALUES (?1, ?2)")
                .bind(Int64(name.journal), name.number).run()
            return isNew == 1 ? nil : .repeated
        case .waiting(let id):
            let body = try tables.statement("SELECT body FROM waiting WHERE id = ?1 AND installation = ?2")
                .bind(id, installation.id).first { $0.integer(0) }
            guard let body else { return .withdrawn }
            try tables.statement("DELETE FROM waiting WHERE id = ?1").bind(id).run()
            try tables.deleteContent(body)
            return nil
        case .pending(let id, let due, let next):
            return try requests.take(id, of: installation, due: due, next: next) ? nil : .withdrawn
        case .call:
            return nil
        }
    }

    func schedule(_ request: PendingRequest, limit: PendingLimit) throws -> WorkResult {
        guard accounts.owner(request.installation.owner) != nil else { return .refused(.unknownOwner) }
        guard let installation = try accounts.installation(request.installation) else {
            return .refused(.unknownInstallation)
        }
        return try requests.schedule(request, for: installation, limit: limit)
    }

    func respond(_ draft: ResponseDraft, at now: WallTime) throws -> WorkResult {
        guard let owner = accounts.owner(draft.owner) else { return .refused(.unknownOwner) }
        guard let stored = try heads.head(owner, draft.number),
            let installation = try accounts.installation(stored.head.installation)
        else { return .refused(.notThere(try heads.standing(owner, draft.number))) }
        let cause: RemovalCause =
            switch draft.closing {
            case .response: .response
            case .user: .user
            }
        let removal = try heads.dismiss(stored, of: installation, by: cause, keepsContent: true, at: now)
        return .answered(response: try responses.insert(draft, to: stored, at: now), removal)
    }
}
