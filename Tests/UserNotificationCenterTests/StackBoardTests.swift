// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import UserNotificationCenter

/// Stacks of an owner's notifications: what forms one, their order, and what a change leaves.
struct StackBoardTests {
    private static func key(_ scope: StackKey.Scope, of installation: Int32 = 1, held: Bool = false) -> StackKey {
        StackKey(installation: installation, scope: scope, isHeld: held)
    }

    /// Two threads of one app, one without a thread, another app, and one that is held.
    private static let entries = [
        StackEntry(number: 1, installation: 1, thread: 10, count: 3),
        StackEntry(number: 2, installation: 1, thread: 20),
        StackEntry(number: 3, installation: 1),
        StackEntry(number: 4, installation: 2, thread: 10),
        StackEntry(number: 5, installation: 1, thread: 10, count: 4),
        StackEntry(number: 6, installation: 1, thread: 10, isHeld: true),
    ]

    private static func summary(_ board: StackBoard, isHeld: Bool = false) -> [[Int64]] {
        board.stacks(isHeld: isHeld, limit: .max).map { board.members(of: $0.key).map(\.number) }
    }

    @Test(
        arguments: [
            (.automatic, [[5, 1], [4], [3], [2]]), (.byApp, [[5, 3, 2, 1], [4]]), (.off, [[5], [4], [3], [2], [1]]),
        ] as [(StackGrouping, [[Int64]])]
    )
    func `a setting forms these stacks, the newest first`(grouping: StackGrouping, stacks: [[Int64]]) {
        let board = StackBoard(Self.entries.shuffled(), groupings: [1: grouping])
        #expect(Self.summary(board) == stacks)
        #expect(Self.summary(board, isHeld: true) == [[6]])
    }

    @Test func `a setting that changes forms the stacks of its app anew, and no others`() {
        var board = StackBoard(Self.entries)
        board.setGrouping(.byApp, of: 1)
        #expect(Self.summary(board) == [[5, 3, 2, 1], [4]])
        board.setGrouping(.off, of: 1)
        #expect(Self.summary(board) == [[5], [4], [3], [2], [1]])
        board.setGrouping(.automatic, of: 1)
        #expect(Self.summary(board) == [[5, 1], [4], [3], [2]])
    }

