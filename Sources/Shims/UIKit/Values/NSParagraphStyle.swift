// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking
import SceneModel

// SAFETY: all state lies behind a mutex.
/// The look of a paragraph; the page draws its alignment.
///
/// Source: Apple, "NSParagraphStyle".
open class NSParagraphStyle: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    struct Values: Hashable, Sendable {
        var alignment: NSTextAlignment = .natural
        var lineBreakMode: NSLineBreakMode = .byWordWrapping
        var baseWritingDirection: NSWritingDirection = .natural
        var lineSpacing: CGFloat = 0
        var paragraphSpacing: CGFloat = 0
        var paragraphSpacingBefore: CGFloat = 0
        var firstLineHeadIndent: CGFloat = 0
        var headIndent: CGFloat = 0
        var tailIndent: CGFloat = 0
        var minimumLineHeight: CGFloat = 0
        var maximumLineHeight: CGFloat = 0
        var lineHeightMultiple: CGFloat = 0
        var hyphenationFactor: Float = 0
        var usesDefaultHyphenation: Bool = false
        var allowsDefaultTighteningForTruncation: Bool = false
        var defaultTabInterval: CGFloat = 0
        var lineBreakStrategy = LineBreakStrategy()
        var tabStops: [NSTextTab] = (1...12).map { NSTextTab(textAlignment: .natural, location: CGFloat(28 * $0)) }
    }

    // The first stored property: see `AttributeMark`.
    private let mark = AttributeMark()
    // SAFETY: the one state, behind a lock, because the mutable class inherits it.
    let values: Locked<Values>

    init(_ values: Values) {
        self.values = Locked(values)
    }

    /// Makes the usual look.
    public override convenience init() {
        self.init(Values())
    }

    /// The usual look.
    open class var `default`: NSParagraphStyle { NSParagraphStyle(Values()) }

    /// Returns the direction of a language by its tag.
    open class func defaultWritingDirection(forLanguage languageName: String?) -> NSWritingDirection {
        let language = languageName ?? Surroundings.environment.language
        return Locale.Language(identifier: language).characterDirection == .rightToLeft ? .rightToLeft : .leftToRight
    }

    /// The place of lines between the sides.
    open var alignment: NSTextAlignment { values.withLock { $0.alignment } }
    /// The fate of a line that is too long.
    open var lineBreakMode: NSLineBreakMode { values.withLock { $0.lineBreakMode } }
    /// The direction of the text.
    open var baseWritingDirection: NSWritingDirection { values.withLock { $0.baseWritingDirection } }
    /// Points between lines.
    open var lineSpacing: CGFloat { values.withLock { $0.lineSpacing } }
    /// Points after a paragraph.
    open var paragraphSpacing: CGFloat { values.withLock { $0.paragraphSpacing } }
    /// Points before a paragraph.
    open var paragraphSpacingBefore: CGFloat { values.withLock { $0.paragraphSpacingBefore } }
    /// Points before the first line.
    open var firstLineHeadIndent: CGFloat { values.withLock { $0.firstLineHeadIndent } }
    /// Points before the other lines.
    open var headIndent: CGFloat { values.withLock { $0.headIndent } }
    /// The end of lines: points from the beginning, or from the other side when negative.
    open var tailIndent: CGFloat { values.withLock { $0.tailIndent } }
    /// The least height of a line in points.
    open var minimumLineHeight: CGFloat { values.withLock { $0.minimumLineHeight } }
    /// The greatest height of a line in points; 0 is any.
    open var maximumLineHeight: CGFloat { values.withLock { $0.maximumLineHeight } }
    /// The factor of the height of a line; 0 is none.
    open var lineHeightMultiple: CGFloat { values.withLock { $0.lineHeightMultiple } }
    /// The share of a line that must be filled without hyphens; 0 is no hyphens.
    open var hyphenationFactor: Float { values.withLock { $0.hyphenationFactor } }
    /// True if lines are hyphenated as the system does.
    open var usesDefaultHyphenation: Bool { values.withLock { $0.usesDefaultHyphenation } }
    /// True if letters move nearer before a line is cut.
    open var allowsDefaultTighteningForTruncation: Bool { values.withLock { $0.allowsDefaultTighteningForTruncation } }
    /// Points between stops behind the last of `tabStops`.
    open var defaultTabInterval: CGFloat { values.withLock { $0.defaultTabInterval } }
    /// The rules by which lines are broken.
    open var lineBreakStrategy: LineBreakStrategy { values.withLock { $0.lineBreakStrategy } }
    /// The stops of tabulators.
    open var tabStops: [NSTextTab] { values.withLock { $0.tabStops } }

    /// Returns a look that does not change.
    open func copy(with zone: NSZone? = nil) -> Any { NSParagraphStyle(values.withLock { $0 }) }

    /// Returns a look that can be changed.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableParagraphStyle(values.withLock { $0 }) }

    /// Compares all parts of the look.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSParagraphStyle else { return false }
        return other === self || other.values.withLock { $0 } == values.withLock { $0 }
    }

    /// The same for equal looks.
    open override var hash: Int { values.withLock { $0.hashValue } }

    /// Rules by which lines are broken.
    public struct LineBreakStrategy: OptionSet, Hashable, Sendable {
        /// The rules as bits.
        public let rawValue: UInt

        /// Takes rules as bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Words move down so that the last line is not too short.
        public static let pushOut = LineBreakStrategy(rawValue: 1)
        /// Korean words stay whole.
        public static let hangulWordPriority = LineBreakStrategy(rawValue: 2)
        /// The rules of the system.
        public static let standard = LineBreakStrategy(rawValue: 0xFFFF)
    }
}
