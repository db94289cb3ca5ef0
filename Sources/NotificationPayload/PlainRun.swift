// SPDX-License-Identifier: Apache-2.0

/// Finds where a JSON string stops being plain: at a quotation mark, a backslash, or a byte below 0x20.
///
/// Nearly all of a payload is plain text, so 32 bytes are looked at in one step, and eight where fewer are left.
enum PlainRun {
    /// Offset of the first byte in `bytes` from `start` that is not plain; the count when all are.
    static func end(in bytes: RawSpan, from start: Int) -> Int {
        var offset = start
        while offset <= bytes.byteCount - 32 {
            // SAFETY: 32 bytes are left.
            let (first, second) = unsafe (marks(bytes, at: offset), marks(bytes, at: offset + 8))
            let (third, fourth) = unsafe (marks(bytes, at: offset + 16), marks(bytes, at: offset + 24))
            if first | second | third | fourth != 0 { break }
            offset += 32
        }
        while offset <= bytes.byteCount - 8 {
            // SAFETY: eight bytes are left.
            let marks = unsafe marks(bytes, at: offset)
            if marks != 0 { return offset + marks.trailingZeroBitCount / 8 }
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

    /// The high bits of those of eight bytes that are not plain, the first byte lowest.
    ///
    /// Subtracting from each byte sets its high bit when it was smaller. A borrow can only come from a byte that counts
    /// itself, so the lowest mark is exact, and so is that there is none.
    ///
    /// SAFETY: the caller knows that eight bytes are left.
    @unsafe private static func marks(_ bytes: RawSpan, at offset: Int) -> UInt64 {
        let loaded = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        let word = UInt64(littleEndian: loaded)
        let control = (word &- ones &* 0x20) & ~word
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highBits
    }
}
