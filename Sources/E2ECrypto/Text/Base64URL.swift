// SPDX-License-Identifier: Apache-2.0

/// Strict base64url, one text per byte string.
///
/// `A–Z a–z 0–9 - _`, no padding, no white space, trailing bits zero.
/// Source: RFC 4648 §5, narrowed by FORMAT.md, "Text".
@_spi(Benchmarking) public enum Base64URL {
    static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    private static let characters = Array(alphabet.utf8)
    private static let table = Base64Groups.table([alphabet])

    /// Characters that `byteCount` bytes are written with.
    static func characterCount(ofBytes byteCount: Int) -> Int {
        (byteCount * 4 + 2) / 3
    }

    /// Writes the decoded bytes to `output`, which has room for three bytes for every four characters begun; returns
    /// how many.
    ///
    /// Throws `malformedText` with the offset of the first bad character, counted from the start of `text`; what was
    /// written by then is meaningless.
    public static func decode(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        guard let count = Base64Groups.byteCount(ofCharacters: text.count) else {
            throw .malformedText(offset: Base64Groups.firstInvalid(in: text, table) ?? text.count)
        }
        let (isValid, trailing) = unsafe text.withUnsafeBufferPointer {
            unsafe Base64Groups.decode($0, table, into: output)
        }
        guard isValid, trailing == 0 else {
            throw .malformedText(offset: Base64Groups.firstInvalid(in: text, table) ?? text.count - 1)
        }
        return count
    }

    /// Decodes what follows the first `start` characters; offsets in errors count from the start of `text`.
    static func decode(
        _ text: Span<UInt8>,
        from start: Int,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        do {
            return try unsafe decode(text.extracting(start...), into: output)
        } catch .malformedText(let offset) {
            throw .malformedText(offset: offset + start)
        }
    }

    /// Appends `bytes` as text.
    public static func encode(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + characterCount(ofBytes: bytes.count))
        var index = 0
        while index < bytes.count {
            let rest = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if rest > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if rest > 2 { group |= UInt32(bytes[index + 2]) }
            for position in 0...rest {
                text.append(characters[Int(group >> (18 - 6 * UInt32(position)) & 63)])
            }
            index += rest
        }
    }
}
