// SPDX-License-Identifier: Apache-2.0

/// A part of a text in one font.
package struct TextRun: Equatable, Sendable {
    package var text: String
    package var font: TextFont

    package init(_ text: String, font: TextFont) {
        self.text = text
        self.font = font
    }
}

/// The ways of UIKit in which a text is broken into lines, and what becomes of the rest that has no room.
///
/// Source: Apple, "NSLineBreakMode".
package enum TextLineBreakMode: Sendable, CaseIterable {
    /// Breaks between words, and leaves the rest out.
    case byWordWrapping
    /// Breaks between any two characters, and leaves the rest out.
    case byCharWrapping
    /// Breaks between words, and draws the last line beyond the side.
    case byClipping
    /// Breaks between words; the last line begins with "…" and ends as the text does.
    case byTruncatingHead
    /// Breaks between words; the last line ends with "…".
    case byTruncatingTail
    /// Breaks between words; the last line has "…" in its middle and ends as the text does.
    case byTruncatingMiddle
}

/// The room that a text has.
package struct TextRoom: Equatable, Sendable {
    /// Points; `nil` means that a line is never too long.
    package var width: Double?
    /// Points, of which one line takes as many as it likes; `nil` means that any number of lines fits.
    package var height: Double?
    /// The most lines; 0 means as many as there are.
    package var lineLimit: Int
    package var mode: TextLineBreakMode

    package init(
        width: Double? = nil,
        height: Double? = nil,
        lineLimit: Int = 0,
        mode: TextLineBreakMode = .byTruncatingTail
    ) {
        self.width = width
        self.height = height
        self.lineLimit = lineLimit
        self.mode = mode
    }

    /// Beyond a side by so much, in points, is not beyond it: what a browser's and a solver's numbers lose.
    private static let tolerance = 1.0 / 64

    /// The width in points, without end if there is none.
    var points: Double {
        guard let width, !width.isNaN else { return .infinity }
        return max(width, 0)
    }

    /// The width in grains, a little more than in points.
    ///
    /// No line of the longest text in the largest font is wider than the widest room here.
    var grains: Int { Int(min(points + Self.tolerance, 1e9) * Double(TextFont.grainsPerPoint)) }

    /// The number of lines, of these heights, that fit: one at least.
    func count(ofHeights heights: some Sequence<Int>) -> Int {
        guard let height, !height.isNaN else { return .max }
        var (sum, count) = (0.0, 0)
        for line in heights {
            sum += Double(line)
            guard sum <= height + Self.tolerance else { break }
            count += 1
        }
        return max(count, 1)
    }
}
