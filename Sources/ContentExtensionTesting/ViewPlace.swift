// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The place in which a test shows a view: the screen of whoever looks at it, and their settings.
public struct ViewPlace: Sendable, Equatable {
    /// Points from one side of the box to the other, 280 to 420; other values become the nearest of these.
    public var width: Double
    /// True for the dark style.
    public var isDark: Bool
    /// True for a language that is written from right to left.
    public var isRightToLeft: Bool
    /// The factor by which a person wants texts larger, 0.8 to 3.1; for fonts of text styles alone.
    public var textSize: Double
    /// A language tag of BCP 47, such as `pt-BR`.
    public var language: String
    /// True for a person who wants less motion.
    public var reducesMotion: Bool

    /// A place like a phone in the light style, with what is said otherwise.
    public init(
        width: Double = 360,
        isDark: Bool = false,
        isRightToLeft: Bool = false,
        textSize: Double = 1,
        language: String = "en",
        reducesMotion: Bool = false
    ) {
        self.width = width
        self.isDark = isDark
        self.isRightToLeft = isRightToLeft
        self.textSize = textSize
        self.language = language
        self.reducesMotion = reducesMotion
    }

    var environment: ViewEnvironment {
        ViewEnvironment(
            width: Self.nearest(width, ViewEnvironment.widths),
            style: isDark ? .dark : .light,
            textSize: Self.nearest(textSize, ViewEnvironment.textSizes),
            direction: isRightToLeft ? .rightToLeft : .leftToRight,
            language: language,
            reducedMotion: reducesMotion
        )
    }

    private static func nearest(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        max(range.lowerBound, min(value, range.upperBound))
    }
}
