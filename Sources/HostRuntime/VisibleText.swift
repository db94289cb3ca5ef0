// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// True if a terminal or a log would not show the scalar as a sign of its own: it ends or turns a line, moves the
    /// cursor, or is not seen at all.
    ///
    /// Control and format characters (the bidirectional ones among them), separators of lines and paragraphs, what
    /// Unicode has programs ignore (fillers, selectors, tags), and what is no character.
    package var isHidden: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        case _: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    /// The scalar as a text that everybody sees: `\u{202e}`.
    package var spelledOut: String { "\\u{" + String(value, radix: 16) + "}" }
}

extension String {
    /// The text with everything that could end, turn or hide a line spelt out as `\u{…}`.
    ///
    /// Outside texts are written to a log or a terminal in this form and in no other.
    package var withoutHidden: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isHidden { text += scalar.spelledOut } else { text.unicodeScalars.append(scalar) }
        }
    }
}
