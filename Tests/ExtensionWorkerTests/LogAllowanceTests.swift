// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionWorker

struct LogAllowanceTests {
    private let start = ContinuousClock.now

    @Test func `lines within the rate are all sent`() {
        var allowance = LogAllowance(now: start)
        for second in 0..<10 {
            let now = start + .seconds(second)
            #expect((0..<60).allSatisfy { _ in allowance.lines(for: "line", now: now) == ["line"] })
        }
    }

    @Test func `what goes beyond the rate is held back and counted`() {
        var allowance = LogAllowance(now: start)
        let sent = (0..<1000).filter { _ in !allowance.lines(for: "line", now: start).isEmpty }
        #expect(sent.count == 239)
        #expect(
            allowance.lines(for: "later", now: start + .seconds(1))
                == ["761 lines of the log were held back: too many", "later"]
        )
        #expect(allowance.lines(for: "next", now: start + .seconds(1)) == ["next"])
    }

    @Test func `a long line is cut`() throws {
        var allowance = LogAllowance(now: start)
        let line = try #require(allowance.lines(for: String(repeating: "ä", count: 5000), now: start).first)
        #expect(line == String(repeating: "ä", count: 4096) + " [cut]")
    }
}
