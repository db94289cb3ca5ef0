// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locking

/// The log in which the modules that stand in for Apple's say what they cannot do, and to which an extension's own log
/// goes.
///
/// A worker hands the lines to its host, as `log` messages; any other process has them on standard error. Nothing here
/// runs before the first line is written.
package enum HostLog {
    /// The levels of a worker's `log` message, under the same names.
    package enum Level: String, Sendable, CaseIterable {
        case debug, info, notice, error, fault
    }

    /// Takes one line; called from any thread, one call at a time is not promised.
    package typealias Sink = @Sendable (_ level: Level, _ message: String) -> Void

    private struct State {
        var sink: Sink = HostLog.writeToStandardError
        var warnings: Set<String> = []
    }

    private static let state = Locked(State())

    /// Sends the lines from now on to `sink`; nil sends them to standard error again.
    package static func redirect(to sink: Sink?) {
        state.withLock { $0.sink = sink ?? writeToStandardError }
    }

    /// Writes one line: what it says is read by whoever runs the host, so it holds nothing of a notification.
    package static func write(_ level: Level, _ message: String) {
        // Called outside the lock: a sink may block, or write lines of its own.
        state.withLock { $0.sink }(level, message)
    }

    /// Says what does not work here, at the first call with that text in this process.
    ///
    /// Voice: what, then why; lower case, no full stop.
    package static func warnOnce(_ message: String) {
        guard state.withLock({ $0.warnings.insert(message).inserted }) else { return }
        write(.notice, message)
    }

    private static func writeToStandardError(_ level: Level, _ message: String) {
        var line = "\(level.rawValue): \(message)\n"
        line.withUTF8 { bytes in
            _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
