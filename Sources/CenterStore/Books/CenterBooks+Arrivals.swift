// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

extension CenterBooks {
    func arrive(_ arrival: NotificationArrival, at now: WallTime) throws -> WorkResult {
        if let badge = arrival.badge, !Self.badges.contains(badge) { return .refused(.badgeOutOfRange(badge)) }
        guard accounts.owners[arrival.installation.owner] != nil else { return .refused(.unknownOwner) }
        guard let installation = try installation(arrival.installation) else { return .refused(.unknownInstallation) }
        if let reason = try take(arrival.source, installation) { return reason }
        switch arrival.fate {
        case .listed(let content, let presentation):
            let (number, former) = try list(content, presentation, arrival.date, installation, at: now)
            return .listed(number, replaces: former, badge: setBadge(arrival.badge, installation))
        case .waits(let content):
            let body = try insert(content.stored)
            try statement("INSERT INTO waiting VALUES (NULL, ?1, ?2, ?3)").bind(installation.id, body, now).run()
            return .waits(lastRow)
        case .silent(let payload):
            try statement("INSERT OR REPLACE INTO silent VALUES (?1, ?2, ?3)").bind(installation.id, payload, now).run()
            return .noted(badge: setBadge(arrival.badge, installation))
        case .unlisted:
            return .noted(badge: setBadge(arrival.badge, installation))
        }
    }

    static let badges = 0...Int(Int32.max)

    /// Takes the arrival from where it comes; returns why there is nothing to take.
    private func take(
        _ source: NotificationArrival.Source,
        _ installation: InstallationAccount
    ) throws -> WorkResult? {
        switch source {
        case .record(let name):
            let isNew = try statement("INSERT OR IGNORE INTO taken VALUES (?1, ?2)")
                .bind(Int64(name.journal), name.number).run()
            return isNew == 1 ? nil : .repeated
        case .waiting(let id):
            let body = try statement("SELECT body FROM waiting WHERE id = ?1 AND installation = ?2")
                .bind(id, installation.id).first { $0.integer(0) }
            guard let body else { return .withdrawn }
            try statement("DELETE FROM waiting WHERE id = ?1").bind(id).run()
            try deleteContent(body)
            return nil
        case .pending(let id, let next):
            let body = try statement("SELECT body FROM pending WHERE id = ?1 AND installation = ?2")
                .bind(id, installation.id).first { $0.integer(0) }
            guard let body else { return .withdrawn }
            if let next { try redate(id, next) } else { try deletePending(id, body: body) }
            return nil
        case .call:
            return nil
        }
    }

    /// Puts a notification on top of the list, in the place of the app's former one of the same name.
    ///
    /// The former one's removal has the number of the new one, so that a watcher gets both in one event.
    private func list(
        _ content: NotificationContent,
        _ presentation: Presentation,
        _ date: WallTime,
        _ installation: InstallationAccount,
        at now: WallTime
    ) throws -> (number: Int64, former: Int64?) {
        let number = number(of: installation.owner)
        let former = try head(installation, named: content.identifier)
        if let former { try remove(former, of: installation, by: .update, as: number, at: now) }
        let bytes = content.stored
        let head = Head(
            number: number,
            installation: installation.id,
            thread: content.thread.map { hash($0) },
            date: date,
            presentation: presentation
        )
        let name = hash(content.identifier)
        let stored = StoredHead(head: head, name: name, body: try insert(bytes), byteCount: Int64(bytes.count))
        try insert(stored, of: installation)
        count(stored.byteCount, of: installation.owner)
        return (number, former?.head.number)
    }

    /// Sets the badge, if it is another one; returns the number of the change.
    func setBadge(_ badge: Int?, _ installation: InstallationAccount) -> Int64? {
        guard let badge, badge != installation.values.badge else { return nil }
        return changed(installation) { $0.badge = badge }
    }

    /// Changes what watchers see of an installation.
    func changed(_ installation: InstallationAccount, _ body: (inout InstallationValues) -> Void) -> Int64 {
        let number = number(of: installation.owner)
        accounts.change(installation) { values in
            body(&values)
            values.changed = number
        }
        return number
    }
}
