// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, and keeps no more than one line of it.
package struct LineSplitter {
    package enum Line: Equatable {
        /// A line without its newline; never blank.
        case text([UInt8])
        /// Longer than the limit; its bytes are gone.
        case tooLong
    }

    private let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false
    /// Lines seen, blank ones included: the number of the line that came last.
    private(set) var number = 0

    /// `limit` is the longest line taken, in bytes, the newline not counted.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Appends the lines that end in this chunk, each with its number from 1.
    package mutating func read(_ chunk: ArraySlice<UInt8>, into lines: inout [(number: Int, line: Line)]) {
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            rest = rest[(end + 1)...]
            finish(into: &lines)
        }
        keep(rest)
    }

    /// Appends the last line if no newline ended it.
    package mutating func end(into lines: inout [(number: Int, line: Line)]) {
        if isSkipping || !partial.isEmpty { finish(into: &lines) }
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        if partial.count + piece.count > limit {
            isSkipping = true
            partial = []
        }
        if !isSkipping { partial.append(contentsOf: piece) }
    }

    private mutating func finish(into lines: inout [(number: Int, line: Line)]) {
        number += 1
        if isSkipping {
            lines.append((number, .tooLong))
        } else if partial.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
            lines.append((number, .text(partial)))
        }
        isSkipping = false
        partial = []
    }
}
