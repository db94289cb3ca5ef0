// SPDX-License-Identifier: Apache-2.0

/// An index of the places in the table `seen` at which a key may stand: in memory, 6.5 bytes a key.
///
/// An index on random keys in the database would dirty one page a key, which costs more than storing the push. Here
/// the table is only ever appended to and read by number. Keys come and go in the order of their pushes, so the index
/// is a row of segments: each a hash table of 1 MiB for 160,000 keys, which is never resized, and dropped whole once
/// retention has passed its last push. An answer is a guess of 14 bits beside the place; the row decides.
struct SeenIndex {
    private static let placeBits = 18
    private static let offsetBits = 18
    private static let slotCount = 1 << placeBits
    private static let capacity = slotCount * 5 / 8

    private struct Segment {
        /// Fingerprint, 14 bits and never 0, then the push's number above `base`; 0 is empty.
        var slots = [UInt32](repeating: 0, count: SeenIndex.slotCount)
        let base: Int64
        var last: Int64
        var count = 0
    }

    /// A slot filled since `begin()`.
    private struct Entry {
        let segment: Int
        let slot: Int
    }

    private var segments: [Segment] = []
    private var entries: [Entry] = []
    private(set) var count = 0
    /// Keeps a sender from choosing keys that fall together.
    private let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

    var byteCount: Int { segments.count * Self.slotCount * MemoryLayout<UInt32>.size }

    /// Forgets how to undo what was done until now.
    mutating func begin() {
        entries.removeAll(keepingCapacity: true)
    }

    /// Takes back what was inserted since `begin()`.
    mutating func undo() {
        // The last first: a slot filled later may stand behind one filled earlier, never the other way round.
        for entry in entries.reversed() {
            segments[entry.segment].slots[entry.slot] = 0
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
        while segments[current].slots[slot] != 0 { slot = (slot + 1) & (Self.slotCount - 1) }
        segments[current].slots[slot] = fingerprint << UInt32(Self.offsetBits) | UInt32(number - segments[current].base)
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
                let entry = segment.slots[slot]
                if entry == 0 { break }
                if entry >> UInt32(Self.offsetBits) == fingerprint {
                    let number = segment.base + Int64(entry & (1 << UInt32(Self.offsetBits) - 1))
                    if try isIt(number) { return number }
                }
                slot = (slot + 1) & (Self.slotCount - 1)
            }
        }
        return nil
    }

    /// Pushes below this number are no longer in the table.
    mutating func drop(below number: Int64) {
        while let first = segments.first, first.last < number {
            count -= first.count
            segments.removeFirst()
            entries.removeAll(keepingCapacity: true)
        }
    }

    private func hash(_ key: PushKey) -> (place: Int, fingerprint: UInt32) {
        let product = (key.high ^ secret.0).multipliedFullWidth(by: (key.low ^ secret.0) | 1)
        let mixed = (product.high ^ product.low) &* secret.1
        let place = Int(truncatingIfNeeded: mixed >> UInt64(64 - Self.placeBits))
        return (place, max(1, UInt32(truncatingIfNeeded: mixed >> 30) & 0x3FFF))
    }
}
