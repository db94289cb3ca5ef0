// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
package import SceneModel

// SAFETY: immutable after `init`.
/// A size, a weight and a slant of the one family in which a page draws.
///
/// Named fonts become it, in the weight and slant that their names tell. Sizes are points.
open class UIFont: NSObject, @unchecked Sendable {
    // The first stored property: see `AttributeMark`.
    private let mark = AttributeMark()
    let facts: FontFacts
    /// The size that `UIFontMetrics` made larger, and the most that it may be; `nil` for other fonts.
    private let growth: (size: CGFloat, most: CGFloat)?

    init(_ facts: FontFacts, growth: (size: CGFloat, most: CGFloat)? = nil) {
        (self.facts, self.growth) = (facts, growth)
    }

    /// Returns a font that follows the size of texts as it is now; `nil` for one that does not follow it.
    ///
    /// Fonts of a text style do, in the size that this had before, and fonts that `UIFontMetrics` made larger.
    func adapted(from before: UITraitCollection, to now: UITraitCollection) -> UIFont? {
        if let growth {
            let usual = UIFont(descriptor: fontDescriptor, size: growth.size)
            return UIFontMetrics.default.scaledFont(for: usual, maximumPointSize: growth.most, compatibleWith: now)
        }
        guard let style = facts.textStyle, facts.size == style.size(in: before) else { return nil }
        var facts = facts
        facts.size = style.size(in: now)
        return UIFont(facts)
    }

    /// Takes a description; a size of 0 or less is that of the description.
    public convenience init(descriptor: UIFontDescriptor, size pointSize: CGFloat) {
        var facts = descriptor.facts
        if pointSize > 0 { facts.size = pointSize }
        if facts.size <= 0 { facts.size = FontFacts.usualSize }
        self.init(facts)
    }

    /// Takes a font by its name, which tells weight and slant; nil for an empty name.
    ///
    /// A size of 0 or less is 12.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        guard !fontName.isEmpty else { return nil }
        HostLog.warnOnce("fonts by name are drawn in the page's own family, in their weight and slant")
        self.init(FontFacts(name: fontName, size: fontSize > 0 ? fontSize : FontFacts.usualSize))
    }

    /// The size in points.
    open var pointSize: CGFloat { facts.size }
    /// The name of weight and slant, or that by which the font was asked for.
    open var fontName: String { facts.fontName }
    /// The name of the family, or that by which the font was asked for.
    open var familyName: String { facts.familyName }
    /// The description of the font.
    open var fontDescriptor: UIFontDescriptor { UIFontDescriptor(facts) }
    /// The height of a line: 1.21 of the size, rounded up.
    open var lineHeight: CGFloat { (1.21 * facts.size).rounded(.up) }
    /// The height of the line above the base of letters.
    open var ascender: CGFloat { facts.size * 1984 / 2048 }
    /// The depth of the line below the base of letters, a negative number.
    open var descender: CGFloat { facts.size * -494 / 2048 }
    /// The height of capital letters.
    open var capHeight: CGFloat { facts.size * 1490 / 2048 }
    /// The height of small letters.
    open var xHeight: CGFloat { facts.size * 1118 / 2048 }
    /// The room between lines, of which the height of a line has none left.
    open var leading: CGFloat { 0 }

    /// Returns the font in another size; a size of 0 or less keeps the size.
    open func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(descriptor: fontDescriptor, size: fontSize) }

    /// Compares size, weight, slant and name.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UIFont)?.facts == facts }

    /// The same for equal fonts.
    open override var hash: Int { facts.hashValue }

    /// The font as a scene names it; the size is held to what a scene takes.
    package var sceneFont: SceneFont {
        let size = facts.size.isFinite ? Double(facts.size) : SceneFont.sizes.upperBound
        return SceneFont(
            size: min(max(size, SceneFont.sizes.lowerBound), SceneFont.sizes.upperBound),
            weight: facts.weight.numberOfCSS,
            isItalic: facts.isItalic
        )
    }

    /// The weight in whose table the widths of letters are: 400 or 600.
    package var measuredWeight: Int { facts.weight.rawValue < 0.25 ? 400 : 600 }
}
