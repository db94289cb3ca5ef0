// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

struct StreamWindowTests {
    private static func record(_ number: Int64, byteCount: Int = 10) -> OutboxRecord {
        OutboxRecord(
            sink: "center",
            number: number,
            delivery: DeliveryName(store: "5f2c9a1e", count: number),
            deviceToken: "00",
            record: Array(repeating: 0x20, count: byteCount),
            attempts: 0
        )
    }

    private static func window(_ numbers: Int64..., records: Int = 4, byteCount: Int = 100) -> StreamWindow {
        var limits = StreamWindow.Limits()
        (limits.records, limits.byteCount) = (records, byteCount)
        var window = StreamWindow(limits)
        for number in numbers { window.add(record(number)) }
        return window
    }

    private static func delivered(_ numbers: Int64...) -> [Settlement] {
        numbers.map { Settlement(sink: "center", number: $0, verdict: .delivered) }
    }

    @Test func `a reader gets 1,024 records or 4 MiB`() {
        let limits = StreamWindow.Limits()
        #expect(limits.records == 1024)
        #expect(limits.byteCount == 4_194_304)
    }

    @Test func `each record takes room in number and length`() throws {
        let room = try #require(Self.window(1, 2).room)
        #expect(room.records == 2)
        #expect(room.byteCount == 80)
    }

    @Test func `a window is full by number`() {
        #expect(Self.window(1, 2, 3, 4).room == nil)
    }

    @Test func `a window is full by length, with a last record that goes beyond`() {
        var window = Self.window(1, byteCount: 15)
        window.add(Self.record(2))
        #expect(window.room == nil)
    }

    @Test func `a range settles what the reader has, and not what lies between`() throws {
        var window = Self.window(3, 5, 9)
        #expect(try window.settle([.taken(3...5)], of: "center") == Self.delivered(3, 5))
        #expect(window.numbers == [3, 5, 9])
    }

    @Test func `what is answered takes room until it is on the disk`() throws {
        var window = Self.window(1, 2, 3, 4)
        let settlements = try window.settle([.taken(1...2)], of: "center")
        #expect(window.room == nil)
        window.remove(settlements)
        let room = try #require(window.room)
        #expect(room.records == 2)
        #expect(room.byteCount == 80)
        #expect(window.numbers == [3, 4])
    }

    @Test func `an unfit record becomes a dead letter`() throws {
        var window = Self.window(1)
        #expect(
            try window.settle([.unfit(1, reason: "unknownApp")], of: "center")
                == [Settlement(sink: "center", number: 1, verdict: .dead(reason: "unknownApp"))]
        )
    }

    @Test(arguments: [
        StreamAnswer.taken(1...4), .taken(0...2), .taken(3...3), .taken(4...9), .taken(.min ... .max),
        .unfit(3, reason: "badRecord"),
    ])
    func `an answer for a record that the reader has not is a violation`(answer: StreamAnswer) {
        var window = Self.window(1, 2)
        #expect(throws: StreamWindow.Violation(answer: answer)) { try window.settle([answer], of: "center") }
    }

    @Test(arguments: [StreamAnswer.taken(1...1), .taken(1...2), .unfit(1, reason: "badRecord")])
    func `a second answer is a violation`(second: StreamAnswer) {
        var window = Self.window(1, 2)
        #expect(throws: StreamWindow.Violation(answer: second)) {
            try window.settle([.taken(1...1), second], of: "center")
        }
    }

    @Test func `the longest range costs no more than the window`() throws {
        var window = Self.window(1, .max - 1)
        #expect(try window.settle([.taken(1...(.max - 1))], of: "center") == Self.delivered(1, .max - 1))
    }
}
