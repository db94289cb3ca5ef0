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
        let characters = text.extracting(..<end)
        guard end == text.count || text.count % 4 == 0, let count = Base64Groups.byteCount(ofCharacters: end) else {
            throw .malformedText(offset: Base64Groups.firstInvalid(in: characters, table) ?? end)
        }
        let (isValid, _) = unsafe characters.withUnsafeBufferPointer {
            unsafe Base64Groups.decode($0, table, into: output)
        }
        guard isValid else { throw .malformedText(offset: Base64Groups.firstInvalid(in: characters, table) ?? 0) }
        return count
    }

    private static let table = Base64Groups.table([
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        Base64URL.alphabet,
    ])
}
