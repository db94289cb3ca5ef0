// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The defect that makes a text no base64 of its format, and its place; the cases are what people's tools do to texts.
///
/// Offsets count characters from 0 in the whole text.
package enum TextDefect: Equatable, Sendable {
    case lineBreak(offset: Int)
    case space(offset: Int)
    case percentEncoding(offset: Int)
    case padding(offset: Int)
    /// A character of the standard alphabet where the URL alphabet is wanted.
    case standardAlphabet(Character, offset: Int)
    case quote(offset: Int)
    case backslash(offset: Int)
    case unexpected(offset: Int)
    /// The characters end within a byte.
    case cutShort(characterCount: Int)

    /// The defect that a decoder has met at `offset`.
    package init(in text: [UInt8], at offset: Int) {
        guard offset < text.count else {
            self = .cutShort(characterCount: text.count)
            return
        }
        switch text[offset] {
        case 0x20: self = .space(offset: offset)
        case 0x09...0x0D: self = .lineBreak(offset: offset)
        case UInt8(ascii: "%"): self = .percentEncoding(offset: offset)
        case UInt8(ascii: "="): self = .padding(offset: offset)
        case UInt8(ascii: "+"), UInt8(ascii: "/"):
            self = .standardAlphabet(Character(Unicode.Scalar(text[offset])), offset: offset)
        case UInt8(ascii: "\""): self = .quote(offset: offset)
        case UInt8(ascii: "\\"): self = .backslash(offset: offset)
        case let other where other.isBase64URLDigit: self = .cutShort(characterCount: text.count)
        default: self = .unexpected(offset: offset)
        }
    }
}

extension TextDefect: CustomStringConvertible {
    /// A noun and its place.
    package var description: String {
        switch self {
        case .lineBreak(let offset), .space(let offset): "white space at \(offset)"
        case .percentEncoding(let offset): "percent-encoding at \(offset)"
        case .padding(let offset): "padding at \(offset)"
        case .standardAlphabet(let character, let offset): "standard alphabet: '\(character)' at \(offset)"
        case .quote(let offset): "a quote at \(offset)"
        case .backslash(let offset): "a backslash at \(offset)"
        case .unexpected(let offset): "an unexpected character at \(offset)"
        case .cutShort(let count): "it ends within a byte after \(count) characters"
        }
    }

    /// The next step.
    package var next: String {
        switch self {
        case .lineBreak: "join the lines of a wrapped text"
        case .space: "take the space out; if the text came through a web form, it was a \"+\""
        case .percentEncoding: "decode the percent-encoding once"
        case .padding: "leave the \"=\" away: the text is base64url without padding"
        case .standardAlphabet: "write \"-\" for \"+\" and \"_\" for \"/\": the text is base64url"
        case .quote, .backslash: "the text was turned into JSON twice; take it without the quotes and backslashes"
        case .unexpected: "copy the text again"
        case .cutShort: "copy the text again, to its end"
        }
    }
}
