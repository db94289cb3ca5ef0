// SPDX-License-Identifier: Apache-2.0

import Locking
import Logging

/// The lines that an extension logged or printed: kept for whoever ran it, or passed on like all that is logged.
///
/// Bound: 1,000 lines and 256 KiB wait to be taken; lines beyond them are only counted.
final class ExtensionLog: Sendable {
    struct Line: Equatable {
        let level: Logger.Level
        /// Printed, not logged.
        let isOutput: Bool
        let text: String
    }

    private struct State {
        var lines: [Line] = []
        var byteCount = 0
        var droppedCount = 0
    }

    let keepsLines: Bool
    private let state = Locked(State())

    init(keepsLines: Bool) {
        self.keepsLines = keepsLines
    }

    func add(_ line: Line) {
        state.withLock { state in
            guard state.lines.count < 1000, state.byteCount + line.text.utf8.count <= 256 << 10 else {
                state.droppedCount += 1
                return
            }
            state.lines.append(line)
            state.byteCount += line.text.utf8.count
        }
    }

    /// Takes out the lines since the last call, and the number of lines that did not fit.
    func take() -> (lines: [Line], droppedCount: Int) {
        state.withLock { state in
            defer { state = State() }
            return (state.lines, state.droppedCount)
        }
    }
}

/// Takes the extension's lines out of the host's log.
struct ExtensionLogHandler: LogHandler {
    let log: ExtensionLog
    var rest: any LogHandler
    /// The lowest level of the host's own lines that are passed on; lines of extensions are taken at every level.
    let threshold: Logger.Level
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata {
        get { rest.metadata }
        set { rest.metadata = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { rest[metadataKey: key] }
        set { rest[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        if let line = event.metadata?["worker.line"] {
            log.add(.init(level: event.level, isOutput: event.message == "output", text: "\(line)"))
        } else if event.level >= threshold {
            rest.log(event: event)
        }
    }
}
