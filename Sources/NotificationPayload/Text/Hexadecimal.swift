// SPDX-License-Identifier: Apache-2.0

/// Bytes as hexadecimal digits, two for each: written in lower case, read in any.
///
///     Hexadecimal.encode([0x0F, 0xA0])    // "0fa0"
///     Hexadecimal.decode("0FA0")          // [0x0F, 0xA0]
///
/// For texts that everybody may see; what is secret is read by libsodium.
/// Source: RFC 4648, section 8.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two lower-case digits a byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two digits of one byte.
    package static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }

    /// All digits of a number, with the zeros in front: 8 of a `UInt32`, 16 of a `UInt64`.
    package static func encode<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: Number.bitWidth / 4 - text.utf8.count) + text
    }

    /// Reads an even number of digits in any case; returns `nil` for anything else.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var digits = text.makeIterator()
        while let first = digits.next() {
            guard let high = value(of: first), let low = digits.next().flatMap(value) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Reads an even number of digits in any case; returns `nil` for anything else.
    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// Returns what one digit stands for, 0 to 15; `nil` for any other byte.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    /// True if the byte is a hexadecimal digit, in either case.
    package var isHexadecimalDigit: Bool { Hexadecimal.value(of: self) != nil }
}
