// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIFont {
    /// The thickness of letters, from −1 to 1.
    ///
    /// Source: Apple, "UIFont.Weight".
    public struct Weight: RawRepresentable, Hashable, Sendable {
        /// The thickness; 0 is regular.
        public var rawValue: CGFloat

        /// Takes a thickness.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// Takes a thickness.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// The thinnest letters.
        public static let ultraLight = Weight(-0.8)
        /// Thin letters.
        public static let thin = Weight(-0.6)
        /// Light letters.
        public static let light = Weight(-0.4)
        /// Letters of a usual text.
        public static let regular = Weight(0)
        /// Letters a little thicker than usual.
        public static let medium = Weight(0.23)
        /// Letters of a headline.
        public static let semibold = Weight(0.3)
        /// Bold letters.
        public static let bold = Weight(0.4)
        /// Letters thicker than bold.
        public static let heavy = Weight(0.56)
        /// The thickest letters.
        public static let black = Weight(0.62)

        /// The nearest weight of CSS, a hundred from 100 to 900.
        var numberOfCSS: Int {
            let weights: [Weight] = [.ultraLight, .thin, .light, .regular, .medium, .semibold, .bold, .heavy, .black]
            let distances = weights.map { abs($0.rawValue - rawValue) }
            return 100 * (1 + (distances.indices.min { distances[$0] < distances[$1] } ?? 3))
        }
    }

    /// The width of letters, which stays the usual one here.
    public struct Width: RawRepresentable, Hashable, Sendable {
        /// The width; 0 is the usual one.
        public var rawValue: CGFloat

        /// Takes a width.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// Takes a width.
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// Narrow letters.
        public static let condensed = Width(-0.2)
        /// Letters of the usual width.
        public static let standard = Width(0)
        /// Wide letters.
        public static let expanded = Width(0.2)
        /// The narrowest letters.
        public static let compressed = Width(-0.4)
    }

    /// The part that a text has in an interface.
    ///
    /// Source: Apple, "UIFont.TextStyle".
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        /// The name of the style, by Apple.
        public let rawValue: String

        /// Takes the name of a style.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = "UICTFontTextStyle" + name }

        /// The largest titles.
        public static let largeTitle = TextStyle("Title0")
        /// Titles of the first rank.
        public static let title1 = TextStyle("Title1")
        /// Titles of the second rank.
        public static let title2 = TextStyle("Title2")
        /// Titles of the third rank.
        public static let title3 = TextStyle("Title3")
        /// Headings.
        public static let headline = TextStyle("Headline")
        /// Headings of a lower rank.
        public static let subheadline = TextStyle("Subhead")
        /// Usual text.
        public static let body = TextStyle("Body")
        /// Text in a callout.
        public static let callout = TextStyle("Callout")
        /// Notes.
        public static let footnote = TextStyle("Footnote")
        /// Captions.
        public static let caption1 = TextStyle("Caption1")
        /// Smaller captions.
        public static let caption2 = TextStyle("Caption2")

        /// Points at the usual size of texts; a name that is none of Apple's is body.
        ///
        /// Source: Apple, "Human Interface Guidelines: Typography".
        var points: CGFloat {
            switch self {
            case .largeTitle: 34
            case .title1: 28
            case .title2: 22
            case .title3: 20
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption1: 12
            case .caption2: 11
            default: 17
            }
        }

        /// Points at the size of texts of a place, whole ones.
        func size(in traits: UITraitCollection) -> CGFloat { (points * traits.textSize).rounded() }
    }
}
