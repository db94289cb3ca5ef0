// SPDX-License-Identifier: Apache-2.0

/// The envelopes that were opened in some partitions, each with the place of its push, 16 bytes and some slack a row.
///
/// An envelope is known by 64 bits of a hash of its identifier, seeded anew in each process. Rows are kept by the day
/// on which they expire, so that a day goes as a whole.
struct OpenedMemory {
    private struct Day {
        let number: Int64
        var rows: [Partition: [Int: Int64]] = [:]
        var count = 0
    }

    private static let day: Int64 = 24 * 3600
    private let limit: Int
    /// The days, those that expire first before the others.
    private var days: [Day] = []

    /// Makes a memory that forgets the rows of whole days beyond so many, those that expire first.
    init(limit: Int = 1_000_000) {
        self.limit = limit
    }

    var isFull: Bool { count >= limit }
    var count: Int { days.reduce(0) { $0 + $1.count } }

    /// The place under which an envelope was opened; nil if it was not, or nobody knows any more.
    func place(of id: [UInt8], in part: Partition) -> Int64? {
        let hash = id.hashValue
        for day in days {
            if let place = day.rows[part]?[hash] { return place }
        }
        return nil
    }

    /// Notes an envelope, unless it is known under another place.
    mutating func note(_ mark: OpenedMark) {
        guard place(of: mark.id, in: mark.place.part) == nil else { return }
        let number = mark.expiry / Self.day
        let index = days.firstIndex { $0.number >= number } ?? days.count
        if index == days.count || days[index].number != number { days.insert(Day(number: number), at: index) }
        days[index].rows[mark.place.part, default: [:]][mark.id.hashValue] = mark.place.number
        days[index].count += 1
        while count > limit, days.count > 1 { days.removeFirst() }
        // One day alone has more than the limit: what is there is given up for what comes.
        if count > limit { days[0] = Day(number: days[0].number) }
    }

    /// Takes an envelope back that turned out not to be opened.
    mutating func remove(_ mark: OpenedMark) {
        for index in days.indices where days[index].rows[mark.place.part]?[mark.id.hashValue] == mark.place.number {
            days[index].rows[mark.place.part]?[mark.id.hashValue] = nil
            days[index].count -= 1
        }
    }

    /// Forgets what expired a day ago or earlier; `now` is in seconds since 1970.
    mutating func prune(now: Int64) {
        while let first = days.first, first.number < now / Self.day - 1 { days.removeFirst() }
    }

    /// Forgets everything of a partition.
    mutating func forget(_ part: Partition) {
        for index in days.indices { days[index].count -= days[index].rows.removeValue(forKey: part)?.count ?? 0 }
    }
}
