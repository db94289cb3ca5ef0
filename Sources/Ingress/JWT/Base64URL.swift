// SPDX-License-Identifier: Apache-2.0

/// Base64 for URLs, without padding.
///
/// Source: RFC 4648, section 5; RFC 7515, section 2.
package enum Base64URL {
    /// Decodes text of letters, digits, `-` and `_`.
    ///
    /// Nil for any other byte, for padding, for a length that no bytes have and for trailing bits that are not zero: each
    /// byte string has one text.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for letter in text {
            guard let value = value(of: letter) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= 1 << bitCount - 1
            }
        }
        guard bitCount < 6, bits == 0 else { return nil }
        return bytes
    }

    /// Decodes what senders also write for it: the letters of plain Base64, and padding.
    package static func decodeLeniently(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        var letters = text.map { letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: letter
            }
        }
        let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || padding <= 2 && letters.count.isMultiple(of: 4) else { return nil }
        letters.removeLast(padding)
        return decode(letters)
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 63)])
            }
            bits &= 1 << bitCount - 1
        }
        if bitCount > 0 { text.append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
