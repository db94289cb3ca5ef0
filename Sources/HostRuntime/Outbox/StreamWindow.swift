// SPDX-License-Identifier: Apache-2.0

/// The records that a reader was given and has not answered for, within their bounds: a value that does nothing.
package struct StreamWindow {
    /// The bounds of what a reader has unanswered.
    package struct Limits: Sendable, Equatable {
        package var records = 1024
        package var byteCount = 4 << 20

        package init() {}
    }

    private struct Entry {
        let delivery: DeliveryName
        let byteCount: Int
        /// The reader has answered, and the answer is not on the disk yet.
        var isAnswered = false
    }

    private let limits: Limits
    private var entries: [Int64: Entry] = [:]
    private var byteCount = 0

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    package var count: Int { entries.count }
    package var numbers: Set<Int64> { Set(entries.keys) }

    /// The room that is left; `nil` means that the reader has as much as it may.
    ///
    /// A reader that has nothing gets a record of any length.
    package var room: (records: Int, byteCount: Int)? {
        guard entries.count < limits.records, byteCount < limits.byteCount else { return nil }
        return (limits.records - entries.count, limits.byteCount - byteCount)
    }

    /// Adds a record that is not there.
    package mutating func add(_ record: OutboxRecord) {
        entries[record.number] = Entry(delivery: record.delivery, byteCount: record.record.count)
        byteCount += record.record.count
    }

    /// An answer for a record that the reader was not given, or a second one.
    package struct Violation: Error, Equatable {
        package let answer: StreamAnswer

        package init(answer: StreamAnswer) {
            self.answer = answer
        }
    }

    /// Returns what the answers settle; it takes room until `remove`.
    ///
    /// A range begins and ends with records that the reader has. Numbers between them may be other readers' records.
    package mutating func settle(_ answers: [StreamAnswer], of sink: String) throws(Violation) -> [Settlement] {
        var settlements: [Settlement] = []
        for answer in answers {
            switch answer {
            case .taken(let range):
                let taken = unanswered(in: range)
                guard taken.first == range.lowerBound, taken.last == range.upperBound else {
                    throw Violation(answer: answer)
                }
                for number in taken {
                    entries[number]?.isAnswered = true
                    settlements.append(Settlement(sink: sink, number: number, verdict: .delivered))
                }
            case .unfit(let number, let reason):
                guard entries[number]?.isAnswered == false else { throw Violation(answer: answer) }
                entries[number]?.isAnswered = true
                settlements.append(Settlement(sink: sink, number: number, verdict: .dead(reason: reason)))
            }
        }
        return settlements
    }

    /// The names of records that were settled and are still here, in the order of their settlements.
    package func names(of settlements: [Settlement]) -> [DeliveryName] {
        settlements.compactMap { entries[$0.number]?.delivery }
    }

    /// Lets go of what is settled on the disk.
    package mutating func remove(_ settlements: [Settlement]) {
        for settlement in settlements {
            byteCount -= entries.removeValue(forKey: settlement.number)?.byteCount ?? 0
        }
    }

    /// The records in a range that have no answer, in their order; the range may be as long as it likes.
    private func unanswered(in range: ClosedRange<Int64>) -> [Int64] {
        let found = entries.keys.filter { range.contains($0) && entries[$0]?.isAnswered == false }
        return found.sorted()
    }
}
