// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The notifications of an app that wait for a worker.
struct WaitingLineTests {
    @Test func `the first waits since it came, and one that is taken back since it came before`() {
        var line = WaitingLine<Int>()
        #expect(line.since == nil)
        line.append(1, since: .seconds(3))
        line.append(2, since: .seconds(4))
        #expect(line.since == .seconds(3))
        #expect(line.popFirst() == 1)
        #expect(line.since == .seconds(4))
        line.prepend(1, since: .seconds(3))
        #expect(line.since == .seconds(3))
        line.remove { $0 == 1 }
        #expect(line.removeAll() == [2])
        #expect(line.isEmpty)
    }

    @Test func `a line is full at its bound and not before`() {
        var line = WaitingLine<Int>()
        for number in 1..<WaitingLine<Int>.limit { line.append(number, since: .zero) }
        #expect(!line.isFull)
        line.append(0, since: .zero)
        #expect(line.isFull)
    }
}
