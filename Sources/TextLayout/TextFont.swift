// SPDX-License-Identifier: Apache-2.0

/// A font of a scene's texts: a size, one of two weights, upright or slanted.
///
/// All measures are in points and whole numbers of grains, so that they are the same on every machine and in every
/// order of adding. Slanted letters are as wide as upright ones.
package struct TextFont: Hashable, Sendable {
    /// The two weights that the page has fonts of.
    package enum Face: Hashable, Sendable, CaseIterable {
        case regular, semibold
    }

    /// Points from 1 to 512, in steps of 1/64.
    package let size: Double
    package let face: Face
    package let isItalic: Bool
    /// The size in steps.
    let steps: Int

    /// Takes the nearest size that there is, and of weights from 100 to 900 semibold from 500 on.
    package init(size: Double, weight: Int = 400, isItalic: Bool = false) {
        self.init(size: size, face: weight < 500 ? .regular : .semibold, isItalic: isItalic)
    }

    /// Takes a weight as UIKit counts them, from -1 to 1: below 0.25, the medium weight included, it is regular.
    package init(size: Double, relativeWeight: Double, isItalic: Bool = false) {
        self.init(size: size, face: relativeWeight < 0.25 ? .regular : .semibold, isItalic: isItalic)
    }

    package init(size: Double, face: Face, isItalic: Bool = false) {
        // A size that is no number is the smallest one.
        let bounded = size > 1 ? min(size, 512) : 1
        steps = Int((bounded * Double(Self.stepsPerPoint)).rounded())
        self.size = Double(steps) / Double(Self.stepsPerPoint)
        self.face = face
        self.isItalic = isItalic
    }

    /// The weight that the page draws, as CSS counts: 400 or 600.
    package var weight: Int { face == .regular ? 400 : 600 }

    /// The same font at another size.
    package func withSize(_ size: Double) -> TextFont { TextFont(size: size, face: face, isItalic: isItalic) }

    static let stepsPerPoint = 64
    /// Grains of one point: an advance in grains is a whole number at every size.
    static let grainsPerPoint = stepsPerPoint * TextAdvances.unitsPerEm
}

extension TextFont {
    /// The height of a line: 1.21 em, rounded up to a whole point.
    package var lineHeight: Double { Double(wholeLineHeight) }
    /// The distance of a line's top from its baseline, as a browser places it in a line of `lineHeight`.
    ///
    /// A browser rounds ascent and descent to whole pixels and puts half of what the line has beyond them on top,
    /// rounded down. With two pixels a point or more it rounds less, and is up to half a point elsewhere. Source:
    /// measured in Chromium 156 at 384 sizes; CSS 2.2, section 10.8.1, "Leading and half-leading".
    package var baseline: Double { Double(wholeBaseline) }
    package var ascender: Double { Double(TextAdvances.ascent) * em }
    /// The lowest point of letters, below zero.
    package var descender: Double { -Double(TextAdvances.descent) * em }
    package var capHeight: Double { Double(TextAdvances.capHeight) * em }
    package var xHeight: Double { Double(TextAdvances.xHeight) * em }

    /// Points of one unit.
    private var em: Double { size / Double(TextAdvances.unitsPerEm) }

    var wholeLineHeight: Int { (steps * 121 + Self.stepsPerPoint * 100 - 1) / (Self.stepsPerPoint * 100) }

    var wholeBaseline: Int {
        let (above, below) = (rounded(TextAdvances.ascent), rounded(TextAdvances.descent))
        // The shift rounds down, below zero as well.
        return above + ((wholeLineHeight - above - below) >> 1)
    }

    /// Units in whole points, a half upwards.
    private func rounded(_ units: Int) -> Int {
        (2 * units * steps + Self.grainsPerPoint) / (2 * Self.grainsPerPoint)
    }

    /// The width of a text that is drawn in one line.
    ///
    /// Ends of lines, controls and soft hyphens advance nothing; a tab goes to the next multiple of eight spaces.
    package func width(of text: some StringProtocol) -> Double {
        var pen = TextPen()
        for character in text {
            let character = TextCharacter(character, in: face)
            pen.add(character.units * steps, of: character.kind)
        }
        return pen.points
    }
}
