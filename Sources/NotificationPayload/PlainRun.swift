// SPDX-License-Identifier: Apache-2.0

/// Finds where a JSON string stops being plain: at a quotation mark, a backslash, or a byte below 0x20.
///
/// Nearly all of a payload is plain text, so eight bytes are looked at in one step.
enum PlainRun {
    /// Offset of the first byte in `bytes` from `start` that is not plain; the count when all are.
    static func end(in bytes: RawSpan, from start: Int) -> Int {
        var offset = start
        while offset <= bytes.byteCount - 8 {
            // SAFETY: eight bytes are left.
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            if hasSpecialByte(word) { break }
            offset += 8
        }
        while offset < bytes.byteCount {
            // SAFETY: one byte is left.
            let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            offset += 1
        }
        return offset
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Subtracting from each byte sets its high bit when it was smaller; a borrow can only come from a byte that
    /// counts itself, so the answer for the word as a whole is exact.
    private static func hasSpecialByte(_ word: UInt64) -> Bool {
        let control = (word &- ones &* 0x20) & ~word
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highBits != 0
    }
}
