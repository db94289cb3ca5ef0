// SPDX-License-Identifier: Apache-2.0

/// The notifications of one owner, as stacks: a value that is built by one scan of the store and then kept up.
///
///     var board = StackBoard(entries, groupings: groupings)
///     board.insert(entry)                             // a notification was delivered
///     board.stacks(isHeld: false, limit: 50)          // the front page
///     board.clear(key, upTo: number)                  // whatever came meanwhile stays
///
/// Costs: 24 bytes a notification and some 80 a stack of several; a new notification is an append; a page is a scan
/// from its beginning. A notification alone by its setting costs no more than its entry.
/// Source: center.md §10.
package struct StackBoard: Sendable {
    /// The sums over the members of a stack.
    struct Sum: Sendable {
        var newest: Int64
        var members = 0
        var count = 0
    }

    /// Ascending by number.
    private(set) var entries: [StackEntry] = []
    /// Stacks by thread and by app; a notification alone has its entry only.
    private(set) var sums: [StackKey: Sum] = [:]
    /// Settings of installations; an absent one is automatic.
    private var groupings: [Int32: StackGrouping]

    /// Takes notifications in any order; of several with one number the first counts.
    package init(_ entries: some Sequence<StackEntry> = [], groupings: [Int32: StackGrouping] = [:]) {
        self.groupings = groupings
        for entry in entries.sorted(by: { $0.number < $1.number }) { insert(entry) }
    }

    package var count: Int { entries.count }

    /// An estimate of the memory that the board holds.
    package var byteCount: Int {
        entries.count * MemoryLayout<StackEntry>.stride
            + sums.count * (MemoryLayout<StackKey>.stride + MemoryLayout<Sum>.stride)
    }

    package func grouping(of installation: Int32) -> StackGrouping { groupings[installation] ?? .automatic }

    /// Forms the stacks of an app anew.
    package mutating func setGrouping(_ grouping: StackGrouping, of installation: Int32) {
        guard grouping != self.grouping(of: installation) else { return }
        groupings[installation] = grouping
        sums = sums.filter { $0.key.installation != installation }
        for entry in entries where entry.installation == installation { add(entry) }
    }

    // MARK: Changes

    /// Adds a notification and returns its stack; `nil` means that the number is taken, and nothing changes.
    @discardableResult
    package mutating func insert(_ entry: StackEntry) -> StackKey? {
        let index = self.index(of: entry.number)
        guard index == entries.count || entries[index].number != entry.number else { return nil }
        entries.insert(entry, at: index)
        return add(entry)
    }

    /// Removes a notification and returns the stack that it leaves; `nil` means that there is none of the number.
    @discardableResult
    package mutating func remove(_ number: Int64) -> StackKey? {
        let index = self.index(of: number)
        guard index < entries.count, entries[index].number == number else { return nil }
        let entry = entries.remove(at: index)
        let key = key(of: entry)
        guard var sum = sums[key] else { return key }
        sum.members -= 1
        sum.count -= entry.count
        if sum.newest == number, let next = entries[..<index].last(where: { self.key(of: $0) == key }) {
            sum.newest = next.number
        }
        sums[key] = sum.members > 0 ? sum : nil
        return key
    }

    /// Puts a notification in the place of an older one, as an update does: the new one has a new number.
    ///
    /// Returns the stacks that change; an old number that is unknown is no obstacle.
    @discardableResult
    package mutating func replace(_ number: Int64, with entry: StackEntry) -> Set<StackKey> {
        Set([remove(number), insert(entry)].compactMap { $0 })
    }

    /// Removes the members of a stack up to a number, and returns their numbers, the oldest first.
    package mutating func clear(_ key: StackKey, upTo number: Int64) -> [Int64] {
        if case .alone(let only) = key.scope {
            return only <= number && isThere(key) && remove(only) != nil ? [only] : []
        }
        return remove(upTo: number) { board, entry in board.key(of: entry) == key }
    }

    /// Removes what stands in the list up to a number, of one app or of all, and returns the numbers, the oldest first.
    ///
    /// Held notifications stay: their hour has not come, so nobody has seen them in the list.
    package mutating func clear(installation: Int32?, upTo number: Int64) -> [Int64] {
        remove(upTo: number) { _, entry in
            !entry.isHeld && (installation == nil || entry.installation == installation)
        }
    }

    private mutating func remove(upTo number: Int64, where isMeant: (StackBoard, StackEntry) -> Bool) -> [Int64] {
        let end = entries.partitioningIndex { $0.number > number }
        let removed = entries[..<end].filter { isMeant(self, $0) }
        guard !removed.isEmpty else { return [] }
        for entry in removed { subtract(entry) }
        var rest = removed[...]
        entries.removeAll { entry in
            guard entry.number == rest.first?.number else { return false }
            rest.removeFirst()
            return true
        }
        return removed.map(\.number)
    }

    /// Takes an entry, the oldest one or an older one than those that stay, out of the sum of its stack.
    private mutating func subtract(_ entry: StackEntry) {
        let key = key(of: entry)
        guard var sum = sums[key] else { return }
        sum.members -= 1
        sum.count -= entry.count
        sums[key] = sum.members > 0 ? sum : nil
    }

    @discardableResult
    private mutating func add(_ entry: StackEntry) -> StackKey {
        let key = key(of: entry)
        if case .alone = key.scope { return key }
        var sum = sums[key] ?? Sum(newest: entry.number)
        sum.newest = max(sum.newest, entry.number)
        sum.members += 1
        sum.count += entry.count
        sums[key] = sum
        return key
    }
}
