// SPDX-License-Identifier: Apache-2.0

/// The payloads opened so far and not yet expired, 24 bytes a row, in a table of fixed size.
///
/// A process has one set for all its apps; a `ReplayJournal` makes it survive the process. A row is a 16-byte id, the
/// receiver's number of the push, and the minute of expiry. When three quarters
/// are taken, expired rows go; if that frees too little, so do those that expire first, until half the table is free:
/// an old payload could then be shown twice, whereas refusing new ones would lose them all.
/// Not `Sendable`: it belongs to one actor or thread, as its openers do.
/// Source: FORMAT.md, "Replays".
public final class ReplaySet {
    struct ID: Equatable {
        let high: UInt64
        let low: UInt64

        init(reading bytes: Span<UInt8>) {
            high = KeyID(reading: bytes, at: 0).number
            low = KeyID(reading: bytes, at: 8).number
        }

        fileprivate init(_ row: ReplayRow) {
            high = row.high
            low = row.low
        }
    }

    /// One row that was inserted, and what stood in its place.
    struct Change {
        let row: ReplayRow
        let earlier: ReplayRow
    }

    package static let defaultCapacity = 1 << 17
    /// 3 MiB with the default capacity.
    package static func byteCount(capacity: Int) -> Int { capacity * MemoryLayout<ReplayRow>.stride }

    private(set) var rows: [ReplayRow]
    package private(set) var count = 0
    /// Rows given up before they expired.
    private(set) var droppedCount = 0
    /// One more than the highest number of a push in any row it was ever given.
    ///
    /// A receiver that numbers its pushes itself goes on from here after a start: under a number that was given out
    /// before, what was opened under it opens again.
    public private(set) var nextPush: Int64 = 0

    /// True if the set records `changes`, for a caller that keeps or undoes them before they grow many.
    package var tracksChanges = false
    private(set) var changes: [Change] = []

    /// An empty set of 131,072 rows, 3 MiB.
    public convenience init() {
        self.init(capacity: Self.defaultCapacity)
    }

    /// `capacity` is a power of two.
    package init(capacity: Int) {
        precondition(capacity >= 8 && capacity & (capacity - 1) == 0)
        rows = [ReplayRow](repeating: .empty, count: capacity)
    }

    /// True when `id` was opened under another push, or any if this one has no number, and has not expired at `now`, in
    /// Unix milliseconds.
    func isReplay(_ id: ID, push: Int64?, now: Int64) -> Bool {
        let row = rows[slot(of: id)]
        guard row.isLive(at: ReplayRow.minute(now)) else { return false }
        return push.map { row.push != ReplayRow.number($0) } ?? true
    }

    /// Remembers `id` until the end of the minute of `expiry`, in Unix milliseconds; a push without a number gets the
    /// next one.
    func insert(_ id: ID, push: Int64?, expiry: Int64, now: Int64) {
        insert(ReplayRow(id, push: push ?? nextPush, expiry: expiry), now: now)
    }

    /// The same for a row that was remembered before.
    func insert(_ row: ReplayRow, now: Int64) {
        if count >= rows.count / 4 * 3 { makeRoom(now: now) }
        let slot = slot(of: ID(row))
        if tracksChanges { changes.append(Change(row: row, earlier: rows[slot])) }
        if rows[slot].isEmpty { count += 1 }
        rows[slot] = row
        nextPush = max(nextPush, row.push + 1)
    }

    /// Keeps the number of a push from being given out again, without remembering anything else of it.
    func passOver(_ row: ReplayRow) {
        nextPush = max(nextPush, row.push + 1)
    }
}

// MARK: Changes

extension ReplaySet {
    /// The number of changes that wait to be kept or undone.
    package var changeCount: Int { changes.count }

    /// The changes are for good.
    package func keepChanges() {
        changes.removeAll(keepingCapacity: true)
    }

    /// Takes changes back, the last one first, until `remaining` are left; the set answers as it did before them.
    package func undoChanges(downTo remaining: Int = 0) {
        while changes.count > remaining, let change = changes.popLast() {
            let slot = slot(of: ID(change.row))
            // Room that was made meanwhile may have cost the row. A slot is not emptied: others were put behind it.
            guard !rows[slot].isEmpty else { continue }
            rows[slot] = change.earlier.isEmpty ? change.row.expired : change.earlier
        }
    }
}

// MARK: The table

extension ReplaySet {
    /// The row of `id`, or the empty one where it belongs.
    ///
    /// Keyed hashing: senders choose ids.
    private func slot(of id: ID) -> Int {
        var hasher = Hasher()
        hasher.combine(id.high)
        hasher.combine(id.low)
        var slot = hasher.finalize() & (rows.count - 1)
        while !rows[slot].isEmpty && !rows[slot].has(id) {
            slot = (slot + 1) & (rows.count - 1)
        }
        return slot
    }

    private func makeRoom(now: Int64) {
        let minute = ReplayRow.minute(now)
        var kept = rows.filter { $0.isLive(at: minute) }
        if kept.count > rows.count / 2 {
            kept.sort { $0.minute > $1.minute }
            droppedCount += kept.count - rows.count / 2
            kept.removeSubrange((rows.count / 2)...)
        }
        for index in rows.indices { rows[index] = .empty }
        for row in kept {
            rows[slot(of: ID(row))] = row
        }
        count = kept.count
    }
}
