// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking

// SAFETY: all state lies behind the mutex of its superclass.
/// The look of a paragraph that can be changed.
open class NSMutableParagraphStyle: NSParagraphStyle, @unchecked Sendable {
    /// The place of lines between the sides.
    open override var alignment: NSTextAlignment {
        get { super.alignment }
        set { values.withLock { $0.alignment = newValue } }
    }
    /// The fate of a line that is too long.
    open override var lineBreakMode: NSLineBreakMode {
        get { super.lineBreakMode }
        set { values.withLock { $0.lineBreakMode = newValue } }
    }
    /// The direction of the text.
    open override var baseWritingDirection: NSWritingDirection {
        get { super.baseWritingDirection }
        set { values.withLock { $0.baseWritingDirection = newValue } }
    }
    /// Points between lines.
    open override var lineSpacing: CGFloat {
        get { super.lineSpacing }
        set { values.withLock { $0.lineSpacing = newValue } }
    }
    /// Points after a paragraph.
    open override var paragraphSpacing: CGFloat {
        get { super.paragraphSpacing }
        set { values.withLock { $0.paragraphSpacing = newValue } }
    }
    /// Points before a paragraph.
    open override var paragraphSpacingBefore: CGFloat {
        get { super.paragraphSpacingBefore }
        set { values.withLock { $0.paragraphSpacingBefore = newValue } }
    }
    /// Points before the first line.
    open override var firstLineHeadIndent: CGFloat {
        get { super.firstLineHeadIndent }
        set { values.withLock { $0.firstLineHeadIndent = newValue } }
    }
    /// Points before the other lines.
    open override var headIndent: CGFloat {
        get { super.headIndent }
        set { values.withLock { $0.headIndent = newValue } }
    }
    /// The end of lines: points from the beginning, or from the other side when negative.
    open override var tailIndent: CGFloat {
        get { super.tailIndent }
        set { values.withLock { $0.tailIndent = newValue } }
    }
    /// The least height of a line in points.
    open override var minimumLineHeight: CGFloat {
        get { super.minimumLineHeight }
        set { values.withLock { $0.minimumLineHeight = newValue } }
    }
    /// The greatest height of a line in points; 0 is any.
    open override var maximumLineHeight: CGFloat {
        get { super.maximumLineHeight }
        set { values.withLock { $0.maximumLineHeight = newValue } }
    }
    /// The factor of the height of a line; 0 is none.
    open override var lineHeightMultiple: CGFloat {
        get { super.lineHeightMultiple }
        set { values.withLock { $0.lineHeightMultiple = newValue } }
    }
    /// The share of a line that must be filled without hyphens; 0 is no hyphens.
    open override var hyphenationFactor: Float {
        get { super.hyphenationFactor }
        set { values.withLock { $0.hyphenationFactor = newValue } }
    }
    /// True if lines are hyphenated as the system does.
    open override var usesDefaultHyphenation: Bool {
        get { super.usesDefaultHyphenation }
        set { values.withLock { $0.usesDefaultHyphenation = newValue } }
    }
    /// True if letters move nearer before a line is cut.
    open override var allowsDefaultTighteningForTruncation: Bool {
        get { super.allowsDefaultTighteningForTruncation }
        set { values.withLock { $0.allowsDefaultTighteningForTruncation = newValue } }
    }
    /// Points between stops behind the last of `tabStops`.
    open override var defaultTabInterval: CGFloat {
        get { super.defaultTabInterval }
        set { values.withLock { $0.defaultTabInterval = newValue } }
    }
    /// The rules by which lines are broken.
    open override var lineBreakStrategy: LineBreakStrategy {
        get { super.lineBreakStrategy }
        set { values.withLock { $0.lineBreakStrategy = newValue } }
    }
    /// The stops of tabulators.
    open override var tabStops: [NSTextTab] {
        get { super.tabStops }
        set { values.withLock { $0.tabStops = newValue } }
    }

    /// Adds a stop of tabulators, at its place among the others.
    open func addTabStop(_ anObject: NSTextTab) {
        values.withLock { values in
            let place = values.tabStops.firstIndex { $0.location > anObject.location } ?? values.tabStops.endIndex
            values.tabStops.insert(anObject, at: place)
        }
    }

    /// Removes the stops of tabulators that equal `anObject`.
    open func removeTabStop(_ anObject: NSTextTab) {
        values.withLock { $0.tabStops.removeAll { $0 == anObject } }
    }

    /// Takes all parts of another look.
    open func setParagraphStyle(_ obj: NSParagraphStyle) {
        let other = obj.values.withLock { $0 }
        values.withLock { $0 = other }
    }
}

// SAFETY: immutable after `init`.
/// A place in a line to which a tabulator leads.
open class NSTextTab: NSObject, @unchecked Sendable {
    /// The place of the text at the stop.
    public let alignment: NSTextAlignment
    /// Points from the beginning of the line.
    public let location: CGFloat

    /// Takes a place; options are not kept.
    public init(textAlignment alignment: NSTextAlignment, location loc: CGFloat, options: [OptionKey: Any] = [:]) {
        (self.alignment, location) = (alignment, loc)
    }

    /// Compares place and alignment.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSTextTab else { return false }
        return other.alignment == alignment && other.location == location
    }

    /// The same for equal stops.
    open override var hash: Int { location.hashValue }

    /// The name of an option of a stop.
    public struct OptionKey: RawRepresentable, Hashable, Sendable {
        /// The name, by Apple.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The characters at which columns stand below each other, a `CharacterSet`.
        public static let columnTerminators = OptionKey(rawValue: "NSTabColumnTerminatorsAttributeName")
    }
}
