// SPDX-License-Identifier: Apache-2.0

/// The loop under both decoders: four characters to three bytes, the lookups of a whole text joined by OR and tested
/// once.
///
/// Texts are public here; the tables would leak secrets through the cache.
enum Base64Groups {
    /// Set in a table for a character outside the alphabet.
    static let invalid: UInt32 = 1 << 31

    /// 256 values of 6 bits, or `invalid`; where two spellings of a value are given, both count.
    static func table(_ alphabets: [String]) -> [UInt32] {
        var table = [UInt32](repeating: invalid, count: 256)
        for alphabet in alphabets {
            for (value, character) in alphabet.utf8.enumerated() { table[Int(character)] = UInt32(value) }
        }
        return table
    }

    /// Bytes that `characterCount` characters decode to; nil when no byte string has that many.
    static func byteCount(ofCharacters characterCount: Int) -> Int? {
        characterCount % 4 == 1 ? nil : characterCount * 3 / 4
    }

    /// Decodes `text`, whose length `byteCount(ofCharacters:)` knows, into `output` with as much room.
    ///
    /// False when a character is invalid; then what was written means nothing. `trailing` is what the last character
    /// holds beyond the last byte.
    static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        _ table: [UInt32],
        into output: UnsafeMutablePointer<UInt8>
    ) -> (isValid: Bool, trailing: UInt32) {
        unsafe table.withUnsafeBufferPointer { table in
            var seen: UInt32 = 0
            var read = 0
            var bytes = UnsafeMutableRawPointer(output)
            let whole = text.count & ~3
            // Four bytes are stored for three, so the last group is left to the tail below.
            while read < whole - 4 {
                let first = unsafe table[Int(text[read])]
                let second = unsafe table[Int(text[read + 1])]
                let third = unsafe table[Int(text[read + 2])]
                let fourth = unsafe table[Int(text[read + 3])]
                seen |= first | second | third | fourth
                let group = first << 26 | second << 20 | third << 14 | fourth << 8
                unsafe bytes.storeBytes(of: group.bigEndian, as: UInt32.self)
                unsafe bytes += 3
                read += 4
            }
            var group: UInt32 = 0
            var bits: UInt32 = 0
            while read < text.count {
                let value = unsafe table[Int(text[read])]
                seen |= value
                group = group << 6 | value & 63
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: group >> bits), as: UInt8.self)
                    unsafe bytes += 1
                }
                read += 1
            }
            return (seen & invalid == 0, group & (1 << bits - 1))
        }
    }

    static func firstInvalid(in text: Span<UInt8>, _ table: [UInt32]) -> Int? {
        text.indices.first { table[Int(text[$0])] == invalid }
    }
}
