// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import Store

/// The index of known pushes: what it finds, forgets and takes back, and how much memory it has.
struct SeenIndexTests {
    let folder: StateFolder
    /// A table is full with 163,840 keys.
    static let tableCount = 163_840

    init() throws {
        folder = try StateFolder()
    }

    private static func key(_ number: Int64) -> PushKey {
        var bytes: [UInt8] = []
        for part in 1...2 as ClosedRange<UInt64> {
            // The finalizer of SplitMix64.
            var mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15 &* part
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            withUnsafeBytes(of: mixed) { bytes.append(contentsOf: $0) }
        }
        return PushKey(bytes[...])
    }

    private static func fill(_ index: inout SeenIndex, _ numbers: ClosedRange<Int64>) {
        for number in numbers { index.insert(key(number), number: number) }
    }

    private static func isKnown(_ number: Int64, to index: SeenIndex) -> Bool {
        index.first(key(number)) { $0 == number } == number
    }

    @Test func `full tables are in a file, and what they hold is found there`() {
        var index = SeenIndex(folder: folder.path)
        Self.fill(&index, 1...400_000)
        #expect(index.byteCount == 3 << 20)
        index.begin()
        #expect(index.byteCount == 1 << 20)
        for number in stride(from: Int64(1), through: 400_000, by: 97) { #expect(Self.isKnown(number, to: index)) }
        for number: Int64 in 400_001...401_000 { #expect(!Self.isKnown(number, to: index)) }
    }

    @Test func `a place of a table that was dropped is used again`() {
        var index = SeenIndex(folder: folder.path)
        let count = Int64(Self.tableCount)
        for table: Int64 in 0..<6 {
            Self.fill(&index, table * count + 1...(table + 1) * count)
            index.begin()
            index.drop(below: (table - 1) * count + 1)
        }
        #expect(!Self.isKnown(4 * count, to: index))
        for number in stride(from: 4 * count + 1, through: 6 * count, by: 97) {
            #expect(Self.isKnown(number, to: index))
        }
        #expect(index.count == 2 * Self.tableCount)
        #expect(index.byteCount == 1 << 20)
        #expect(index.fileByteCount == 2 << 20)
    }

    @Test func `a transaction that fills a table is taken back whole`() {
        var index = SeenIndex(folder: folder.path)
        Self.fill(&index, 1...160_000)
        index.begin()
        Self.fill(&index, 160_001...340_000)
        index.undo()
        #expect(index.count == 160_000)
        #expect(index.byteCount == 1 << 20)
        Self.fill(&index, 160_001...340_000)
        index.begin()
        for number in stride(from: Int64(1), through: 340_000, by: 97) { #expect(Self.isKnown(number, to: index)) }
        #expect(index.byteCount == 1 << 20)
    }

    @Test func `without a file all tables stay in memory`() {
        var index = SeenIndex(folder: "/proc")
        Self.fill(&index, 1...200_000)
        index.begin()
        #expect(index.byteCount == 2 << 20)
        for number in stride(from: Int64(1), through: 200_000, by: 97) { #expect(Self.isKnown(number, to: index)) }
    }
}
