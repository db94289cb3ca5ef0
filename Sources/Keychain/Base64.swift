// SPDX-License-Identifier: Apache-2.0

/// Base64 with padding, as RFC 4648, section 4, has it.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; returns `nil` for other characters, a wrong length, or bits behind the end.
    package static func decode(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        let digits = text.dropLast(padding)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits = 0
        var bitCount = 0
        for character in digits {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
