// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The end of a benchmark in which somebody does not answer: one sentence, and no process left behind.
///
/// Sockets of the benchmark wait without a limit of their own, so that none of them measures its own timer.
final class Watchdog: Sendable {
    static let shared = Watchdog()

    private struct State {
        var deadlines: [Int: (end: ContinuousClock.Instant, what: String)] = [:]
        var processes: Set<pid_t> = []
        var last = 0
    }

    private let state = Mutex(State())

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                usleep(100_000)
                let late = state.withLock { state in state.deadlines.values.first { $0.end < .now }?.what }
                if let late { end("\(late) does not answer in time") }
            }
        }
    }

    /// Ends the program unless the body returns within so many seconds; `what` is who has to answer.
    func within<Result>(_ seconds: Int, _ what: String, _ body: () throws -> Result) rethrows -> Result {
        let number = state.withLock { state in
            state.last += 1
            state.deadlines[state.last] = (.now + .seconds(seconds), what)
            return state.last
        }
        defer { state.withLock { $0.deadlines[number] = nil } }
        return try body()
    }

    /// Enters a process that this one has started.
    func enter(_ pid: pid_t) { state.withLock { _ = $0.processes.insert(pid) } }

    /// The process has ended and was waited for.
    func leave(_ pid: pid_t) { state.withLock { _ = $0.processes.remove(pid) } }

    /// Ends the processes that were started, and this one.
    func end(_ error: String) -> Never {
        for pid in state.withLock({ $0.processes }) { kill(pid, SIGKILL) }
        // What was measured so far.
        fflush(nil)
        FileHandle.standardError.write(Data("center-bench: error: \(error)\n".utf8))
        _exit(1)
    }
}

/// A failure of the benchmark, in a sentence for people.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The kernel's reason for the failure of a call.
    static func system(_ call: String) -> BenchError { BenchError("\(call): \(String(cString: strerror(errno)))") }
}
