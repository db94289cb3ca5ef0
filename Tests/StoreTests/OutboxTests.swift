// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Store
import TestClock
import Testing

struct OutboxTests {
    let folder: StateFolder
    let journal: Journal

    /// Pushes 1, 2 and 4 are one device's, 3 another's.
    init() throws {
        folder = try StateFolder()
        journal = try folder.journal()
        try journal.accept((1...4).map { try .sample($0, device: $0 == 3 ? "03" : "00") })
        for number in 1...4 as ClosedRange<Int64> {
            try journal.conclude(
                [number],
                record: Array("record \(number)".utf8),
                token: number == 3 ? "03" : "00",
                sinks: ["phone", "audit"]
            )
        }
    }

    private func due(_ sink: String = "phone") throws -> [Int64] {
        try journal.due(for: sink, limit: 10).map(\.number)
    }

    private func sink(_ waiting: Int, _ byteCount: Int, _ dead: Int) -> JournalStatistics.Sink {
        var sink = JournalStatistics.Sink()
        (sink.waiting, sink.waitingByteCount, sink.dead) = (waiting, byteCount, dead)
        return sink
    }

    @Test func `each sink gets each device's oldest record`() throws {
        #expect(
            try journal.due(for: "phone", limit: 10) == [
                OutboxRecord(
                    sink: "phone",
                    number: 1,
                    delivery: journal.delivered(as: 1),
                    deviceToken: "00",
                    record: Array("record 1".utf8),
                    attempts: 0
                ),
                OutboxRecord(
                    sink: "phone",
                    number: 3,
                    delivery: journal.delivered(as: 3),
                    deviceToken: "03",
                    record: Array("record 3".utf8),
                    attempts: 0
                ),
            ]
        )
        #expect(try journal.due(for: "phone", limit: 1).map(\.number) == [1])
        #expect(try due("audit") == [1, 3])
        #expect(try due("unheard of").isEmpty)
    }

    @Test func `the next of a device follows the one that was delivered`() throws {
        try journal.settle("phone", 1, .delivered)
        #expect(try due() == [2, 3])
        try journal.settle("phone", 2, .delivered)
        try journal.settle("phone", 3, .delivered)
        #expect(try due() == [4])
        #expect(try due("audit") == [1, 3])
    }

    @Test func `a failed attempt holds its device until its time, and no other`() throws {
        try journal.settle("phone", 1, .retry(after: .seconds(60), reason: "503"))
        #expect(try due() == [3])
        folder.clock.advance(to: .milliseconds(59_999))
        #expect(try due() == [3])
        folder.clock.advance(to: .seconds(60))
        #expect(try due() == [1, 3])
        #expect(try journal.due(for: "phone", limit: 1).first?.attempts == 1)
    }

    @Test func `a dead letter is out of the way`() throws {
        try journal.settle("phone", 1, .dead(reason: "400"))
        #expect(try due() == [2, 3])
        #expect(journal.statistics.sinks["phone"] == sink(3, 24, 1))
        #expect(journal.statistics.sinks["audit"] == sink(4, 32, 0))
    }

    @Test func `a settlement that comes twice is one`() throws {
        try journal.settle("phone", 1, .delivered)
        try journal.settle("phone", 1, .delivered)
        try journal.settle("phone", 1, .dead(reason: "400"))
        try journal.settle("unheard of", 1, .delivered)
        #expect(journal.statistics.sinks["phone"] == sink(3, 24, 0))
    }

    @Test func `a conclusion that comes twice is one`() throws {
        try journal.settle("phone", 1, .delivered)
        try journal.conclude([1], record: [1], sinks: ["phone"])
        #expect(try due() == [2, 3])
    }

    @Test func `records wait for the next process, in their order`() throws {
        try journal.settle("phone", 1, .retry(after: .seconds(60), reason: "503"))
        let before = journal.statistics.sinks
        try journal.close()
        let next = try folder.journal()
        #expect(next.statistics.sinks == before)
        #expect(try next.due(for: "phone", limit: 10).map(\.number) == [3])
        folder.clock.advance(to: .seconds(60))
        #expect(try next.due(for: "phone", limit: 10).map(\.number) == [1, 3])
    }
}

/// The outbox as a reader of many records at a time sees it.
struct OutboxStreamTests {
    let folder: StateFolder
    let journal: Journal

    init() throws {
        folder = try StateFolder()
        journal = try folder.journal()
        try journal.accept((1...5).map { try .sample($0, device: "00") })
    }

    private func conclude(_ numbers: Int64..., byteCount: Int = 10, sinks: [String] = ["center"]) throws {
        for number in numbers {
            let record = [UInt8](repeating: 0x20, count: byteCount)
            try journal.conclude([number], record: record, token: "00", sinks: sinks)
        }
    }

    private func waiting(except: Set<Int64> = [], limit: Int = 10, byteCount: Int = 1000) throws -> [Int64] {
        try journal.waiting(for: "center", except: except, limit: limit, byteCount: byteCount).map(\.number)
    }

    @Test func `all records of a device are given, in the order of their pushes and not of their ends`() throws {
        try conclude(2, 4, 1)
        #expect(try waiting() == [1, 2, 4])
        #expect(try waiting(except: [2]) == [1, 4])
        try conclude(3)
        #expect(try waiting(except: [1, 2, 4]) == [3])
    }

    @Test func `a record is given whole`() throws {
        try conclude(1)
        let record = [UInt8](repeating: 0x20, count: 10)
        #expect(
            try journal.waiting(for: "center", except: [], limit: 1, byteCount: 10)
                == [
                    OutboxRecord(
                        sink: "center",
                        number: 1,
                        delivery: journal.delivered(as: 1),
                        deviceToken: "00",
                        record: record,
                        attempts: 0
                    )
                ]
        )
    }

    @Test func `both bounds end the answer, and the first of all is given whatever its length`() throws {
        try conclude(1, 2, 3, byteCount: 100)
        #expect(try waiting(limit: 2) == [1, 2])
        #expect(try waiting(byteCount: 299) == [1, 2])
        #expect(try waiting(byteCount: 300) == [1, 2, 3])
        #expect(try waiting(byteCount: 1) == [1])
        #expect(try waiting(except: [1], byteCount: 99) == [])
    }

    @Test func `other sinks' records, and settled ones, are not among them`() throws {
        try conclude(1, sinks: ["phone"])
        try conclude(2, 3, sinks: ["phone", "center", "audit"])
        var work = JournalWork()
        work.settlements = [Settlement(sink: "center", number: 2, verdict: .delivered)]
        _ = try journal.commit(work) { _ in true }
        #expect(try waiting() == [3])
        #expect(try journal.waiting(for: "unheard of", except: [], limit: 9, byteCount: 9).isEmpty)
    }

    @Test func `the least number that may come is that of the oldest without an outcome or on its way`() throws {
        #expect(try journal.leastOpen(for: "center") == 1)
        try conclude(1, 3)
        try conclude(2, 4, 5, sinks: ["phone"])
        #expect(try journal.leastOpen(for: "center") == 1)
        #expect(try journal.leastOpen(for: "phone") == 2)
        #expect(try journal.leastOpen(for: "unheard of") == nil)
        var work = JournalWork()
        work.settlements = [
            Settlement(sink: "center", number: 1, verdict: .delivered),
            Settlement(sink: "center", number: 3, verdict: .dead(reason: "badRecord")),
        ]
        _ = try journal.commit(work) { _ in true }
        #expect(try journal.leastOpen(for: "center") == nil)
    }
}
