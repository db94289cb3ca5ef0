// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The part of a listed notification that stacks and their summaries are made of.
package struct NotificationOutline: Sendable, Equatable {
    package let number: Int64
    /// The number of its installation.
    package let installation: Int64
    /// The keyed hash of its thread; `nil` means that it has none.
    package let thread: Int64?
    package let flags: HeadFlags
    /// The count that the notification adds to the summary of its stack.
    package let count: Int
    package let words: SummaryWords
}

/// One transaction of the connection that reads, for one owner: whatever is read is of one moment.
package struct OwnerReading: ~Copyable {
    /// The owner at that moment.
    package let owner: OwnerRecord
    private let reading: CenterReading
    private let id: Int64

    init(_ reading: CenterReading, _ owner: OwnerRecord, id: Int64) {
        self.reading = reading
        self.owner = owner
        self.id = id
    }

    /// The owner's installations, in the order of their numbers.
    package func installations() throws -> [Installation] {
        try reading.installations("owner = ?1 ORDER BY installation.id", id, of: owner.name)
    }

    /// The categories of an installation as its app set them; `nil` means that it never set any.
    package func categories(of installation: Int64) throws -> [UInt8]? {
        try reading.statement("SELECT value FROM categories WHERE installation = ?1").bind(installation)
            .first { $0.blob(0) }
    }

    /// Hands over what is listed above a number, the oldest first.
    package func eachOutline(after number: Int64, _ body: (NotificationOutline) -> Void) throws {
        try reading.statement(
            """
            SELECT number, installation, thread, flags, count, category, argument\(reading.wordColumns)
            WHERE owner = ?1 AND number > ?2 ORDER BY number
            """
        ).bind(id, number).each { row in
            body(
                NotificationOutline(
                    number: row.integer(0),
                    installation: row.integer(1),
                    thread: row.optionalInteger(2),
                    flags: HeadFlags(rawValue: row.integer(3)),
                    count: Int(row.integer(4)),
                    words: try reading.words(row, 5, content: 7)
                )
            )
        }
    }

    /// The numbers that left the list after a number of the owner's series.
    ///
    /// Whole as long as that number is not below the owner's floor.
    package func removals(after number: Int64) throws -> [Int64] {
        var targets: [Int64] = []
        // What is below 0 is an app.
        try reading.statement("SELECT target FROM gone NOT INDEXED WHERE owner = ?1 AND number > ?2 AND target > 0")
            .bind(id, number).each { targets.append($0.integer(0)) }
        return targets
    }

    /// Notifications by their numbers, in that order; those that are not listed are left out.
    package func notifications(_ numbers: [Int64]) throws -> [StoredNotification] {
        let statement = try reading.statement(
            """
            SELECT \(Head.columns), \(StoredBytes.names) FROM head JOIN content ON id = body
            WHERE owner = ?1 AND number = ?2
            """
        )
        return try numbers.compactMap { number in
            try statement.bind(id, number).first { row in
                StoredNotification(head: Head(row), content: try reading.content(row, 8))
            }
        }
    }
}
