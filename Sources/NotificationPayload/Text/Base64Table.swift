// SPDX-License-Identifier: Apache-2.0

/// The loop under every reader of Base64: four characters to three bytes, the lookups of a whole text joined by OR and
/// tested once.
struct Base64Table: Sendable {
    /// The mark of a character outside the alphabet.
    private static let invalid: UInt32 = 1 << 31

    /// 256 values of 6 bits, or `invalid`.
    private let values: [UInt32]

    /// Takes 64 letters in the order of their values; where two alphabets give a value two letters, both count.
    init(_ alphabets: [String]) {
        var values = [UInt32](repeating: Self.invalid, count: 256)
        for alphabet in alphabets {
            for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt32(value) }
        }
        self.values = values
    }

    /// Decodes `text`, which no byte string has if its length leaves 1 when divided by 4, into `output` with room for
    /// three bytes for every four characters begun.
    ///
    /// `isValid` is false when a character is invalid; then what was written means nothing. `trailing` is what the last
    /// character holds beyond the last byte.
    func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) -> (isValid: Bool, trailing: UInt32) {
        values.withUnsafeBufferPointer { values in
            var seen: UInt32 = 0
            var read = 0
            var bytes = UnsafeMutableRawPointer(output)
            let whole = text.count & ~3
            // Four bytes are stored for three, so the last group is left to the tail below.
            while read < whole - 4 {
                let first = values[Int(text[read])]
                let second = values[Int(text[read + 1])]
                let third = values[Int(text[read + 2])]
                let fourth = values[Int(text[read + 3])]
                seen |= first | second | third | fourth
                let group = first << 26 | second << 20 | third << 14 | fourth << 8
                bytes.storeBytes(of: group.bigEndian, as: UInt32.self)
                bytes += 3
                read += 4
            }
            var group: UInt32 = 0
            var bits: UInt32 = 0
            while read < text.count {
                let value = values[Int(text[read])]
                seen |= value
                group = group << 6 | value & 63
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes.storeBytes(of: UInt8(truncatingIfNeeded: group >> bits), as: UInt8.self)
                    bytes += 1
                }
                read += 1
            }
            return (seen & Self.invalid == 0, group & (1 << bits - 1))
        }
    }

    func firstInvalid(in text: Span<UInt8>) -> Int? {
        text.indices.first { values[Int(text[$0])] == Self.invalid }
    }
}
