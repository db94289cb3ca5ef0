// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Foreign text in a terminal: the columns that it takes, how it is cut, and what of it is spelt out.
enum DisplayText {
    /// Marks that lie over one letter: more than a word of any language needs, fewer than a text needs to paint with.
    private static let scalarsOfACharacter = 16

    /// The columns of a text without control characters.
    static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + max(0, Int(linux_columns($1.value))) }
    }

    /// The text in one line: what could move, colour or hide something is spelt out, and a stack of marks is cut.
    ///
    /// A joiner stays behind what it joins, an emoji or a letter of a script that has such joints, and is spelt out
    /// everywhere else.
    static func line(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            var former: Unicode.Scalar?
            for scalar in character.unicodeScalars.prefix(scalarsOfACharacter) {
                if [0x200C, 0x200D].contains(scalar.value), former.map(isJoined) ?? false {
                    line.unicodeScalars.append(scalar)
                } else {
                    line += Terminal.visible(String(scalar))
                }
                former = scalar
            }
        }
    }

    /// Scripts from Arabic on have letters that change with their neighbours.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x600 else { return false }
        let properties = scalar.properties
        return properties.isEmoji || properties.isAlphabetic || properties.isVariationSelector
            || [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
    }

    /// The last characters of a text, as `line` has them, that fit.
    static func end(of text: String, columns room: Int) -> String {
        var end: [String] = []
        var used = 0
        for character in text.reversed() {
            let shown = line(String(character))
            used += columns(of: shown)
            guard used <= room else { break }
            end.append(shown)
        }
        return end.reversed().joined()
    }

    /// The lines of a text, each as `line` has it, without empty ones.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line(String($0)) }
    }

    /// The part of a line that fits, with "…" behind it if that is not all.
    static func clipped(_ line: String, to room: Int) -> String {
        guard columns(of: line) > room else { return line }
        return prefix(of: line[...], columns: room - 1) + "…"
    }

    /// A line broken between its words, and within a word that is longer than a line.
    static func wrapped(_ line: String, to room: Int) -> [String] {
        var rest = line[...]
        var lines: [String] = []
        while !rest.isEmpty {
            var piece = prefix(of: rest, columns: max(2, room))
            if piece.count < rest.count, let space = piece.lastIndex(of: " "), space > piece.startIndex {
                piece = String(piece[..<space])
            }
            // A character wider than the whole line is a line.
            if piece.isEmpty { piece = String(rest.prefix(1)) }
            lines.append(piece)
            rest = rest.dropFirst(piece.count).drop { $0 == " " }
        }
        return lines
    }

    private static func prefix(of text: Substring, columns room: Int) -> String {
        var used = 0
        return String(
            text.prefix { character in
                used += columns(of: String(character))
                return used <= room
            }
        )
    }
}
