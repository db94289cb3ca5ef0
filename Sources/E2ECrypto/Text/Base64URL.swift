// SPDX-License-Identifier: Apache-2.0

/// Strict base64url, one text per byte string.
///
/// `A–Z a–z 0–9 - _`, no padding, no white space, trailing bits zero.
///
/// Texts are public here; the tables would leak secrets through the cache.
/// Source: RFC 4648 §5, narrowed by FORMAT.md, "Text".
enum Base64URL {
    /// Bytes that `characterCount` characters decode to; nil when no byte string has that many.
    static func byteCount(ofCharacters characterCount: Int) -> Int? {
        characterCount % 4 == 1 ? nil : characterCount / 4 * 3 + [0, 0, 1, 2][characterCount % 4]
    }

    /// Characters that `byteCount` bytes are written with.
    static func characterCount(ofBytes byteCount: Int) -> Int {
        (byteCount * 4 + 2) / 3
    }

    /// Writes the decoded bytes to `output`, which has room for `byteCount(ofCharacters:)` of them; returns how many.
    ///
    /// Throws `malformedText` with the offset of the first bad character, counted from the start of `text`; what was
    /// written by then is meaningless.
    static func decode(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        guard let byteCount = byteCount(ofCharacters: text.count) else {
            throw .malformedText(offset: firstInvalid(in: text) ?? text.count)
        }
        let (written, isValid) = unsafe text.withUnsafeBufferPointer { text in
            unsafe decode(text, into: output)
        }
        guard isValid, written == byteCount else {
            throw .malformedText(offset: firstInvalid(in: text) ?? max(0, text.count - 1))
        }
        return byteCount
    }

    /// The lookups of a whole text are joined by OR and tested once: an invalid character sets bit 31.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) -> (written: Int, isValid: Bool) {
        unsafe decodingTable.withUnsafeBufferPointer { table in
            var seen: UInt32 = 0
            var read = 0
            var written = 0
            let whole = text.count & ~3
            while read < whole {
                let group =
                    unsafe table[Int(text[read])] << 18 | table[Int(text[read + 1])] << 12
                    | table[Int(text[read + 2])] << 6 | table[Int(text[read + 3])]
                unsafe seen |= table[Int(text[read])] | table[Int(text[read + 1])]
                unsafe seen |= table[Int(text[read + 2])] | table[Int(text[read + 3])]
                unsafe output[written] = UInt8(truncatingIfNeeded: group >> 16)
                unsafe output[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
                unsafe output[written + 2] = UInt8(truncatingIfNeeded: group)
                read += 4
                written += 3
            }
            var trailing: UInt32 = 0
            if text.count - read >= 2 {
                var tail = unsafe table[Int(text[read])] << 18 | table[Int(text[read + 1])] << 12
                unsafe seen |= table[Int(text[read])] | table[Int(text[read + 1])]
                unsafe output[written] = UInt8(truncatingIfNeeded: tail >> 16)
                trailing = tail & 0xFFFF
                written += 1
                if text.count - read == 3 {
                    unsafe tail |= table[Int(text[read + 2])] << 6
                    unsafe seen |= table[Int(text[read + 2])]
                    unsafe output[written] = UInt8(truncatingIfNeeded: tail >> 8)
                    trailing = tail & 0xFF
                    written += 1
                }
            }
            return (written, seen & invalid == 0 && trailing == 0)
        }
    }

    private static func firstInvalid(in text: Span<UInt8>) -> Int? {
        text.indices.first { decodingTable[Int(text[$0])] == invalid }
    }

    /// Appends `bytes` as text.
    static func encode(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + characterCount(ofBytes: bytes.count))
        var index = 0
        while index < bytes.count {
            let rest = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if rest > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if rest > 2 { group |= UInt32(bytes[index + 2]) }
            for position in 0...rest {
                text.append(alphabet[Int(group >> (18 - 6 * UInt32(position)) & 63)])
            }
            index += rest
        }
    }

    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let invalid: UInt32 = 1 << 31

    private static let decodingTable: [UInt32] = {
        var table = [UInt32](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() {
            table[Int(character)] = UInt32(value)
        }
        return table
    }()
}
