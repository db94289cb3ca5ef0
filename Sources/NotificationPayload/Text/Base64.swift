// SPDX-License-Identifier: Apache-2.0

/// Bytes as letters, digits and two signs, read strictly or leniently.
///
///     Base64.url.encode([0xFB, 0xEF, 0xFF])    // "--__"
///     Base64.url.decode("--__")                // [0xFB, 0xEF, 0xFF]
///     Base64.lenient.decode("++//")            // the same
///
/// The letters are looked up in tables, and how long that takes depends on the text. Keys of sealed payloads and files
/// are therefore read and written by libsodium in constant time, in locked memory (`KeyText`, `AttachmentKey`). What an
/// extension keeps in its keychain goes through here: nobody but the host and that extension can time it.
/// Source: RFC 4648; RFC 7515, section 2; FORMAT.md, "Text".
package struct Base64: Sendable {
    /// A text that stands for no bytes; the offset is that of the first character that does not belong there.
    package struct Malformed: Error, Equatable {
        package let offset: Int
    }

    private enum Padding {
        case none, required, optional
    }

    private let letters: [UInt8]
    private let table: Base64Table
    private let padding: Padding
    private var judgesTrailingBits = true

    private init(_ letters: String, also others: String? = nil, padding: Padding) {
        self.letters = Array(letters.utf8)
        table = Base64Table([others ?? letters, letters])
        self.padding = padding
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// The alphabet with `+` and `/`, and padding, so that every byte string has one text.
    ///
    /// Source: RFC 4648, sections 3.5 and 4.
    package static let standard = Base64(common + "+/", padding: .required)

    /// The alphabet with `-` and `_`, and no padding, so that every byte string has one text.
    ///
    /// Source: RFC 4648, sections 3.5 and 5.
    package static let url = Base64(common + "-_", padding: .none)

    /// Reads either alphabet, padded or not; writes as `url` does.
    package static let lenient = Base64(common + "-_", also: common + "+/", padding: .optional)

    /// The same notation, which also reads a last letter that holds more than the last byte.
    package var ignoringTrailingBits: Base64 {
        var other = self
        other.judgesTrailingBits = false
        return other
    }

    // MARK: Reading

    /// Reads a whole text; returns `nil` for any text that stands for no bytes.
    package func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let text = Array(text)
        return try? [UInt8](unsafeUninitializedCapacity: (text.count + 3) / 4 * 3) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = try decode(text.span, into: start)
        }
    }

    /// Reads a whole text; returns `nil` for any text that stands for no bytes.
    package func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// Writes the decoded bytes to `output`, which has room for three bytes for every four characters begun, and
    /// returns their number.
    ///
    /// After an error, what was written means nothing.
    package func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(Malformed) -> Int {
        var end = text.count
        if padding != .none {
            while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        }
        let digits = text.extracting(..<end)
        let isWhole = text.count % 4 == 0 || padding != .required && end == text.count
        guard isWhole, end % 4 != 1 else {
            throw Malformed(offset: table.firstInvalid(in: digits) ?? end)
        }
        let (isValid, trailing) = digits.withUnsafeBufferPointer { table.decode($0, into: output) }
        guard isValid, trailing == 0 || !judgesTrailingBits else {
            throw Malformed(offset: table.firstInvalid(in: digits) ?? end - 1)
        }
        return end * 3 / 4
    }

    // MARK: Writing

    /// Returns the one text that this notation has for the bytes.
    package func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        append(Array(bytes).span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the one text that this notation has for the bytes.
    package func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        text.reserveCapacity(text.count + characterCount(ofBytes: bytes.count))
        var index = 0
        while index < bytes.count {
            let rest = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if rest > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if rest > 2 { group |= UInt32(bytes[index + 2]) }
            for position in 0...rest {
                text.append(letters[Int(group >> (18 - 6 * UInt32(position)) & 63)])
            }
            if padding == .required { for _ in rest..<3 { text.append(UInt8(ascii: "=")) } }
            index += rest
        }
    }

    /// Returns the number of characters that `byteCount` bytes are written with.
    package func characterCount(ofBytes byteCount: Int) -> Int {
        padding == .required ? (byteCount + 2) / 3 * 4 : (byteCount * 4 + 2) / 3
    }
}

extension UInt8 {
    /// True if the byte is a letter of the alphabet of `Base64.url`.
    package var isBase64URLDigit: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
