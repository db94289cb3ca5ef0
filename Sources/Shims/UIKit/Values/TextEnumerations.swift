// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SceneModel

/// The place of a text between the sides of its box.
///
/// Source: Apple, "NSTextAlignment", with the numbers of iOS.
public enum NSTextAlignment: Int, Sendable {
    /// Lines begin on the left.
    case left
    /// Lines stand in the middle.
    case center
    /// Lines end on the right.
    case right
    /// Lines reach both sides.
    case justified
    /// Lines begin on the side of their language.
    case natural

    /// The place as a scene names it.
    package var sceneAlignment: SceneAlignment {
        switch self {
        case .left: .left
        case .center: .center
        case .right: .right
        case .justified: .justified
        case .natural: .natural
        }
    }
}

/// The fate of a line that is too long.
public enum NSLineBreakMode: Int, Sendable {
    /// A line is broken between words.
    case byWordWrapping
    /// A line is broken between letters.
    case byCharWrapping
    /// A line is cut at the side.
    case byClipping
    /// The head of a line gives way to three dots.
    case byTruncatingHead
    /// The tail of a line gives way to three dots.
    case byTruncatingTail
    /// The middle of a line gives way to three dots.
    case byTruncatingMiddle
}

/// The direction of a text.
public enum NSWritingDirection: Int, Sendable {
    /// The direction of its language.
    case natural = -1
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft
}

/// A line below or through a text.
public struct NSUnderlineStyle: OptionSet, Hashable, Sendable {
    /// The line as bits.
    public let rawValue: Int

    /// Takes a line as bits; 0 is none.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// One line.
    public static let single = NSUnderlineStyle(rawValue: 0x01)
    /// One thick line.
    public static let thick = NSUnderlineStyle(rawValue: 0x02)
    /// Two lines.
    public static let double = NSUnderlineStyle(rawValue: 0x09)
    /// A line of dots.
    public static let patternDot = NSUnderlineStyle(rawValue: 0x0100)
    /// A line of dashes.
    public static let patternDash = NSUnderlineStyle(rawValue: 0x0200)
    /// A line of dashes and dots.
    public static let patternDashDot = NSUnderlineStyle(rawValue: 0x0300)
    /// A line of dashes and pairs of dots.
    public static let patternDashDotDot = NSUnderlineStyle(rawValue: 0x0400)
    /// A line for each word.
    public static let byWord = NSUnderlineStyle(rawValue: 0x8000)
}

extension NSAttributedString {
    /// An effect of letters, of which none is drawn.
    public struct TextEffectStyle: RawRepresentable, Hashable, Sendable {
        /// The name, by Apple.
        public let rawValue: String

        /// Takes a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Letters as if pressed into paper.
        public static let letterpressStyle = TextEffectStyle(rawValue: "_UIKitNewLetterpressStyle")
    }
}

/// Attributes of a text, by Apple's names.
///
/// Drawn are font, both colours, underline, strikethrough and the alignment of paragraphs.
extension NSAttributedString.Key {
    /// The font, a `UIFont`.
    public static let font = Self("NSFont")
    /// The look of paragraphs, an `NSParagraphStyle`.
    public static let paragraphStyle = Self("NSParagraphStyle")
    /// The colour of letters, a `UIColor`.
    public static let foregroundColor = Self("NSColor")
    /// The colour behind letters, a `UIColor`.
    public static let backgroundColor = Self("NSBackgroundColor")
    /// The joining of letters, a number.
    public static let ligature = Self("NSLigature")
    /// Points between letters, a number.
    public static let kern = Self("NSKern")
    /// Points between letters, which keeps ligatures apart, a number.
    public static let tracking = Self("CTTracking")
    /// The line through letters, the number of an `NSUnderlineStyle`.
    public static let strikethroughStyle = Self("NSStrikethrough")
    /// The line below letters, the number of an `NSUnderlineStyle`.
    public static let underlineStyle = Self("NSUnderline")
    /// The colour of outlines, a `UIColor`.
    public static let strokeColor = Self("NSStrokeColor")
    /// The width of outlines in hundredths of the size, a number.
    public static let strokeWidth = Self("NSStrokeWidth")
    /// The shadow, an `NSShadow`.
    public static let shadow = Self("NSShadow")
    /// The effect, an `NSAttributedString.TextEffectStyle`.
    public static let textEffect = Self("NSTextEffect")
    /// The picture in the text, an `NSTextAttachment`.
    public static let attachment = Self("NSAttachment")
    /// The address, a `URL` or a `String`.
    public static let link = Self("NSLink")
    /// Points above the base, a number.
    public static let baselineOffset = Self("NSBaselineOffset")
    /// The colour of the line below, a `UIColor`.
    public static let underlineColor = Self("NSUnderlineColor")
    /// The colour of the line through, a `UIColor`.
    public static let strikethroughColor = Self("NSStrikethroughColor")
    /// The slant, a number.
    public static let obliqueness = Self("NSObliqueness")
    /// The width of letters, a number.
    public static let expansion = Self("NSExpansion")
    /// The directions in each other, a list of numbers.
    public static let writingDirection = Self("NSWritingDirection")
}
