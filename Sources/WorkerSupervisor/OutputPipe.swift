// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime

/// The output of a process: the first 256 KiB are kept as lines, the rest is read and thrown away, so that printing
/// neither blocks a worker nor fills anything of ours.
final class OutputPipe {
    static let keptByteCount = 256 << 10
    private static let longestLine = 1024

    private let pipe: WatchedDescriptor
    private var kept = 0
    private var line: [UInt8] = []

    init(
        _ descriptor: consuming Descriptor,
        on loop: EventLoop,
        handler: @escaping EventLoop.Handler
    ) throws(SystemError) {
        pipe = try WatchedDescriptor(descriptor, on: loop, handler: handler)
    }

    func close() {
        pipe.forget()
    }

    /// Reads once and returns the lines that became complete; closes itself at the end of what is written.
    ///
    /// A pipe holds as much as the supervisor's one buffer: a reading empties it.
    func readLines(through buffer: inout [UInt8]) -> [String] {
        let count = unsafe read(pipe.raw, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) {
                close()
                return line.isEmpty ? [] : [takeLine()]
            }
            return []
        }
        let room = max(0, Self.keptByteCount - kept)
        kept += count
        var lines: [String] = []
        for byte in buffer.prefix(min(count, room)) {
            if byte == UInt8(ascii: "\n") || line.count >= Self.longestLine { lines.append(takeLine()) }
            if byte != UInt8(ascii: "\n") { line.append(byte) }
        }
        return lines
    }

    /// Control characters are spelt out, so that a line stays a line in any log.
    private func takeLine() -> String {
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self).asLogLine
    }
}

extension String {
    /// The text as one line of a log: at most 1,024 scalars, with everything that could end, turn or hide a line
    /// spelt out as `\u{…}`.
    var asLogLine: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(1024))).withoutHidden
    }
}
