// SPDX-License-Identifier: Apache-2.0

/// The payloads opened so far and not yet expired, 24 bytes a row, in a table of fixed size.
///
/// A process has one set for all its apps. A row is a 16-byte id (the first half of the ephemeral key), the receiver's number of the push, and the minute of
/// expiry. When three quarters are taken, expired rows go; if that frees too little, so do those that expire first,
/// until half the table is free: an old payload could then be shown twice, whereas refusing new ones would lose
/// them all.
/// Source: FORMAT.md, "Replays".
package final class ReplaySet {
    struct ID: Equatable {
        let high: UInt64
        let low: UInt64

        init(reading bytes: Span<UInt8>) {
            high = KeyID(reading: bytes, at: 0).number
            low = KeyID(reading: bytes, at: 8).number
        }
    }

    package static let defaultCapacity = 1 << 17
    static let rowByteCount = MemoryLayout<Row>.stride

    private struct Row {
        let high: UInt64
        let low: UInt64
        /// Row number in 38 bits, minute of expiry since 1970 in 26 (until 2097); 0 is an empty row.
        let tail: UInt64

        static let empty = Row(high: 0, low: 0, tail: 0)
        static let minuteBits: UInt64 = 26
        static let minuteMask: UInt64 = 1 << minuteBits - 1

        var minute: UInt64 { tail & Self.minuteMask }
        var push: UInt64 { tail >> Self.minuteBits }
        var isEmpty: Bool { tail == 0 }
    }

    private var rows: [Row]
    package private(set) var count = 0
    /// Rows given up before they expired.
    private(set) var droppedCount = 0

    /// `capacity` is a power of two.
    package init(capacity: Int = ReplaySet.defaultCapacity) {
        precondition(capacity >= 8 && capacity & (capacity - 1) == 0)
        rows = [Row](repeating: .empty, count: capacity)
    }

    /// True when `id` was opened under another push and has not expired at `now`, in Unix milliseconds.
    func isReplay(_ id: ID, push: Int64, now: Int64) -> Bool {
        let row = rows[slot(of: id)]
        return !row.isEmpty && row.minute >= Self.minute(now) && row.push != Self.number(push)
    }

    /// Remembers `id` until the end of the minute of `expiry`, in Unix milliseconds.
    func insert(_ id: ID, push: Int64, expiry: Int64, now: Int64) {
        if count >= rows.count / 4 * 3 { makeRoom(now: now) }
        let slot = slot(of: id)
        if rows[slot].isEmpty { count += 1 }
        let tail = Self.number(push) << Row.minuteBits | max(1, Self.minute(expiry))
        rows[slot] = Row(high: id.high, low: id.low, tail: tail)
    }

    /// The row of `id`, or the empty one where it belongs.
    ///
    /// Keyed hashing: senders choose ids.
    private func slot(of id: ID) -> Int {
        var hasher = Hasher()
        hasher.combine(id.high)
        hasher.combine(id.low)
        var slot = hasher.finalize() & (rows.count - 1)
        while !rows[slot].isEmpty && !(rows[slot].high == id.high && rows[slot].low == id.low) {
            slot = (slot + 1) & (rows.count - 1)
        }
        return slot
    }

    private func makeRoom(now: Int64) {
        let minute = Self.minute(now)
        var kept = rows.filter { !$0.isEmpty && $0.minute >= minute }
        if kept.count > rows.count / 2 {
            kept.sort { $0.minute > $1.minute }
            droppedCount += kept.count - rows.count / 2
            kept.removeSubrange((rows.count / 2)...)
        }
        for index in rows.indices { rows[index] = .empty }
        for row in kept {
            rows[slot(of: ID(high: row.high, low: row.low))] = row
        }
        count = kept.count
    }

    private static func minute(_ milliseconds: Int64) -> UInt64 {
        UInt64(max(0, milliseconds) / 60_000) & Row.minuteMask
    }

    private static func number(_ push: Int64) -> UInt64 {
        UInt64(truncatingIfNeeded: push) & (1 << 38 - 1)
    }
}

extension ReplaySet.ID {
    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
