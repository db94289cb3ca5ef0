// SPDX-License-Identifier: Apache-2.0

/// The reason for which bytes are not JSON that Nestbox takes.
///
/// Offsets count bytes from 0.
package enum JSONError: Error, Equatable {
    case unexpectedEnd
    case unexpectedByte(offset: Int)
    case invalidUTF8(offset: Int)
    case invalidEscape(offset: Int)
    /// A number outside a finite `Double`.
    case numberOutOfRange(offset: Int)
    /// U+0000 in a string or key: C readers downstream would see a shorter text.
    case nulCharacter(offset: Int)
    /// Two keys of one object are equal, canonically equivalent spellings included.
    case duplicateKey(offset: Int)
    /// A key with more than 30 combining marks in a row: comparing it would take the square of their number.
    ///
    /// Source: UAX #15, section 13, "Stream-Safe Text Format".
    case tooManyMarks(offset: Int)
    case tooDeep(limit: Int)
    case notAnObject
}

extension JSONError: CustomStringConvertible {
    /// One clause for a message to people: what is wrong and where, never what the text says.
    package var description: String {
        switch self {
        case .unexpectedEnd: "the text ends inside a value"
        case .unexpectedByte(let offset): "unexpected byte at \(offset)"
        case .invalidUTF8(let offset): "invalid UTF-8 at \(offset)"
        case .invalidEscape(let offset): "invalid escape at \(offset)"
        case .numberOutOfRange(let offset): "number out of range at \(offset)"
        case .nulCharacter(let offset): "NUL character in the string at \(offset)"
        case .duplicateKey(let offset): "duplicate key at \(offset)"
        case .tooManyMarks(let offset): "too many combining marks in the key at \(offset)"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .notAnObject: "not a JSON object"
        }
    }
}
