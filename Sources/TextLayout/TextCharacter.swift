// SPDX-License-Identifier: Apache-2.0

/// A character as a person sees it, with marks and joined signs: how far it advances, and how lines break beside it.
struct TextCharacter {
    enum Kind: UInt8 {
        /// Letters, digits and signs between which no line breaks.
        case other
        case letter, digit
        case space, tab, lineEnd
        /// Characters that are not drawn and not sent: controls and soft hyphens.
        case removed, softHyphen
        /// A place to break that is drawn as nothing.
        case zeroWidthSpace
        /// Characters that hold their neighbours together: no-break spaces and word joiners.
        case glue
        case hyphen, dash, emDash, slash
        /// A sign of its own, such as an ideograph or an emoji, beside which lines break.
        case ideograph
        /// A bracket or a quote that no line ends with, and what no line begins with.
        case opening, closing
    }

    let kind: Kind
    /// Units that the character advances; those of a space for a tab, whose advance depends on its place.
    let units: Int
    /// True if the script of the character changes its letters by their neighbours, or is ordered from the right.
    let needsShaping: Bool

    init(_ character: Character, in face: TextFont.Face) {
        let scalars = character.unicodeScalars
        let first = scalars[scalars.startIndex]
        let isAlone = scalars.index(after: scalars.startIndex) == scalars.endIndex
        // What most texts are made of.
        if isAlone, first.value < 0x7F, first.value >= 0x20 {
            (kind, needsShaping) = (Self.kind(ofASCII: first.value), false)
            units = TextAdvances.units(of: first, in: face) ?? 0
            return
        }
        needsShaping = scalars.contains(where: TextScript.needsShaping)
        kind = Self.kind(of: first, isEmoji: !isAlone && Self.isEmoji(scalars))
        switch kind {
        case .tab: units = TextScript.units(of: " ", in: face)
        case .lineEnd, .removed, .softHyphen, .zeroWidthSpace: units = 0
        default:
            if isAlone {
                units = TextScript.units(of: first, in: face)
            } else if Self.isEmoji(scalars) {
                units = TextScript.emoji
            } else {
                // No character of the fonts is made of more than three.
                let composed = scalars.prefix(4).count < 4 ? TextAdvances.units(ofComposed: character, in: face) : nil
                units = composed ?? scalars.reduce(0) { $0 + TextScript.units(of: $1, in: face) }
            }
        }
    }

    /// True for an emoji with a tone or joined ones, and for a sign that what stands behind it makes one.
    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation
            || scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 || $0.properties.isEmojiModifier }
    }

    private static func kind(ofASCII value: UInt32) -> Kind {
        switch UInt8(value) {
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): .letter
        case UInt8(ascii: "-"): .hyphen
        case UInt8(ascii: "/"): .slash
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): .opening
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "!"), UInt8(ascii: "%"),
            UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "?"):
            .closing
        default: .other
        }
    }

    private static func kind(of scalar: Unicode.Scalar, isEmoji: Bool) -> Kind {
        if isEmoji { return .ideograph }
        switch scalar.value {
        case 0x09: return .tab
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: return .lineEnd
        case 0xA0, 0x2007, 0x202F, 0x2060, 0xFEFF, 0x2011, 0x0F0C, 0x180E: return .glue
        case 0xAD: return .softHyphen
        case 0x200B: return .zeroWidthSpace
        case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: return .space
        case 0x2010, 0x2012, 0x2013: return .dash
        case 0x2014: return .emDash
        // Object replacement: a picture in a text, which scenes do not have.
        case 0xFFFC: return .removed
        case 0x20...0x7E: return kind(ofASCII: scalar.value)
        default: break
        }
        if TextScript.isOpening(scalar) { return .opening }
        if TextScript.isClosing(scalar) { return .closing }
        if TextScript.isIdeograph(scalar) { return .ideograph }
        switch scalar.properties.generalCategory {
        case .control: return .removed
        case .decimalNumber: return .digit
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter
        default: return .other
        }
    }
}
