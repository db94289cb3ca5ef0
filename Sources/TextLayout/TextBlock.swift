// SPDX-License-Identifier: Apache-2.0

/// A text that is broken into lines, measured as the page draws it.
///
/// `TextBlock(runs, in: room)` breaks and measures; `TextFont.width(of:)` measures one line. The same text in the same
/// room gives the same lines and numbers on every machine. A text has at most 400 lines and 8,192 bytes of UTF-8, line
/// ends between its lines included; what goes beyond is left out, and makes the text truncated.
package struct TextBlock: Equatable, Sendable {
    /// Bytes of a text that are looked at, and that are in its lines.
    package static let byteCountLimit = 8_192
    package static let lineCountLimit = 400

    /// A line from the top.
    package struct Line: Equatable, Sendable {
        /// A piece of a line that belongs to one run.
        package struct Part: Equatable, Sendable {
            /// The index of the run.
            package let run: Int
            package var text: String
        }

        /// One at least; an empty line has one without text.
        package var parts: [Part]
        /// Points; a line that is clipped may be wider than its room.
        package var width: Double
        /// Points, a whole number.
        package var height: Double
        /// Points from the line's top to its baseline, a whole number.
        package var baseline: Double
        /// True if a line end of the text or the text's end ends the line, so that it is not justified.
        package var endsParagraph: Bool

        package var text: String { parts.map(\.text).joined() }
    }

    package let lines: [Line]
    /// Points: of the widest line, but not more than the room.
    package let width: Double
    /// Points: the sum of all lines.
    package let height: Double
    /// True if not all of the text is in the lines, or some of it is clipped.
    package let isTruncated: Bool
    /// True if the script of the text needs more than this: the page breaks such a text, and all numbers are a guess.
    package let needsShaping: Bool

    /// Points from the top to the baseline of the first line; `nil` means that there is no line.
    package var firstBaseline: Double? { lines.first?.baseline }
    /// Points from the top to the baseline of the last line; `nil` means that there is no line.
    package var lastBaseline: Double? { lines.last.map { height - $0.height + $0.baseline } }

    /// The lines with U+000A between them.
    package var text: String { lines.map(\.text).joined(separator: "\n") }

    /// The parts of all lines, with U+000A behind each line but the last; neighbours of one run are one part.
    package var parts: [Line.Part] {
        var parts: [Line.Part] = []
        for (index, line) in lines.enumerated() {
            for part in line.parts {
                if let last = parts.last, last.run == part.run {
                    parts[parts.count - 1].text += part.text
                } else {
                    parts.append(part)
                }
            }
            if index < lines.count - 1 { parts[parts.count - 1].text += "\n" }
        }
        return parts
    }

    package init(_ runs: [TextRun], in room: TextRoom) {
        let text = TextClusters(runs)
        var made = TextLines(text, in: room)
        let count = room.count(ofHeights: made.lines.lazy.map(\.height))
        if count < made.lines.count { made = TextLines(text, in: room, atMost: count) }
        lines = made.lines.map(\.line)
        let widest = made.lines.map(\.width).max() ?? 0
        width = min(Double(widest) / Double(TextFont.grainsPerPoint), room.points)
        height = Double(made.lines.reduce(0) { $0 + $1.height })
        isTruncated = made.isTruncated || text.isCut
        needsShaping = text.needsShaping
    }

    package init(_ text: String, font: TextFont, in room: TextRoom) {
        self.init([TextRun(text, font: font)], in: room)
    }
}
