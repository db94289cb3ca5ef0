// SPDX-License-Identifier: Apache-2.0

import HostLog
import Locking
import Testing

/// Tests that put a sink into the log of the process: one at a time.
@Suite(.serialized)
struct LogTests {}

struct Line: Equatable, Sendable {
    var level: HostLog.Level
    var message: String
}

/// Runs the body; returns the lines that it writes to the log of the process.
func recordingLog(_ body: () throws -> Void) rethrows -> [Line] {
    let lines = Locked<[Line]>([])
    HostLog.redirect { level, message in lines.withLock { $0.append(Line(level: level, message: message)) } }
    defer { HostLog.redirect(to: nil) }
    try body()
    return lines.withLock { $0 }
}
