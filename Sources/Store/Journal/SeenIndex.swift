// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// An index of the places in the table `seen` at which a key may stand, 6.5 bytes a key.
///
/// An index on random keys in the database would dirty one page a key, which costs more than storing the push. Here
/// the table is only ever appended to and read by number. Keys come and go in the order of their pushes, so the index
/// is a row of segments: each a hash table of 1 MiB for 160,000 keys, which is never resized, and dropped whole once
/// retention has passed its last push. The last one is in memory; the others, which do not change any more, are in a
/// file. An answer is a guess of 14 bits beside the place; the row decides.
struct SeenIndex {
    private static let offsetBits = 18
    private static let capacity = SeenTable.slotCount * 5 / 8

    private struct Segment {
        /// Fingerprint, 14 bits and never 0, then the push's number above `base`; 0 is empty.
        let table = SeenTable()
        let base: Int64
        var last: Int64
        var count = 0
    }

    /// A slot filled since `begin()`.
    private struct Entry {
        let segment: Int
        let slot: Int
    }

    /// `nil` where there can be none: all segments stay in memory.
    private let file: SeenFile?
    private var segments: [Segment] = []
    /// Segments that were moved to the file, or whose move was refused: all before the last of the transaction before.
    private var settledCount = 0
    private var entries: [Entry] = []
    private(set) var count = 0
    /// Keeps a sender from choosing keys that fall together.
    private let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

    /// Makes an empty index, whose full segments go to a file in `folder`.
    init(folder: String) {
        file = SeenFile(folder: folder)
    }

    /// Bytes of memory; the file's are not among them.
    var byteCount: Int { segments.count { $0.table.isInMemory } * SeenTable.byteCount }

    /// Bytes of the file, places of dropped tables among them.
    var fileByteCount: Int { file?.byteCount ?? 0 }

    /// Forgets how to undo what was done until now, and moves segments that were full before to the file.
    mutating func begin() {
        entries.removeAll(keepingCapacity: true)
        guard let file else { return }
        while settledCount < segments.count - 1 {
            segments[settledCount].table.move(to: file)
            settledCount += 1
        }
    }

    /// Takes back what was inserted since `begin()`.
    mutating func undo() {
        // The last first: a slot filled later may stand behind one filled earlier, never the other way round.
        for entry in entries.reversed() {
            segments[entry.segment].table.slots[entry.slot] = 0
            segments[entry.segment].count -= 1
            count -= 1
        }
        while segments.last?.count == 0 { segments.removeLast() }
        entries.removeAll(keepingCapacity: true)
    }

    /// Numbers come in ascending order; the same one may come twice.
    mutating func insert(_ key: PushKey, number: Int64) {
        if let last = segments.last, last.count < Self.capacity, number - last.base < 1 << Self.offsetBits {
        } else {
            segments.append(Segment(base: number, last: number))
        }
        let current = segments.count - 1
        let (place, fingerprint) = hash(key)
        var slot = place
        let slots = segments[current].table.slots
        while slots[slot] != 0 { slot = (slot + 1) & (SeenTable.slotCount - 1) }
        slots[slot] = fingerprint << UInt32(Self.offsetBits) | UInt32(number - segments[current].base)
        segments[current].last = number
        segments[current].count += 1
        count += 1
        entries.append(Entry(segment: current, slot: slot))
    }

    /// The first of the numbers under which the key may be that `isIt` confirms.
    func first(_ key: PushKey, where isIt: (Int64) throws -> Bool) rethrows -> Int64? {
        let (place, fingerprint) = hash(key)
        for segment in segments {
            var slot = place
            while true {
                let entry = segment.table.slots[slot]
                if entry == 0 { break }
                if entry >> UInt32(Self.offsetBits) == fingerprint {
                    let number = segment.base + Int64(entry & (1 << UInt32(Self.offsetBits) - 1))
                    if try isIt(number) { return number }
                }
                slot = (slot + 1) & (SeenTable.slotCount - 1)
            }
        }
        return nil
    }

    /// Pushes below this number are no longer in the table.
    mutating func drop(below number: Int64) {
        while let first = segments.first, first.last < number {
            count -= first.count
            segments.removeFirst()
            settledCount = max(0, settledCount - 1)
            entries.removeAll(keepingCapacity: true)
        }
    }

    private func hash(_ key: PushKey) -> (place: Int, fingerprint: UInt32) {
        let product = (key.high ^ secret.0).multipliedFullWidth(by: (key.low ^ secret.0) | 1)
        let mixed = (product.high ^ product.low) &* secret.1
        let place = Int(truncatingIfNeeded: mixed >> UInt64(64 - SeenTable.placeBits))
        return (place, max(1, UInt32(truncatingIfNeeded: mixed >> 30) & 0x3FFF))
    }
}
