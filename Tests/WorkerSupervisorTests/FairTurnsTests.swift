// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

struct FairTurnsTests {
    @Test func `the app whose turn is longest ago is next, and within it who asked first`() {
        var turns = FairTurns<String>()
        turns.take(of: "a")
        for waiter in ["a1", "a2", "a3", "b1", "b2", "c1"] { turns.wait(waiter, of: String(waiter.prefix(1))) }
        #expect((0..<6).map { _ in turns.next() } == ["b1", "c1", "a1", "b2", "a2", "a3"])
        #expect(turns.next() == nil)
    }

    @Test func `who gives up has no turn`() {
        var turns = FairTurns<String>()
        for waiter in ["a1", "a2"] { turns.wait(waiter, of: "a") }
        #expect(turns.remove { $0 == "a1" } == "a1")
        #expect(turns.remove { $0 == "a1" } == nil)
        #expect(turns.next() == "a2")
    }
}
