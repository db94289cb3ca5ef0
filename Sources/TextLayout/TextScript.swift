// SPDX-License-Identifier: Apache-2.0

/// The facts that are known of a character by its script.
enum TextScript {
    /// True for a script whose letters change by their neighbours, stand in another order than they are written, or are
    /// ordered from the right, and for those of South East Asia that have no spaces between words: their width is a
    /// guess, and the page breaks their lines.
    ///
    /// Source: Unicode 16.0, Blocks.txt.
    static func needsShaping(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x590: false
        // Hebrew, Arabic, Syriac, Thaana, NKo, Samaritan, Mandaic; Devanagari to Sinhala; Thai, Lao, Tibetan, Myanmar.
        case 0x0E3F: false
        case 0x590...0x109F: true
        // Tagalog to Khmer and Mongolian, Limbu to New Tai Lue, Buginese to Vedic signs.
        case 0x1700...0x18AF, 0x1900...0x19DF, 0x1A00...0x1CFF: true
        case 0xA800...0xA82F, 0xA840...0xA8FF, 0xA900...0xA95F, 0xA980...0xAADF, 0xAAE0...0xAAFF, 0xABC0...0xABFF: true
        case 0xFB1D...0xFDFF, 0xFE70...0xFEFE: true
        // Old scripts from the right, Brahmi and its kin, Adlam, Arabic mathematics.
        case 0x10800...0x10FFF, 0x11000...0x11FAF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// Units that an emoji advances: 1.25 em.
    ///
    /// Source: measured, Noto Color Emoji in Chromium 156 advances 1.248 em.
    static let emoji = TextAdvances.unitsPerEm * 5 / 4

    /// Units that a character advances alone: by the tables, or by a guess of what another font of the page has.
    ///
    /// Ideographs and syllables as wide as they are one em wide, halves of them half an em, emoji 1.25 em; marks and
    /// what is not seen have no width; all else is 0.6 em wide.
    static func units(of scalar: Unicode.Scalar, in face: TextFont.Face) -> Int {
        switch scalar.properties.generalCategory {
        // Marks that stand beside letters are of scripts whose width is a guess anyway.
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if scalar.properties.isEmojiModifier { return emoji }
        if let units = TextAdvances.units(of: scalar, in: face) { return units }
        switch scalar.value {
        // Vowels and finals of Hangul, which stand in the syllable that they belong to; fillers; object replacement.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x115F, 0x3164, 0xFFA0, 0xFFFC: return 0
        case 0xFF61...0xFFDC: return TextAdvances.unitsPerEm / 2
        default: break
        }
        if scalar.properties.isEmoji { return emoji }
        if isIdeograph(scalar) || isWide(scalar.value) { return TextAdvances.unitsPerEm }
        return (TextAdvances.unitsPerEm * 6 + 5) / 10
    }

    /// True for ideographs, kana, Hangul and signs that are drawn in colour: a line may break on both sides of each.
    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x1100: return false
        case 0x1100...0x11FF, 0x2E80...0x2FFF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303E: return true
        case 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7FB, 0xF900...0xFAFF, 0xFF66...0xFFDC: return true
        case 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD: return true
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A: return true
        default: return scalar.properties.isEmojiPresentation || scalar.value > 0x1F000 && scalar.properties.isEmoji
        }
    }

    /// True for signs as wide as an ideograph that are none.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x3000...0x303F, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
        default: false
        }
    }

    static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .openPunctuation, .initialPunctuation: true
        default: scalar.value == 0xBF || scalar.value == 0xA1
        }
    }

    /// True for what no line begins with: closing signs, and small kana and marks of Japanese.
    ///
    /// Source: JIS X 4051, characters not at the beginning of a line; Unicode Standard Annex 14, classes CL, CP, EX, IS
    /// and NS.
    static func isClosing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2025, 0x2026, 0x203C, 0x2047...0x2049, 0x2030, 0x2032...0x2034, 0xB0: return true
        case 0x3001, 0x3002, 0x3005, 0x301C, 0x303B, 0x309B...0x309E, 0x30A0, 0x30FB...0x30FE: return true
        case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096: return true
        case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6: return true
        case 0xFF01, 0xFF05, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF61, 0xFF64, 0xFF65: return true
        case 0xFF67...0xFF70, 0xFF9E, 0xFF9F: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .closePunctuation, .finalPunctuation: return true
        default: return false
        }
    }
}
