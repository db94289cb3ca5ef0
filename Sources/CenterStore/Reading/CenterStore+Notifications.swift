// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

/// A notification with its content.
package struct StoredNotification: Sendable, Equatable {
    package let head: Head
    /// `nil` means that what the disk has is damaged.
    package let content: NotificationContent?

    /// True if the notification is of the thread, as far as its content tells.
    fileprivate func isOf(_ thread: String) -> Bool {
        guard let content else { return true }
        return content.thread.map { $0.utf8.elementsEqual(thread.utf8) } ?? false
    }
}

/// The app and the category of a notification.
package struct NotificationPlace: Sendable, Equatable {
    package let number: Int64
    /// The number of its installation.
    package let installation: Int64
    package let category: String?
}

/// A part of an owner's list, the newest first.
package struct NotificationPage: Sendable, Equatable {
    package typealias Item = StoredNotification

    package let items: [StoredNotification]
    /// The number to read on before; `nil` means that there are no more.
    package let next: Int64?
    /// The owner's last number when the page was read.
    package let position: Int64
}

/// The notifications that a page is made of.
package struct PageQuery: Sendable {
    /// Only numbers below this one; `nil` means all.
    package var before: Int64?
    /// Only numbers above this one.
    package var after: Int64 = 0
    /// Only those of an app; `nil` means all.
    package var app: String?
    /// Only those of a thread; `nil` means all.
    package var thread: String?
    /// Only dates from `from` on and before `to`.
    package var from: WallTime = .min
    package var to: WallTime = .max
    /// Only notifications that have all of these flags.
    package var flags: HeadFlags = []
    /// The greatest number of notifications.
    package var limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

extension CenterStore {
    /// Returns notifications of an owner by their numbers, in that order; those that are not listed are left out.
    package func notifications(
        _ numbers: [Int64],
        of owner: OwnerName
    ) throws(DatabaseFailure) -> [StoredNotification] {
        try look(at: owner) { try $0.notifications(numbers) } ?? []
    }

    /// Returns the attachments of a notification that is in the list or in the history; `nil` means that it is in
    /// neither.
    package func attachments(
        of number: Int64,
        owner: OwnerName
    ) throws(DatabaseFailure) -> [ContentAttachment]? {
        try read { reading in
            guard let id = try reading.id(owner) else { return nil }
            for table in ["head", "history"] {
                let found = try reading.statement(
                    """
                    SELECT \(StoredBytes.names) FROM \(table) JOIN content ON id = body
                    WHERE owner = ?1 AND number = ?2
                    """
                ).bind(id, number).first { row in try reading.content(row, 0)?.attachments ?? [] }
                if let found { return found }
            }
            return nil
        }
    }

    /// Returns where notifications belong by their numbers, in that order; those that are not listed are left out.
    package func places(_ numbers: [Int64], of owner: OwnerName) throws(DatabaseFailure) -> [NotificationPlace] {
        try read { reading in
            guard let id = try reading.id(owner) else { return [] }
            return try numbers.compactMap { number in
                try reading.statement(
                    """
                    SELECT installation, category, argument\(reading.wordColumns)
                    WHERE owner = ?1 AND number = ?2
                    """
                ).bind(id, number).first { row in
                    NotificationPlace(
                        number: number,
                        installation: row.integer(0),
                        category: try reading.words(row, 1, content: 3).category
                    )
                }
            }
        }
    }

    /// Returns a page of an owner's list; `nil` means that there is no such owner.
    ///
    /// Arrivals between two pages move nothing, because a page begins at a number.
    package func page(_ query: PageQuery, of owner: OwnerName) throws(DatabaseFailure) -> NotificationPage? {
        try read { reading in
            guard let record = try reading.owner(owner), let id = try reading.id(owner) else { return nil }
            var installation: Int64?
            if let app = query.app {
                // No installation has the number 0.
                installation = try reading.id(InstallationKey(owner: owner, stored: app)) ?? 0
            }
            var items: [StoredNotification] = []
            try reading.statement(
                """
                SELECT \(Head.columns), \(StoredBytes.names) FROM head NOT INDEXED CROSS JOIN content ON id = body
                WHERE owner = ?1 AND number < ?2 AND number > ?3 AND (?4 IS NULL OR installation = ?4)
                    AND (?5 IS NULL OR thread = ?5) AND date >= ?6 AND date < ?7
                    AND flags & ?8 = ?8
                ORDER BY number DESC LIMIT ?9
                """
            ).bind(
                id,
                query.before ?? .max,
                query.after,
                installation,
                query.thread.map { reading.hash($0) },
                query.from,
                query.to,
                query.flags.rawValue,
                query.limit + 1
            ).each { items.append(StoredNotification(head: Head($0), content: try reading.content($0, 8))) }
            let hasMore = items.count > query.limit
            if hasMore { items.removeLast() }
            let next = hasMore ? items.last?.head.number : nil
            // Two threads may have one hash. A page may so have fewer than asked for, and still a next one.
            if let thread = query.thread { items.removeAll { !$0.isOf(thread) } }
            return NotificationPage(
                items: items,
                next: next,
                position: record.position
            )
        }
    }

    /// Returns what a person dismissed or answered, the newest number first, below `number`.
    package func history(
        of owner: OwnerName,
        before number: Int64 = .max,
        limit: Int
    ) throws(DatabaseFailure) -> [StoredNotification] {
        try read { reading in
            guard let id = try reading.id(owner) else { return [] }
            var items: [StoredNotification] = []
            try reading.statement(
                """
                SELECT \(Head.columns), \(StoredBytes.names) FROM history NOT INDEXED CROSS JOIN content ON id = body
                WHERE owner = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3
                """
            ).bind(id, number, limit).each { row in
                items.append(StoredNotification(head: Head(row), content: try reading.content(row, 8)))
            }
            return items
        }
    }

    /// Returns what is known of a number; `unknown` for an owner that is.
    package func standing(of number: Int64, owner: OwnerName) throws(DatabaseFailure) -> Standing {
        try read { reading in
            guard let id = try reading.id(owner) else { return .unknown }
            let isListed = try reading.statement("SELECT 1 FROM head WHERE owner = ?1 AND number = ?2").bind(id, number)
                .first { _ in true }
            if isListed != nil { return .listed }
            return try Standing.gone(number, of: id) { try reading.statement($0) }
        }
    }
}
