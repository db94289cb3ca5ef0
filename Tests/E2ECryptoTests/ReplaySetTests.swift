// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import E2ECrypto

struct ReplaySetTests {
    private static let minute: Int64 = 60_000
    private let now: Int64 = 1_795_228_800_000

    private func id(_ number: UInt64) -> ReplaySet.ID {
        let high = KeyID(number: number).bytes
        return ReplaySet.ID(reading: (high + high).span)
    }

    @Test func `a row is 24 bytes`() {
        #expect(MemoryLayout<ReplayRow>.stride == 24)
        #expect(ReplaySet.byteCount(capacity: ReplaySet.defaultCapacity) == 3 << 20)
    }

    @Test func `the same push opens again and another does not`() {
        let set = ReplaySet(capacity: 8)
        set.insert(id(1), push: 5, expiry: now + Self.minute, now: now)
        #expect(!set.isReplay(id(1), push: 5, now: now))
        #expect(set.isReplay(id(1), push: 6, now: now))
        #expect(!set.isReplay(id(2), push: 6, now: now))
    }

    @Test func `what has expired is no replay`() {
        let set = ReplaySet(capacity: 8)
        set.insert(id(1), push: 5, expiry: now + Self.minute, now: now)
        #expect(set.isReplay(id(1), push: 6, now: now + Self.minute))
        #expect(!set.isReplay(id(1), push: 6, now: now + 2 * Self.minute))
    }

    @Test func `a full table lets expired rows go first`() {
        let set = ReplaySet(capacity: 8)
        for number: UInt64 in 1...3 { set.insert(id(number), push: 1, expiry: now, now: now) }
        for number: UInt64 in 4...6 { set.insert(id(number), push: 1, expiry: now + 9 * Self.minute, now: now) }
        let later = now + 2 * Self.minute
        set.insert(id(7), push: 1, expiry: later, now: later)
        #expect(set.count == 4)
        #expect(set.droppedCount == 0)
        for number: UInt64 in 4...7 { #expect(set.isReplay(id(number), push: 2, now: later)) }
    }

    @Test func `a table full of live rows drops those that expire first`() {
        let set = ReplaySet(capacity: 8)
        for number: UInt64 in 1...6 {
            set.insert(id(number), push: 1, expiry: now + Int64(number) * Self.minute, now: now)
        }
        set.insert(id(7), push: 1, expiry: now + 7 * Self.minute, now: now)
        #expect(set.droppedCount == 2)
        #expect(
            (1...7).map { set.isReplay(id($0), push: 2, now: now) } == [false, false, true, true, true, true, true]
        )
    }

    @Test func `the next number is one more than the highest it was ever given`() {
        let set = ReplaySet(capacity: 8)
        #expect(set.nextPush == 0)
        set.insert(id(1), push: 5, expiry: now + Self.minute, now: now)
        set.insert(id(2), push: 3, expiry: now + Self.minute, now: now)
        #expect(set.nextPush == 6)
        set.passOver(ReplayRow(id(3), push: 1 << 38 - 1, expiry: 0))
        #expect(set.nextPush == 1 << 38)
        #expect(set.count == 2)
    }

    @Test func `changes that are undone leave no trace`() {
        let set = ReplaySet(capacity: 64)
        set.insert(id(1), push: 5, expiry: now + Self.minute, now: now)
        set.tracksChanges = true
        set.insert(id(2), push: 6, expiry: now + Self.minute, now: now)
        set.insert(id(1), push: 5, expiry: now + 9 * Self.minute, now: now)
        set.insert(id(3), push: 7, expiry: now + Self.minute, now: now)
        set.undoChanges(downTo: 2)
        #expect([2, 3].map { set.isReplay(id($0), push: 9, now: now) } == [true, false])
        set.undoChanges()
        #expect([1, 2, 3].map { set.isReplay(id($0), push: 9, now: now) } == [true, false, false])
        #expect(!set.isReplay(id(1), push: 9, now: now + 2 * Self.minute))
        #expect(set.changeCount == 0)
    }

    @Test func `undone changes make room for others`() {
        let set = ReplaySet(capacity: 8)
        set.tracksChanges = true
        for number: UInt64 in 1...1000 {
            set.insert(id(number), push: 1, expiry: now + Self.minute, now: now)
            set.undoChanges()
        }
        #expect(set.count <= 6)
        #expect(set.droppedCount == 0)
    }

    @Test func `twenty thousand payloads stay within the table`() {
        let set = ReplaySet(capacity: 1 << 10)
        for number: UInt64 in 0..<20_000 {
            set.insert(id(number &* 0x9E37_79B9_7F4A_7C15), push: 1, expiry: now + Self.minute, now: now)
        }
        #expect(set.count <= 3 << 8)
        #expect(set.isReplay(id(19_999 &* 0x9E37_79B9_7F4A_7C15), push: 2, now: now))
    }
}
