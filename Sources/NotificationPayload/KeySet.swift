// SPDX-License-Identifier: Apache-2.0

/// The keys an object has had so far, to find one that comes twice.
///
/// A few plain keys are compared one by one, and a mark of each spares most of these comparisons; more of them, or keys
/// that have several spellings, go through a set, so that ten thousand cost a hash each.
struct KeySet<Key: Hashable> {
    private static var lineLimit: Int { 16 }

    private var seen: Set<Key>?
    /// The bits of the marks of plain keys; one that is not set says that no such key came.
    private var marks: UInt64 = 0

    /// False when the key is one of `earlier`, which are those that were inserted, in their order.
    ///
    /// Plain keys, those in ASCII, equal each other only when their bytes do, and have one mark then, of which the
    /// lowest six bits count; `nil` says that the key is not plain.
    mutating func insert(_ key: Key, mark: UInt8?, after earlier: some Collection<Key>) -> Bool {
        if seen == nil {
            if let mark, earlier.count < Self.lineLimit {
                let bit = 1 as UInt64 &<< UInt64(mark)
                defer { marks |= bit }
                return marks & bit == 0 || !earlier.contains(key)
            }
            seen = Set(earlier)
        }
        return seen?.insert(key).inserted == true
    }
}

extension String {
    /// The mark of a plain key, by its length and the bytes at its ends.
    var keyMark: UInt8 {
        guard let first = utf8.first, let last = utf8.last else { return 0 }
        return first &+ last &* 7 &+ UInt8(truncatingIfNeeded: utf8.count) &* 29
    }
}
