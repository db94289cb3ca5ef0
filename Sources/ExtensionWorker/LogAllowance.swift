// SPDX-License-Identifier: Apache-2.0

/// The number of lines that an extension may still send to the host's log.
///
/// The host drops what goes beyond its rate, and ends a worker that goes on for too long (PROTOCOL.md, "Worker").
/// A chatty extension must not die of its log, so its lines are held back here, a little below that rate, and counted.
struct LogAllowance {
    static let linesAtOnce = 240.0
    static let linesPerSecond = 60.0
    /// Longer lines are cut: a packet holds 65,536 bytes, and each byte may become six in JSON.
    static let lineByteCount = 8192

    private var left = linesAtOnce
    private var then: ContinuousClock.Instant
    private var heldBackCount = 0

    init(now: ContinuousClock.Instant) {
        then = now
    }

    /// The lines to send for one that is to be written now: none, the line, or before it how many were held back.
    mutating func lines(for message: String, now: ContinuousClock.Instant) -> [String] {
        left = min(Self.linesAtOnce, left + (now - then) / .seconds(1) * Self.linesPerSecond)
        then = now
        guard left >= 2 else {
            heldBackCount += 1
            return []
        }
        defer { heldBackCount = 0 }
        left -= heldBackCount == 0 ? 1 : 2
        let line = Self.cut(message)
        return heldBackCount == 0 ? [line] : ["\(heldBackCount) lines of the log were held back: too many", line]
    }

    private static func cut(_ message: String) -> String {
        guard message.utf8.count > lineByteCount else { return message }
        return String(decoding: message.utf8.prefix(lineByteCount), as: UTF8.self) + " [cut]"
    }
}
