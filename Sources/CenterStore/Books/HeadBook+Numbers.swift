// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The ways of a notification to the top of the list, under a new number.
extension HeadBook {
    /// Lists a notification in the place of the app's former one of the same name.
    ///
    /// The former one's removal has the number of the new one, so that a watcher gets both in one event.
    func list(
        _ content: NotificationContent,
        _ presentation: Presentation,
        _ date: WallTime,
        _ installation: InstallationAccount,
        at now: WallTime
    ) throws -> (number: Int64, former: Int64?) {
        let number = accounts.number(of: installation.owner)
        let former = try head(installation, named: content.identifier)
        if let former { try remove(former, of: installation, by: .update, as: number, at: now) }
        let head = Head(
            number: number,
            installation: installation.id,
            thread: content.thread.map { tables.hash($0) },
            date: date,
            presentation: presentation
        )
        let name = tables.hash(content.identifier)
        let (body, byteCount) = try tables.insert(content, of: installation)
        // In a sealed store no word lies beside the head.
        let words = tables.stored.seal == nil ? content.words : SummaryWords()
        let stored = StoredHead(head: head, name: name, body: body, byteCount: byteCount, words: words)
        try insert(stored, of: installation)
        accounts.change(installation.owner) { $0.bytes += stored.byteCount }
        return (number, former?.head.number)
    }

    /// Gives a listed notification a new number and these flags; `nil` means that it is not listed.
    func renew(_ owner: OwnerAccount, number former: Int64, flags: HeadFlags, at now: WallTime) throws -> Renewal? {
        guard var stored = try head(owner, former),
            let installation = try accounts.installation(stored.head.installation)
        else { return nil }
        let number = accounts.number(of: owner)
        _ = try unlist(stored, of: installation, by: .update, as: number, at: now)
        stored.head.number = number
        stored.head.presentation.flags = flags
        try insert(stored, of: installation)
        return Renewal(former: former, number: number)
    }

    /// Takes a notification out of the history into the list.
    func restore(_ owner: OwnerAccount, number former: Int64) throws -> WorkResult {
        guard var stored = try past(owner, former),
            let installation = try accounts.installation(stored.head.installation)
        else { return .refused(.notThere(try standing(owner, former))) }
        if let newer = try head(installation, sharing: stored) { return .refused(.replaced(by: newer)) }
        try unlist(past: stored, of: owner)
        // The response keeps the content that was answered, and what is restored has one of its own.
        if try hasResponse(stored) { stored.body = try tables.copyContent(stored.body) }
        stored.head.number = accounts.number(of: owner)
        stored.head.presentation.flags.remove(.banner)
        stored.head.presentation.until = nil
        try insert(stored, of: installation)
        return .renewed([Renewal(former: former, number: stored.head.number)])
    }

    /// The number of the listed notification that has the name of one in the history.
    private func head(_ installation: InstallationAccount, sharing past: StoredHead) throws -> Int64? {
        let content =
            try tables.statement("SELECT \(StoredBytes.names) FROM content WHERE id = ?1")
            .bind(past.body).first { try tables.content($0, 0) } ?? nil
        guard let content else { return nil }
        return try head(installation, named: content.identifier)?.head.number
    }
}
