// SPDX-License-Identifier: Apache-2.0

/// Foreign text as a notification daemon gets it: no markup, no control characters, and a bound.
package enum PopupText {
    /// Unicode scalars of a text; what is behind them is "…".
    package static let scalarLimit = 2_000

    /// A text of one line: line ends are spaces.
    package static func line(_ text: String) -> String { clean(text, lineEnd: " ") }

    /// A text of several lines.
    package static func lines(_ text: String) -> String { clean(text, lineEnd: "\n") }

    /// The text with the characters spelt out that markup gives a meaning, for daemons that read it.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func clean(_ text: String, lineEnd: Unicode.Scalar) -> String {
        var cleaned = String.UnicodeScalarView()
        var count = 0
        var runsBackwards = false
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            guard let kept = kept(scalar, lineEnd: lineEnd), scalar != "\n" || !isAfterReturn else { continue }
            guard count < scalarLimit else {
                cleaned.append("…")
                break
            }
            count += 1
            runsBackwards = runsBackwards || isRightToLeft(kept)
            cleaned.append(kept)
        }
        // An isolate keeps a text that runs from right to left from turning what stands beside it.
        return runsBackwards ? "\u{2068}" + String(cleaned) + "\u{2069}" : String(cleaned)
    }

    /// The scalar that stands for one of a sender's; `nil` means that it is left out.
    private static func kept(_ scalar: Unicode.Scalar, lineEnd: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: lineEnd
        case 0x09: " "
        // Embeddings, overrides and isolates would reach beyond the text, which has an isolate of its own.
        case 0x202A...0x202E, 0x2066...0x2069: nil
        default: scalar.properties.generalCategory == .control ? nil : scalar
        }
    }

    /// True in the blocks of Hebrew, Arabic and the other scripts that run from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
