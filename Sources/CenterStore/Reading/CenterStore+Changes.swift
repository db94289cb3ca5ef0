// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

/// The last state of one thing that changed, under the number of that change.
package struct OwnerChange: Sendable, Equatable {
    package enum Thing: Sendable, Equatable {
        /// A notification in the list; `replaces` is the former one of its name that the watcher may know.
        case delivered(StoredNotification, replaces: Int64?)
        /// A notification that the watcher may know is not in the list any more.
        case removed(Int64, RemovalCause)
        /// The permission, badge or categories of an app.
        case installation(Installation)
        /// The app of this topic was removed with all that was its; one that came back since has a later number.
        case uninstalled(String)
        /// The preferences or read mark of the owner.
        case owner(OwnerRecord)
    }

    package let number: Int64
    package let thing: Thing
}

/// The answer to a watcher that comes back.
package enum Resumption: Sendable, Equatable {
    /// The changes in the order of their numbers. `position` is where the watcher then stands; before the owner's own
    /// position there are more.
    case changes([OwnerChange], position: Int64, isComplete: Bool)
    /// The number is older than what is remembered, or was never given: the watcher loads the front again.
    case reset
}

extension CenterStore {
    /// Returns what changed for an owner after a number: the last state of each thing, once, in the order of numbers.
    ///
    /// A merge of four ranges: notifications, removals, installations and the owner itself. Whatever came and went
    /// after `number` is left out, because the watcher never knew of it; an answer in pieces may name a removed one of
    /// which no piece told. At most `limit` changes; `reset` for an unknown owner.
    package func changes(
        of name: OwnerName,
        since number: Int64,
        limit: Int
    ) throws(DatabaseFailure) -> Resumption {
        try read { reading in
            guard let owner = try reading.owner(name), let id = try reading.id(name),
                (owner.floor...owner.position).contains(number)
            else { return .reset }
            var range = ChangeRange(reading: reading, owner: id, since: number, limit: max(1, limit))
            try range.readHeads()
            try range.readRemovals()
            for installation in try reading.installations(
                "owner = ?1 AND changed > ?2 ORDER BY changed",
                id,
                number,
                of: name
            ) {
                range.changes.append(OwnerChange(number: installation.changed, thing: .installation(installation)))
            }
            if owner.changed > number { range.changes.append(OwnerChange(number: owner.changed, thing: .owner(owner))) }
            return range.resumption(upTo: owner.position)
        }
    }
}

/// The numbers of an owner after one of them, as far as one answer goes.
private struct ChangeRange {
    let reading: CenterReading
    let owner: Int64
    let since: Int64
    let limit: Int
    var changes: [OwnerChange] = []
    /// The last number that was read of a table which has more.
    private var end = Int64.max

    init(reading: CenterReading, owner: Int64, since: Int64, limit: Int) {
        self.reading = reading
        self.owner = owner
        self.since = since
        self.limit = limit
    }

    mutating func readHeads() throws {
        var last: Int64 = 0
        var count = 0
        try reading.statement(
            """
            SELECT \(Head.columns), \(StoredBytes.names), (SELECT target FROM gone WHERE gone.owner = head.owner
                AND gone.number = head.number AND target <= ?2)
            FROM head NOT INDEXED CROSS JOIN content ON id = body
            WHERE owner = ?1 AND number > ?2 ORDER BY number LIMIT ?3
            """
        ).bind(owner, since, limit).each { row in
            let notification = StoredNotification(head: Head(row), content: try reading.content(row, 8))
            last = notification.head.number
            count += 1
            let thing = OwnerChange.Thing.delivered(notification, replaces: row.optionalInteger(11))
            changes.append(OwnerChange(number: last, thing: thing))
        }
        if count == limit { end = min(end, last) }
    }

    /// Reads removals, of notifications and of apps, but those that have their place in the delivery of what replaced
    /// them.
    mutating func readRemovals() throws {
        var last: Int64 = 0
        var count = 0
        try reading.statement(
            """
            SELECT number, target, by, (SELECT topic FROM app WHERE id = -target)
            FROM gone NOT INDEXED WHERE owner = ?1 AND number > ?2 AND target <= ?2
                AND NOT EXISTS (SELECT 1 FROM head WHERE head.owner = gone.owner AND head.number = gone.number)
            ORDER BY number LIMIT ?3
            """
        ).bind(owner, since, limit).each { row in
            last = row.integer(0)
            count += 1
            let cause = RemovalCause(rawValue: row.integer(2)) ?? .retention
            let target = row.integer(1)
            // The number of an app is below 0, and its topic is kept for good.
            guard target < 0 else {
                changes.append(OwnerChange(number: last, thing: .removed(target, cause)))
                return
            }
            if !row.isNull(3) { changes.append(OwnerChange(number: last, thing: .uninstalled(row.text(3)))) }
        }
        if count == limit { end = min(end, last) }
    }

    /// Merges what was read, and leaves out what lies behind a table's end or the limit.
    func resumption(upTo position: Int64) -> Resumption {
        var merged = changes.filter { $0.number <= end }
        merged.sort { $0.number < $1.number }
        let isComplete = end == .max && merged.count <= limit
        if merged.count > limit { merged.removeLast(merged.count - limit) }
        let last = merged.last?.number ?? position
        return .changes(merged, position: isComplete ? position : last, isComplete: isComplete)
    }
}
