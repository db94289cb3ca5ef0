// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// The nearest number inside of bounds; the lower bound for what is none.
    package func within(_ bounds: ClosedRange<Double>) -> Double {
        isNaN ? bounds.lowerBound : min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}

extension String {
    /// The text as a scene shows it: lines end with U+000A alone, and characters that control a terminal are left out.
    package var shown: String {
        var shown = ""
        for character in self {
            if character.isNewline {
                shown += "\n"
            } else {
                let scalars = character.unicodeScalars.filter {
                    $0 == "\t" || $0.properties.generalCategory != .control
                }
                shown.unicodeScalars.append(contentsOf: scalars)
            }
        }
        return shown
    }

    /// The beginning of a text in which only U+000A ends lines, with "…" where something is missing.
    package func cut(toLineCount limit: Int) -> String {
        let lines = split(separator: "\n", maxSplits: limit, omittingEmptySubsequences: false)
        guard lines.count > limit, let end = lines.dropLast().last?.endIndex else { return self }
        return self[..<end] + "…"
    }

    /// The beginning of a text that has at most so many bytes of UTF-8, with "…" where something is missing.
    package func cut(toByteCount limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var room = limit - "…".utf8.count
        return prefix { character in
            room -= character.utf8.count
            return room >= 0
        } + "…"
    }
}
