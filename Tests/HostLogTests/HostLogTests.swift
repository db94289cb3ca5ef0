// SPDX-License-Identifier: Apache-2.0

import HostLog
import Locking
import Testing

/// One sink a process: the tests take turns.
@Suite(.serialized)
struct HostLogTests {
    private static func lines(of body: () -> Void) -> [String] {
        let lines = LineList()
        HostLog.redirect { level, message in lines.append("\(level.rawValue): \(message)") }
        defer { HostLog.redirect(to: nil) }
        body()
        return lines.all
    }

    private final class LineList: Sendable {
        private let guarded = Locked<[String]>([])

        var all: [String] { guarded.withLock { $0 } }

        func append(_ line: String) {
            guarded.withLock { $0.append(line) }
        }
    }

    @Test func `a line reaches the sink with its level`() {
        let lines = Self.lines {
            HostLog.write(.error, "one")
            HostLog.write(.error, "one")
        }
        #expect(lines == ["error: one", "error: one"])
    }

    @Test func `a warning is written once`() {
        let lines = Self.lines {
            HostLog.warnOnce("the first is not there")
            HostLog.warnOnce("the second is not there")
            HostLog.warnOnce("the first is not there")
        }
        #expect(lines == ["notice: the first is not there", "notice: the second is not there"])
    }

    @Test func `a sink may write by itself`() {
        let lines = LineList()
        HostLog.redirect { _, message in
            lines.append(message)
            if message == "outer" { HostLog.write(.debug, "inner") }
        }
        defer { HostLog.redirect(to: nil) }
        HostLog.write(.info, "outer")
        #expect(lines.all == ["outer", "inner"])
    }

    @Test func `without a sink a line goes to standard error`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                HostLog.write(.fault, "nobody listens")
            }
        )
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("fault: nobody listens\n"))
    }
}
