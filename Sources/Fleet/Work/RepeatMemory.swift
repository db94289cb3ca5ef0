// SPDX-License-Identifier: Apache-2.0

private import HostRuntime

/// The keys by which a holder knows that a push of its partitions has come before, 8 bytes and some slack a key.
///
/// A key is kept as 64 bits of a hash that is seeded anew in each process: no sender can choose two that are taken for
/// one, and by chance that happens once in 2^64 comparisons. Keys are kept for two turns of the memory at least; a
/// turn is half of the time for which repeats are known.
struct RepeatMemory {
    private struct Turn {
        var keys: [Partition: Set<Int>] = [:]
        var count = 0
    }

    private let limit: Int
    /// The newest last: three at most.
    private var turns = [Turn()]

    /// Makes a memory that forgets its oldest turn beyond so many keys.
    init(limit: Int = 4_000_000) {
        self.limit = limit
    }

    var count: Int { turns.reduce(0) { $0 + $1.count } }

    /// Returns whether one of a push's keys, 16 or 32 bytes, is known; else notes them all.
    mutating func isRepeat(_ keys: [UInt8], in part: Partition) -> Bool {
        let hashes = Self.hashes(keys)
        for turn in turns {
            guard let known = turn.keys[part] else { continue }
            if hashes.contains(where: known.contains) { return true }
        }
        for hash in hashes { insert(hash, in: part) }
        return false
    }

    /// Notes the keys of a push that has ended.
    mutating func note(_ keys: [UInt8], in part: Partition) {
        for hash in Self.hashes(keys) { insert(hash, in: part) }
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

    private mutating func insert(_ hash: Int, in part: Partition) {
        let last = turns.count - 1
        guard turns[last].keys[part, default: []].insert(hash).inserted else { return }
        turns[last].count += 1
        guard count > limit else { return }
        // What is forgotten early is the oldest there is.
        if turns.count == 1 { turns.append(Turn()) }
        turns.removeFirst()
    }

    private static func hashes(_ keys: [UInt8]) -> [Int] {
        stride(from: 0, to: keys.count - 15, by: 16).map { PushKey(keys[$0..<$0 + 16]).hashValue }
    }
}
