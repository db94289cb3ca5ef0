// SPDX-License-Identifier: Apache-2.0

extension StackBoard {
    /// A stack as a presenter shows it.
    package struct Stack: Sendable, Equatable {
        package let key: StackKey
        /// The newest member, which is shown whole.
        package let leading: StackEntry
        package let members: Int
        /// The number of a summary: the counts of all members but the leading one.
        package let countBehind: Int
    }

    /// The stack of a key; `nil` means that it has no members.
    package func stack(_ key: StackKey) -> Stack? {
        if case .alone(let number) = key.scope {
            guard isThere(key), let entry = entry(number) else { return nil }
            return Stack(key: key, leading: entry, members: 1, countBehind: 0)
        }
        guard let sum = sums[key], let leading = entry(sum.newest) else { return nil }
        return Stack(key: key, leading: leading, members: sum.members, countBehind: sum.count - leading.count)
    }

    /// The stack to which a notification belongs; `nil` means that there is none of the number.
    package func key(of number: Int64) -> StackKey? { entry(number).map(key(of:)) }

    /// The stack that has an identifier; `nil` means that none has.
    package func key(identifiedBy identifier: String, hash: ([UInt8]) -> UInt64) -> StackKey? {
        var seen: Set<StackKey> = []
        for entry in entries.reversed() {
            let key = key(of: entry)
            guard seen.insert(key).inserted else { continue }
            if key.identifier(hash: hash).utf8.elementsEqual(identifier.utf8) { return key }
        }
        return nil
    }

    /// The notification of a number; `nil` means that the board does not have it.
    package func entry(_ number: Int64) -> StackEntry? {
        let index = index(of: number)
        return index < entries.count && entries[index].number == number ? entries[index] : nil
    }

    /// Returns stacks, the one with the newest member first: those of the list, or those that are held.
    ///
    /// They are of one app, or of all where `installation` is `nil`. `before` is the leading number of the last stack
    /// that is known; `nil` begins with the newest.
    package func stacks(
        isHeld: Bool,
        of installation: Int32? = nil,
        before: Int64? = nil,
        limit: Int
    ) -> [Stack] {
        guard hasHeld || !isHeld else { return [] }
        var found: [Stack] = []
        for entry in older(than: before) where entry.isHeld == isHeld {
            guard found.count < limit else { break }
            guard installation == nil || entry.installation == installation else { continue }
            guard let stack = stack(key(of: entry)), stack.leading.number == entry.number else { continue }
            found.append(stack)
        }
        return found
    }

    /// Returns members of a stack, the newest first; `before` is the last number that is known.
    package func members(of key: StackKey, before: Int64? = nil, limit: Int = .max) -> [StackEntry] {
        guard let stack = stack(key) else { return [] }
        var found: [StackEntry] = []
        for entry in older(than: before) where entry.installation == key.installation {
            guard found.count < min(limit, stack.members) else { break }
            if self.key(of: entry) == key { found.append(entry) }
        }
        return found
    }

    /// Returns what stands in the list up to a number, of one app or of all, the oldest first; none that is held.
    package func listed(of installation: Int32?, upTo number: Int64) -> [Int64] {
        entries[..<index(after: number)].filter { entry in
            !entry.isHeld && (installation == nil || entry.installation == installation)
        }.map(\.number)
    }

    /// The number of notifications above a number, held ones among them.
    package func count(after number: Int64) -> Int { entries.count - index(after: number) }

    private func older(than number: Int64?) -> ReversedCollection<ArraySlice<StackEntry>> {
        entries[..<(number.map { index(of: $0) } ?? entries.count)].reversed()
    }

    func key(of entry: StackEntry) -> StackKey { entry.key(grouping(of: entry.installation)) }

    /// Tells whether the key of a notification alone is the one under which it stands now.
    func isThere(_ key: StackKey) -> Bool {
        guard case .alone(let number) = key.scope, let entry = entry(number) else { return false }
        return self.key(of: entry) == key
    }

    /// The place behind every entry up to a number.
    func index(after number: Int64) -> Int { entries.partitioningIndex { $0.number > number } }

    /// The place of a number, or the place at which it would be inserted.
    func index(of number: Int64) -> Int {
        if let last = entries.last, last.number < number { return entries.count }
        return entries.partitioningIndex { $0.number >= number }
    }
}

extension [StackEntry] {
    /// The first place from which on every element fits; those before it do not.
    func partitioningIndex(where fits: (StackEntry) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
