// SPDX-License-Identifier: Apache-2.0

/// The numbers that a reader remembers so as to know a record that comes again, as far as the sender can tell: a value.
///
/// Asked of the journal once for so many settlements, because a question and an answer for each would cost as much as
/// the record.
struct ReaderMemory {
    private var count = 0
    private var largest: Int64 = 0
    private var floor: Int64 = 1

    /// These were settled, and are on the disk.
    mutating func add(_ numbers: [Int64]) {
        count += numbers.count
        largest = max(largest, numbers.max() ?? 0)
    }

    /// True if the reader should be told now; `drain` says that nothing more comes on this connection.
    func isDue(drain: Bool) -> Bool { count >= StreamSender.forgetInterval || (drain && count > 0) }

    /// Returns the number below which nothing comes again, if it has risen; counting begins anew.
    ///
    /// `leastOpen` is the journal's; without one, everything up to the largest number is settled.
    mutating func floor(leastOpen: Int64?) -> Int64? {
        count = 0
        let next = leastOpen ?? largest + 1
        guard next > floor else { return nil }
        floor = next
        return next
    }
}
