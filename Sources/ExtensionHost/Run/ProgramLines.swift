// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lines that a program writes to a pipe.
struct ProgramLines {
    /// A line that is longer comes in pieces.
    private static let lineLimit = 64 << 10

    /// A descriptor that is readable once there is more, or the end.
    let descriptor: Int32
    /// True until the end was read.
    private(set) var isOpen = true
    private var rest: [UInt8] = []

    /// Reads from the end of a pipe, and closes that behind the last line.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Returns the lines that are whole by what there is; waits where there is nothing.
    mutating func read() -> [String] {
        guard isOpen else { return [] }
        var bytes = [UInt8](repeating: 0, count: Self.lineLimit)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { rest += bytes[..<count] } else if count == 0 || errno != EINTR { isOpen = false }
        if !isOpen { close(descriptor) }
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let last = lines.popLast() { rest = Array(last) }
        if !rest.isEmpty, !isOpen || rest.count >= Self.lineLimit {
            lines.append(rest[...])
            rest = []
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
