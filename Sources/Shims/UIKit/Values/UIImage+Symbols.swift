// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIImage {
    // SAFETY: it has no state.
    /// A wish for the drawing of an image.
    open class Configuration: NSObject, @unchecked Sendable {}

    // SAFETY: immutable after `init`.
    /// A wish for the drawing of a symbol: its size, and a colour instead of the view's.
    ///
    /// Source: Apple, "UIImage.SymbolConfiguration". Weights change nothing.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        struct Facts: Hashable, Sendable {
            var pointSize: CGFloat?
            var weight = SymbolWeight.unspecified
            var scale = SymbolScale.unspecified
            var colors: [UIColor] = []
        }

        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }

        /// Says nothing.
        open class var unspecified: SymbolConfiguration { SymbolConfiguration(Facts()) }

        /// Takes the size of the text beside the symbol.
        public convenience init(pointSize: CGFloat) {
            self.init(Facts(pointSize: pointSize))
        }

        /// Takes the size of the text beside the symbol and a weight.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight) {
            self.init(Facts(pointSize: pointSize, weight: weight))
        }

        /// Takes the size of the text beside the symbol, a weight and a scale.
        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {
            self.init(Facts(pointSize: pointSize, weight: weight, scale: scale))
        }

        /// Takes a weight.
        public convenience init(weight: SymbolWeight) {
            self.init(Facts(weight: weight))
        }

        /// Takes a scale.
        public convenience init(scale: SymbolScale) {
            self.init(Facts(scale: scale))
        }

        /// Takes the font of the text beside the symbol.
        public convenience init(font: UIFont) {
            self.init(Facts(pointSize: font.pointSize))
        }

        /// Takes the font of the text beside the symbol and a scale.
        public convenience init(font: UIFont, scale: SymbolScale) {
            self.init(Facts(pointSize: font.pointSize, scale: scale))
        }

        /// Takes the style of the text beside the symbol.
        public convenience init(textStyle: UIFont.TextStyle) {
            self.init(font: .preferredFont(forTextStyle: textStyle))
        }

        /// Takes the style of the text beside the symbol and a scale.
        public convenience init(textStyle: UIFont.TextStyle, scale: SymbolScale) {
            self.init(font: .preferredFont(forTextStyle: textStyle), scale: scale)
        }

        /// Takes the colour of the symbol, of which Apple's makes lighter ones for its parts.
        public convenience init(hierarchicalColor: UIColor) {
            self.init(Facts(colors: [hierarchicalColor]))
        }

        /// Takes the colours of the symbol's parts; the first is drawn.
        public convenience init(paletteColors: [UIColor]) {
            self.init(Facts(colors: paletteColors))
        }

        /// Says nothing: a symbol has one colour.
        open class func preferringMulticolor() -> SymbolConfiguration { SymbolConfiguration(Facts()) }

        /// Says nothing: a symbol has one colour.
        open class func preferringMonochrome() -> SymbolConfiguration { SymbolConfiguration(Facts()) }

        /// The colour of the symbol; nil for the view's.
        package var color: UIColor? { facts.colors.first }

        static let usualSide: CGFloat = 20

        /// Points of a side: 20 beside a text of 17, in steps of a half.
        var side: CGFloat {
            let factor: CGFloat =
                switch facts.scale {
                case .small: 0.8
                case .large: 1.3
                case .default, .unspecified, .medium: 1
                }
            let points = min(max(facts.pointSize ?? 17, 1), 512)
            return (points * Self.usualSide / 17 * factor * 2).rounded() / 2
        }

        /// The configuration with what `other` says instead.
        func joined(_ other: SymbolConfiguration) -> SymbolConfiguration {
            let (own, other) = (facts, other.facts)
            return SymbolConfiguration(
                Facts(
                    pointSize: other.pointSize ?? own.pointSize,
                    weight: other.weight == .unspecified ? own.weight : other.weight,
                    scale: other.scale == .unspecified ? own.scale : other.scale,
                    colors: other.colors.isEmpty ? own.colors : other.colors
                )
            )
        }

        /// Returns the configuration with what `otherConfiguration` says instead.
        open func applying(_ otherConfiguration: Configuration?) -> SymbolConfiguration {
            guard let other = otherConfiguration as? SymbolConfiguration else { return self }
            return joined(other)
        }

        /// Compares all that is said.
        open override func isEqual(_ object: Any?) -> Bool { (object as? SymbolConfiguration)?.facts == facts }

        /// The same for equal configurations.
        open override var hash: Int { facts.hashValue }
    }

    /// The thickness of a symbol's lines.
    public enum SymbolWeight: Int, Sendable {
        /// No thickness is said.
        case unspecified
        /// The thinnest lines.
        case ultraLight
        /// Thin lines.
        case thin
        /// Light lines.
        case light
        /// Lines of the usual thickness.
        case regular
        /// Lines a little thicker than usual.
        case medium
        /// Lines as in a headline.
        case semibold
        /// Bold lines.
        case bold
        /// Lines thicker than bold.
        case heavy
        /// The thickest lines.
        case black
    }

    /// The size of a symbol beside a text.
    public enum SymbolScale: Int, Sendable {
        /// The usual size.
        case `default` = -1
        /// No size is said.
        case unspecified
        /// Smaller than usual.
        case small
        /// The usual size.
        case medium
        /// Larger than usual.
        case large
    }
}
