// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SceneModel

struct EventNumbersTests {
    @Test func `an acknowledgement is told under the number of whoever opened the view`() {
        var numbers = EventNumbers()
        numbers.sent(1, as: 4)
        numbers.sent(2, as: 9)
        let acknowledged = [numbers.acknowledge(1), numbers.acknowledge(2), numbers.acknowledge(2)]
        #expect(acknowledged == [4, 9, 9])
        #expect(numbers.last == 9)
    }

    @Test func `nothing is acknowledged before an event was taken in`() {
        var numbers = EventNumbers()
        numbers.sent(1, as: 4)
        #expect(numbers.acknowledge(0) == nil)
        var others = EventNumbers()
        others.sent(1, as: others.last)
        #expect(others.acknowledge(1) == nil)
    }

    @Test func `what reaches no process is acknowledged at once, or behind what came before it`() {
        var numbers = EventNumbers()
        #expect(numbers.skipped(1) == 1)
        numbers.sent(1, as: 2)
        #expect(numbers.skipped(3) == nil)
        #expect(numbers.skipped(4) == nil)
        numbers.sent(2, as: 5)
        #expect(numbers.acknowledge(1) == 4)
        #expect(numbers.skipped(6) == nil)
        #expect(numbers.acknowledge(2) == 6)
        #expect(numbers.skipped(7) == 7)
    }

    @Test func `one acknowledgement stands for all events before it`() {
        var numbers = EventNumbers()
        for number in 1...5 as ClosedRange<UInt64> { numbers.sent(number, as: number * 10) }
        #expect(numbers.acknowledge(4) == 40)
        #expect(numbers.acknowledge(5) == 50)
    }

    @Test func `a view that acknowledges nothing costs a bounded memory, and its last word still counts`() {
        var numbers = EventNumbers()
        for number in 1...5000 as ClosedRange<UInt64> { numbers.sent(number, as: number) }
        #expect(numbers.acknowledge(100) == nil)
        #expect(numbers.acknowledge(4000) == 4000)
        #expect(numbers.acknowledge(5000) == 5000)
    }
}