    @Test func `a stack says who leads, how many there are and what a summary counts`() {
        let board = StackBoard(Self.entries)
        #expect(
            board.stack(Self.key(.thread(10)))
                == .init(key: Self.key(.thread(10)), leading: Self.entries[4], members: 2, countBehind: 3)
        )
        #expect(board.stack(Self.key(.thread(30))) == nil)
        #expect(board.stack(Self.key(.alone(1))) == nil)
        #expect(board.key(of: 6) == Self.key(.thread(10), held: true))
        #expect(board.key(of: 7) == nil)
    }

    @Test func `an update is the newest in list and stack`() {
        var board = StackBoard(Self.entries)
        let changed = board.replace(1, with: StackEntry(number: 7, installation: 1, thread: 20))
        #expect(changed == [Self.key(.thread(10)), Self.key(.thread(20))])
        #expect(Self.summary(board) == [[7, 2], [5], [4], [3]])
        #expect(board.entry(1) == nil)
    }

    @Test func `a held one that is released is an ordinary row under its new number`() {
        var board = StackBoard(Self.entries)
        board.replace(6, with: StackEntry(number: 7, installation: 1, thread: 10))
        #expect(Self.summary(board) == [[7, 5, 1], [4], [3], [2]])
        #expect(Self.summary(board, isHeld: true) == [])
    }

    @Test func `a number is taken once, and an unknown one is removed by nobody`() {
        var board = StackBoard(Self.entries)
        let before = Self.summary(board)
        #expect(board.insert(StackEntry(number: 3, installation: 9)) == nil)
        #expect(board.remove(99) == nil)
        #expect(Self.summary(board) == before)
        #expect(board.count == 6)
    }

    @Test func `the leading one's removal lets the next one lead`() {
        var board = StackBoard(Self.entries)
        #expect(board.remove(5) == Self.key(.thread(10)))
        #expect(Self.summary(board) == [[4], [3], [2], [1]])
        #expect(board.stack(Self.key(.thread(10)))?.countBehind == 0)
    }

    @Test func `clearing a stack leaves what came meanwhile`() {
        var board = StackBoard(Self.entries)
        board.insert(StackEntry(number: 7, installation: 1, thread: 10))
        #expect(board.clear(Self.key(.thread(10)), upTo: 5) == [1, 5])
        #expect(Self.summary(board) == [[7], [4], [3], [2]])
        #expect(Self.summary(board, isHeld: true) == [[6]])
        #expect(board.clear(Self.key(.thread(10)), upTo: 5) == [])
    }

    @Test func `a notification by itself is cleared as the stack that it is`() {
        var board = StackBoard(Self.entries, groupings: [1: .off])
        #expect(board.clear(Self.key(.alone(3)), upTo: 2) == [])
        #expect(board.clear(Self.key(.alone(4)), upTo: 9) == [])
        #expect(board.clear(Self.key(.alone(3), of: 2), upTo: 9) == [])
        #expect(board.clear(Self.key(.alone(3)), upTo: 3) == [3])
        #expect(board.count == 5)
    }

    @Test func `clearing an app or everything leaves what is held and what came meanwhile`() {
        var board = StackBoard(Self.entries)
        #expect(board.clear(installation: 1, upTo: 3) == [1, 2, 3])
        #expect(Self.summary(board) == [[5], [4]])
        #expect(board.clear(installation: nil, upTo: .max) == [4, 5])
        #expect(board.count == 1)
    }

    @Test func `pages follow each other without a gap`() {
        let board = StackBoard(
            (1...1000).map { StackEntry(number: $0, installation: 1, thread: $0 % 7) },
            groupings: [1: .automatic]
        )
        var members: [Int64] = []
        var leading: [Int64] = []
        // More turns than there are pages: a page that does not go on is a failure, and no test without end.
        for _ in 0..<20 {
            let page = board.members(of: Self.key(.thread(3)), before: members.last, limit: 10)
            #expect(page.count <= 10)
            members += page.map(\.number)
            leading += board.stacks(isHeld: false, before: leading.last, limit: 2).map(\.leading.number)
        }
        #expect(members == (1...1000).reversed().filter { $0 % 7 == 3 })
        #expect(leading == Array((994...1000).reversed()))
        #expect(board.stacks(isHeld: false, limit: 0) == [])
    }

    @Test func `an entry has 24 bytes and keeps what it was given`() {
        #expect(MemoryLayout<StackEntry>.stride == 24)
        for (count, kept) in [(Int.min, 1), (0, 1), (1, 1), (Int(Int32.max), Int(Int32.max)), (.max, Int(Int32.max))] {
            for isHeld in [true, false] {
                let entry = StackEntry(number: .max, installation: .max, thread: .max, count: count, isHeld: isHeld)
                #expect(entry.count == kept && entry.isHeld == isHeld && entry.thread == .max)
            }
        }
        #expect(StackEntry(number: 1, installation: 1).thread == nil)
        #expect(StackEntry(number: 1, installation: 1, thread: 0).thread == 0)
    }

    @Test func `a stack's id is 16 digits of a hash of all that makes its key`() {
        var hashed: [[UInt8]] = []
        let keys = [
            Self.key(.app), Self.key(.thread(1)), Self.key(.alone(1)), Self.key(.app, held: true),
            Self.key(.app, of: 2),
            Self.key(.thread(2)),
        ]
        for key in keys {
            let identifier = key.identifier {
                hashed.append($0)
                return 0xAB
            }
            #expect(identifier == "00000000000000ab")
        }
        #expect(hashed[1] == [0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(Set(hashed).count == keys.count)
        #expect(Self.key(.app).identifier { _ in .max } == "ffffffffffffffff")
    }
}
