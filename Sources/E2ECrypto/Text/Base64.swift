// SPDX-License-Identifier: Apache-2.0

/// Lenient base64, as libsodium bindings write it: standard or URL alphabet, padded or not, never white space.
///
/// A sealed box is identified by its bytes, so two texts of one box do no harm.
enum Base64 {
    /// Writes the decoded bytes to `output`, which has room for three bytes for every four characters begun; returns
    /// how many.
    ///
    /// Throws `malformedText` with the offset of the first character that does not belong there.
    static func decode(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        var end = text.count
        while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        guard end == text.count || text.count % 4 == 0 else { throw .malformedText(offset: end) }
        guard end % 4 != 1 else { throw .malformedText(offset: firstInvalid(in: text, before: end) ?? end - 1) }
        var group: UInt32 = 0
        var bits: UInt32 = 0
        var written = 0
        for index in 0..<end {
            guard let value = value(of: text[index]) else { throw .malformedText(offset: index) }
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                unsafe output[written] = UInt8(truncatingIfNeeded: group >> bits)
                written += 1
            }
        }
        return written
    }

    private static func firstInvalid(in text: Span<UInt8>, before end: Int) -> Int? {
        (0..<end).first { value(of: text[$0]) == nil }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
