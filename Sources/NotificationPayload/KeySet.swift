// SPDX-License-Identifier: Apache-2.0

/// The keys an object has had so far, to find one that comes twice.
///
/// A few plain keys are compared one by one, which needs no memory; more of them, or keys that have several spellings,
/// go through a set, so that ten thousand cost a hash each.
struct KeySet<Key: Hashable> {
    private static var lineLimit: Int { 16 }

    private var seen: Set<Key>?

    /// False when the key is one of `earlier`, which are those that were inserted, in their order.
    ///
    /// `isPlain`: it equals no other sequence of bytes.
    mutating func insert(_ key: Key, isPlain: Bool, after earlier: some Collection<Key>) -> Bool {
        if seen == nil {
            if isPlain, earlier.count < Self.lineLimit { return !earlier.contains(key) }
            seen = Set(earlier)
        }
        return seen?.insert(key).inserted == true
    }
}
