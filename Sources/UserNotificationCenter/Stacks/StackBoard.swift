// SPDX-License-Identifier: Apache-2.0

/// The notifications of one owner, as stacks: a value that is built by one scan of the store and then kept up.
///
///     var board = StackBoard(entries, groupings: groupings)
///     board.insert(entry)                             // a notification was delivered
///     board.stacks(isHeld: false, limit: 50)          // the front page
///     board.clear(key, upTo: number)                  // whatever came meanwhile stays
///
/// Costs: 28 bytes a notification, some 80 a stack of several, and the texts of summaries, each once; a new
/// notification is an append; a page is a scan from its beginning. A notification alone by its setting costs no more
/// than its entry. Source: center.md §10.
package struct StackBoard: Sendable {
    /// The sums over the members of a stack.
    struct Sum: Sendable {
        var newest: Int64
        var members = 0
        var count = 0
    }

    /// Ascending by number.
    private(set) var entries: [StackEntry] = []
    /// The words of the entry at the same place.
    private var marks: [UInt32] = []
    private var words = WordList()
    private var heldCount = 0
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

    /// True if a notification is held.
    var hasHeld: Bool { heldCount > 0 }

    /// The number of different words of summaries.
    var wordCount: Int { words.count }

    /// An estimate of the memory that the board holds.
    package var byteCount: Int {
        entries.capacity * MemoryLayout<StackEntry>.stride + marks.capacity * MemoryLayout<UInt32>.stride
            + sums.capacity * (MemoryLayout<StackKey>.stride + MemoryLayout<Sum>.stride + 1) + words.byteCount
    }

    package func grouping(of installation: Int32) -> StackGrouping { groupings[installation] ?? .automatic }

    /// Forms the stacks of an app anew.
    package mutating func setGrouping(_ grouping: StackGrouping, of installation: Int32) {
        guard grouping != self.grouping(of: installation) else { return }
        groupings[installation] = grouping == .automatic ? nil : grouping
        sums = sums.filter { $0.key.installation != installation }
        for entry in entries where entry.installation == installation { add(entry) }
    }

    // MARK: Changes

    /// Adds a notification and returns its stack; `nil` means that the number is taken, and nothing changes.
    ///
    /// Category and argument are those of its summary; `nil` means none.
    @discardableResult
    package mutating func insert(_ entry: StackEntry, category: String? = nil, argument: String? = nil) -> StackKey? {
        let index = self.index(of: entry.number)
        guard index == entries.count || entries[index].number != entry.number else { return nil }
        entries.insert(entry, at: index)
        marks.insert(words.take(category: category, argument: argument), at: index)
        if entry.isHeld { heldCount += 1 }
        return add(entry)
    }

    /// Removes a notification and returns the stack that it leaves; `nil` means that there is none of the number.
    @discardableResult
    package mutating func remove(_ number: Int64) -> StackKey? {
        guard let key = key(of: number) else { return nil }
        remove([number])
        return key
    }

    /// Removes notifications in one pass from the first of them on; numbers that are not there are passed over.
    package mutating func remove(_ numbers: [Int64]) {
        var last: Int64?
        var places: [Int] = []
        for number in numbers.sorted() where number != last {
            last = number
            let index = self.index(of: number)
            if index < entries.count, entries[index].number == number { places.append(index) }
        }
        guard let first = places.first else { return }
        var headless: Set<StackKey> = []
        for place in places {
            words.release(marks[place])
            if entries[place].isHeld { heldCount -= 1 }
            if let key = subtract(entries[place]) { headless.insert(key) }
        }
        var rest = places[...]
        var end = first
        for index in first..<entries.count {
            if index == rest.first {
                rest.removeFirst()
                continue
            }
            entries[end] = entries[index]
            marks[end] = marks[index]
            end += 1
        }
        entries.removeLast(entries.count - end)
        marks.removeLast(marks.count - end)
        findNewest(of: headless)
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
        let cleared = listed(of: installation, upTo: number)
        remove(cleared)
        return cleared
    }

    private mutating func remove(upTo number: Int64, where isMeant: (StackBoard, StackEntry) -> Bool) -> [Int64] {
        let removed = entries[..<index(after: number)].filter { isMeant(self, $0) }.map(\.number)
        remove(removed)
        return removed
    }

    /// Takes an entry out of the sum of its stack; returns the stack if the entry led it and others stay.
    private mutating func subtract(_ entry: StackEntry) -> StackKey? {
        let key = key(of: entry)
        guard var sum = sums[key] else { return nil }
        sum.members -= 1
        sum.count -= entry.count
        sums[key] = sum.members > 0 ? sum : nil
        return sum.members > 0 && sum.newest == entry.number ? key : nil
    }

    /// Finds the leading notifications of stacks anew.
    private mutating func findNewest(of headless: Set<StackKey>) {
        var missing = headless
        for entry in entries.reversed() {
            guard !missing.isEmpty else { return }
            let key = key(of: entry)
            if missing.remove(key) != nil { sums[key]?.newest = entry.number }
        }
    }

    @discardableResult
    private mutating func add(_ entry: StackEntry) -> StackKey {
        let key = key(of: entry)
        if case .alone = key.scope { return key }
        sums[key, default: Sum(newest: entry.number)].add(entry)
        return key
    }

    /// Returns the material of summaries: for each stack all its members, the oldest first; none of a stack that is not
    /// there.
    package func summaryMembers(of keys: [StackKey]) -> [[StackSummary.Member]] {
        var found: [[StackSummary.Member]] = keys.map { _ in [] }
        let places = Dictionary(zip(keys, keys.indices)) { first, _ in first }
        var missing = places.keys.reduce(0) { $0 + (stack($1)?.members ?? 0) }
        for index in entries.indices.reversed() {
            guard missing > 0 else { break }
            guard let place = places[key(of: entries[index])] else { continue }
            found[place].append(words.member(marks[index], count: entries[index].count))
            missing -= 1
        }
        return found.map { $0.reversed() }
    }
}

extension StackBoard.Sum {
    fileprivate mutating func add(_ entry: StackEntry) {
        newest = max(newest, entry.number)
        members += 1
        count += entry.count
    }
}
