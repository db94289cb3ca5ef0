// SPDX-License-Identifier: Apache-2.0

private import HostRuntime

/// The keys by which a holder knows that a push of its partitions has come before, 8 bytes and some slack a key.
///
/// A key is kept as 64 bits of a hash that is seeded anew in each process: no sender can choose two that are taken for
/// one, and by chance that happens once in 2^64 comparisons. Keys are kept for two turns of the memory at least; a
/// turn is half of the time for which repeats are known, and shorter if its keys are half of what there is room for.
struct RepeatMemory {
    private struct Turn {
        var keys: [Partition: Set<Int>] = [:]
        var count = 0

        mutating func insert(_ hash: Int, in part: Partition) {
            if keys[part, default: []].insert(hash).inserted { count += 1 }
        }
    }

    private let limit: Int
    /// The newest last: three at most, and one at least.
    private var turns = [Turn()]

    /// Makes a memory that forgets its oldest turn beyond so many keys.
    init(limit: Int = 4_000_000) {
        self.limit = limit
    }

    var count: Int { turns.reduce(0) { $0 + $1.count } }
    var isFull: Bool { count >= limit }

    /// Returns whether one of a push's keys, 16 or 32 bytes, is known; else notes them all.
    mutating func isRepeat(_ keys: [UInt8], in part: Partition) -> Bool {
        let hashes = Self.hashes(keys)
        for turn in turns {
            guard let known = turn.keys[part] else { continue }
            if hashes.contains(where: known.contains) { return true }
        }
        for hash in hashes { turns[turns.count - 1].insert(hash, in: part) }
        if turns[turns.count - 1].count >= max(1, limit / 2) { turn() }
        while turns.count > 1, count > limit { turns.removeFirst() }
        return false
    }

    /// Notes the keys of a push that has ended, as one of the oldest; a memory that is full takes none.
    mutating func note(_ keys: [UInt8], in part: Partition) {
        for hash in Self.hashes(keys) where !isFull { turns[0].insert(hash, in: part) }
    }

    /// Begins a turn, and forgets what is older than the two before it.
    mutating func turn() {
        turns.append(Turn())
        if turns.count > 3 { turns.removeFirst() }
    }

    /// Forgets everything of a partition.
    mutating func forget(_ part: Partition) {
        for index in turns.indices {
            turns[index].count -= turns[index].keys.removeValue(forKey: part)?.count ?? 0
        }
    }

    private static func hashes(_ keys: [UInt8]) -> [Int] {
        stride(from: 0, to: keys.count - 15, by: 16).map { PushKey(keys[$0..<$0 + 16]).hashValue }
    }
}
