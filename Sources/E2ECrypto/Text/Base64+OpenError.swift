// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension Base64 {
    /// The text of a sealed box, as libsodium bindings write it: either alphabet, padded or not, never white space.
    ///
    /// A sealed box is identified by its bytes, so two texts of one box do no harm.
    static let ofSealedBox = lenient.ignoringTrailingBits

    /// Decodes what follows the first `start` characters into `output`, which has room for three bytes for every four
    /// characters begun, and returns how many bytes they are.
    ///
    /// Throws `malformedText` with the offset of the first bad character, counted from the start of `text`; what was
    /// written by then is meaningless.
    func decode(
        _ text: Span<UInt8>,
        from start: Int,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        do {
            return try unsafe decode(text.extracting(start...), into: output)
        } catch {
            throw .malformedText(offset: error.offset + start)
        }
    }
}

/// The notation of `v1.`, for programs that measure it beside another.
@_spi(Benchmarking) public enum Base64URL {
    /// Decodes a text into `output`, which has room for three bytes for every four characters begun.
    public static func decode(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        try unsafe Base64.url.decode(text, from: 0, into: output)
    }

    /// Appends the bytes as text.
    public static func encode(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        Base64.url.append(bytes, to: &text)
    }
}
