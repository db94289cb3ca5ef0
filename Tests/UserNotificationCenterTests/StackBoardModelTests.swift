// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import UserNotificationCenter

/// The board beside one that keeps a list and sorts it whenever it is asked.
struct StackBoardModelTests {
    private struct NaiveBoard {
        var entries: [StackEntry] = []
        var groupings: [Int32: StackGrouping] = [:]
        var words: [Int64: (category: String?, argument: String?)] = [:]

        func summary(_ key: StackKey) -> [StackSummary.Member] {
            members(key).reversed().map { entry in
                let words = words[entry.number]
                return StackSummary.Member(category: words?.category, argument: words?.argument, count: entry.count)
            }
        }

        func key(_ entry: StackEntry) -> StackKey {
            let scope: StackKey.Scope
            switch groupings[entry.installation, default: .automatic] {
            case .automatic:
                if let thread = entry.thread { scope = .thread(thread) } else { scope = .app }
            case .byApp: scope = .app
            case .off: scope = .alone(entry.number)
            }
            return StackKey(installation: entry.installation, scope: scope, isHeld: entry.isHeld)
        }

        func members(_ key: StackKey) -> [StackEntry] {
            entries.filter { self.key($0) == key }.sorted { $0.number > $1.number }
        }

        func stacks(isHeld: Bool) -> [StackBoard.Stack] {
            Set(entries.filter { $0.isHeld == isHeld }.map(key)).compactMap { key in
                let members = self.members(key)
                guard let leading = members.first else { return nil }
                let counts = members.dropFirst().map(\.count)
                return StackBoard.Stack(
                    key: key,
                    leading: leading,
                    members: members.count,
                    countBehind: counts.reduce(0, +)
                )
            }
            .sorted { $0.leading.number > $1.leading.number }
        }

        mutating func remove(where isMeant: (StackEntry) -> Bool) -> [Int64] {
            let removed = entries.filter(isMeant).map(\.number).sorted()
            entries.removeAll(where: isMeant)
            return removed
        }
    }

    private struct Pair {
        var board = StackBoard()
        var naive = NaiveBoard()
        var generator: SeededGenerator
        var lastNumber: Int64 = 0

        mutating func random(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &generator) }

        mutating func entry() -> StackEntry {
            // Gaps, and now and then a number that was skipped before.
            lastNumber += random(1...3)
            let thread = random(0...3)
            return StackEntry(
                number: random(0...9) == 0 ? random(1...lastNumber) : lastNumber,
                installation: Int32(random(1...3)),
                thread: thread == 0 ? nil : thread,
                count: Int(random(0...4)),
                isHeld: random(0...4) == 0
            )
        }

        mutating func add(_ entry: StackEntry) -> StackKey? {
            guard !naive.entries.contains(where: { $0.number == entry.number }) else { return nil }
            naive.entries.append(entry)
            naive.words[entry.number] = nil
            return naive.key(entry)
        }

        mutating func step() {
            let known = naive.entries.randomElement(using: &generator)
            switch random(0...10) {
            case 0...4:
                let entry = entry()
                let category = [nil, "message", "", "photo"].randomElement(using: &generator) ?? nil
                // The last two are one text to whoever compares canonical forms.
                let argument = [nil, "Alice", "\u{FFFF}", "é", "e\u{301}"].randomElement(using: &generator) ?? nil
                let key = add(entry)
                #expect(board.insert(entry, category: category, argument: argument) == key)
                if key != nil { naive.words[entry.number] = (category, argument) }
            case 5:
                let entry = entry()
                let former = known?.number ?? 0
                let left = known.map(naive.key)
                _ = naive.remove { $0.number == former }
                #expect(board.replace(former, with: entry) == Set([left, add(entry)].compactMap { $0 }))
            case 6:
                let number = known?.number ?? lastNumber + 1
                #expect(board.remove(number) == known.map(naive.key))
                _ = naive.remove { $0.number == number }
            case 7:
                guard let known else { return }
                let (key, end) = (naive.key(known), random(1...lastNumber + 1))
                let model = naive
                #expect(board.clear(key, upTo: end) == naive.remove { model.key($0) == key && $0.number <= end })
            case 8:
                let installation = random(0...30) == 0 ? nil : Int32(random(1...3))
                let end = random(1...lastNumber + 1) / 3
                #expect(
                    board.clear(installation: installation, upTo: end)
                        == naive.remove {
                            !$0.isHeld && $0.number <= end && (installation ?? $0.installation) == $0.installation
                        }
                )
            case 9:
                let several = naive.entries.shuffled(using: &generator).prefix(Int(random(0...5))).map(\.number)
                board.remove(several + [lastNumber + 7] + several.prefix(1))
                _ = naive.remove { several.contains($0.number) }
            default:
                let installation = Int32(random(1...3))
                let grouping = StackGrouping.allCases.randomElement(using: &generator) ?? .automatic
                board.setGrouping(grouping, of: installation)
                naive.groupings[installation] = grouping
            }
        }

        /// Bytes, because texts are equal where their canonical forms are.
        static func bytes(_ member: StackSummary.Member) -> [[UInt8]?] {
            [member.category.map { Array($0.utf8) }, member.argument.map { Array($0.utf8) }, [UInt8(member.count)]]
        }

        mutating func compare() {
            #expect(board.count == naive.entries.count)
            for isHeld in [false, true] {
                let stacks = naive.stacks(isHeld: isHeld)
                #expect(board.stacks(isHeld: isHeld, limit: .max) == stacks)
                let keys = stacks.map(\.key)
                let found = board.summaryMembers(of: keys)
                #expect(found.map { $0.map(Self.bytes) } == keys.map { naive.summary($0).map(Self.bytes) })
                guard let stack = stacks.randomElement(using: &generator) else { continue }
                let members = naive.members(stack.key)
                #expect(board.members(of: stack.key) == members)
                #expect(board.stack(stack.key) == stack)
                let (before, limit) = (random(1...lastNumber), Int(random(0...5)))
                #expect(
                    board.members(of: stack.key, before: before, limit: limit)
                        == Array(members.filter { $0.number < before }.prefix(limit))
                )
                #expect(
                    board.stacks(isHeld: isHeld, before: before, limit: limit)
                        == Array(stacks.filter { $0.leading.number < before }.prefix(limit))
                )
                let app = stack.key.installation
                #expect(
                    board.stacks(isHeld: isHeld, of: app, before: before, limit: limit)
                        == Array(
                            stacks.filter { $0.key.installation == app && $0.leading.number < before }.prefix(limit)
                        )
                )
            }
            let end = random(0...lastNumber)
            #expect(board.count(after: end) == naive.entries.count { $0.number > end })
            for entry in naive.entries.prefix(3) { #expect(board.key(of: entry.number) == naive.key(entry)) }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `both boards agree after each of thousands of random steps`(seed: UInt64) {
        var pair = Pair(generator: SeededGenerator(seed: seed))
        for _ in 0..<700 {
            pair.step()
            pair.compare()
        }
        let rebuilt = StackBoard(pair.naive.entries, groupings: pair.naive.groupings)
        #expect(rebuilt.stacks(isHeld: false, limit: .max) == pair.board.stacks(isHeld: false, limit: .max))
        pair.board.remove(pair.naive.entries.map(\.number))
        #expect(pair.board.count == 0 && pair.board.wordCount == 0)
    }
}
