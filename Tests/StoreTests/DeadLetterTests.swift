// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import Store
import TestClock
import Testing

struct DeadLetterTests {
    let folder: StateFolder
    let journal: Journal

    /// Pushes 1 to 3 of one device; sinks "audit" and "phone" gave up 1 and 2.
    init() throws {
        folder = try StateFolder()
        journal = try folder.journal()
        try journal.accept((1...3).map { try .sample($0) })
        for number in 1...3 as ClosedRange<Int64> {
            try journal.conclude([number], record: Array("record \(number)".utf8), sinks: ["phone", "audit"])
        }
        for number in 1...2 as ClosedRange<Int64> {
            try journal.settle("phone", number, .retry(after: .zero, reason: "503"))
            try journal.settle("phone", number, .dead(reason: "400 Bad Request"))
            try journal.settle("audit", number, .dead(reason: "404 Not Found"))
        }
    }

    private func due(_ sink: String = "phone") throws -> [Int64] {
        try journal.due(for: sink, limit: 10).map(\.number)
    }

    @Test func `a list names sink, push, reason and attempts, beside a running host`() throws {
        let before = Date()
        let letters = try DeadLetters(folder: folder.path)
        let list = try letters.list(limit: 10)
        #expect(list.map(\.sink) == ["audit", "audit", "phone", "phone"])
        #expect(list.map(\.number) == [1, 2, 1, 2])
        #expect(list.map(\.delivery) == list.map { journal.delivered(as: $0.number) })
        #expect(letters.names(journal.delivered(as: 1)))
        #expect(list.map(\.attempts) == [1, 1, 2, 2])
        #expect(list.map(\.reason) == ["404 Not Found", "404 Not Found", "400 Bad Request", "400 Bad Request"])
        #expect(list.map(\.deviceToken) == ["00", "00", "00", "00"])
        #expect(
            list.map { String(decoding: $0.record, as: UTF8.self) } == ["record 1", "record 2", "record 1", "record 2"]
        )
        #expect(list.allSatisfy { abs($0.date.timeIntervalSince(before)) < 60 })
    }

    @Test func `a list goes on after a former one, and keeps to its selection`() throws {
        let letters = try DeadLetters(folder: folder.path)
        let first = try letters.list(limit: 3)
        #expect(try letters.list(after: first.last, limit: 3).map(\.number) == [2])
        #expect(try letters.list(.init(sink: "audit"), limit: 10).map(\.number) == [1, 2])
        #expect(
            try letters.list(.init(delivery: journal.delivered(as: 2)), limit: 10).map(\.sink) == ["audit", "phone"]
        )
        #expect(try letters.list(.init(sink: "unheard of"), limit: 10).isEmpty)
        let foreign = DeliveryName(store: "00000000", count: 2)
        #expect(!letters.names(foreign))
        #expect(try letters.list(.init(delivery: foreign), limit: 10).isEmpty)
        #expect(try letters.drop(.init(delivery: foreign)) == 0)
    }

    @Test(.timeLimit(.minutes(5))) func `a host that maintains its journal hears of what was replayed`() async throws {
        let letters = try DeadLetters(folder: folder.path)
        for number in 1...2 as ClosedRange<Int64> {
            #expect(try letters.replay(.init(sink: "audit", delivery: journal.delivered(as: number))) == 1)
            _ = try journal.maintain()
            await journal.othersWrote.wait()
        }
    }

    @Test func `what is replayed goes before later records of its device`() throws {
        #expect(try due() == [3])
        let letters = try DeadLetters(folder: folder.path)
        #expect(try letters.replay(.init(sink: "phone", delivery: journal.delivered(as: 2))) == 1)
        #expect(try due() == [2])
        #expect(try letters.replay(.init(sink: "phone")) == 1)
        #expect(try due() == [1])
        #expect(try journal.due(for: "phone", limit: 1).first?.attempts == 0)
        #expect(try letters.list(.init(sink: "phone"), limit: 10).isEmpty)

        try journal.settle("phone", 1, .delivered)
        try journal.settle("phone", 2, .delivered)
        #expect(try due() == [3])
    }

    @Test func `the record that was on its way meanwhile may fail without overtaking`() throws {
        let letters = try DeadLetters(folder: folder.path)
        #expect(try letters.replay(.init(sink: "phone")) == 2)
        try journal.settle("phone", 3, .retry(after: .zero, reason: "503"))
        #expect(try due() == [1])
    }

    @Test func `the host counts what the command moved at its next maintenance`() throws {
        let letters = try DeadLetters(folder: folder.path)
        #expect(try letters.replay(.init(sink: "phone", delivery: journal.delivered(as: 1))) == 1)
        #expect(try letters.drop(.init(sink: "audit")) == 2)
        _ = try journal.maintain()
        let sinks = journal.statistics.sinks
        #expect(sinks["phone"]?.waiting == 2)
        #expect(sinks["phone"]?.waitingByteCount == 16)
        #expect(sinks["phone"]?.dead == 1)
        #expect(sinks["audit"]?.waiting == 1)
        #expect(sinks["audit"]?.dead == 0)
    }

    @Test func `what is dropped is gone, and the sink's records go on`() throws {
        let letters = try DeadLetters(folder: folder.path)
        #expect(try letters.drop(.init()) == 4)
        #expect(try letters.list(limit: 10).isEmpty)
        #expect(try due() == [3])
    }

    @Test func `dead letters go after thirty days`() throws {
        folder.clock.advance(to: .seconds(30 * 24 * 3600))
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.sinks["phone"]?.dead == 2)
        folder.clock.advance(to: .milliseconds(30 * 24 * 3600 * 1000 + 1))
        #expect(try journal.maintain() == false)
        #expect(journal.statistics.sinks["phone"]?.dead == 0)
        #expect(try DeadLetters(folder: folder.path).list(limit: 10).isEmpty)
    }

    @Test func `beyond their limit the oldest go`() throws {
        var limits = JournalLimits()
        limits.deadLetters = 2
        let folder = try StateFolder()
        let journal = try folder.journal(limits)
        try journal.accept((1...4).map { try .sample($0) })
        for number in 1...4 as ClosedRange<Int64> {
            try journal.conclude([number], record: [1], sinks: ["phone"])
            try journal.settle("phone", number, .dead(reason: "400"))
        }
        #expect(try journal.maintain() == false)
        #expect(try DeadLetters(folder: folder.path).list(limit: 10).map(\.number) == [3, 4])
    }

    @Test func `there is no journal to be made by the command`() throws {
        let folder = try StateFolder()
        #expect(
            throws: StoreError(
                .unusable,
                "\"\(folder.database)\": No such file or directory",
                hint: "name the state folder of a host"
            )
        ) { try DeadLetters(folder: folder.path) }
    }
}
