// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with the secrets of key files masked: `NSE-SECRET-KEY-1…`, `NSE-PSK-1…`, `web-push: …`.
    ///
    /// A person may write a secret where a public key or a path belongs, and messages quote what is written. Every
    /// message for people passes through here before it reaches a terminal, a log or another process.
    /// Source: FORMAT.md, "Key files".
    package var withoutSecrets: String {
        var text = SecretText(Array(utf8))
        return text.mask() ? String(decoding: text.masked, as: UTF8.self) : self
    }
}

/// A text that is searched for secrets of key files, from its beginning to its end.
private struct SecretText {
    /// The beginnings of secrets in Bech32, in lower case; the data part behind them is letters and digits.
    private static let keys = ["nse-secret-key-1", "nse-psk-1"].map { Array($0.utf8) }
    /// The beginnings of secrets that are words.
    private static let formats = SealFormatName.allCases.filter(\.hasSharedSecret).map { Array("\($0.rawValue):".utf8) }
    /// No secret has a shorter first word, which is a key, or a shorter second one, an initialisation vector.
    private static let shortestWords = (first: 16, second: 12)
    private static let mark = Array("…".utf8)

    private let bytes: [UInt8]
    private var place = 0
    private(set) var masked: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Copies the text without its secrets; false if it has none.
    mutating func mask() -> Bool {
        var found = false
        while place < bytes.count {
            if maskKey() || maskWords() {
                found = true
            } else {
                masked.append(bytes[place])
                place += 1
            }
        }
        return found
    }

    private mutating func maskKey() -> Bool {
        guard let start = Self.keys.first(where: begins) else { return false }
        masked += start.map(Self.uppercased) + Self.mark
        place += start.count
        while place < bytes.count, Self.isAlphanumeric(bytes[place]) { place += 1 }
        // A text that was masked before stays as it is.
        if bytes[place...].starts(with: Self.mark) { place += Self.mark.count }
        return true
    }

    /// Masks one word or two; a word that is shorter than every secret stays, since messages name formats too.
    private mutating func maskWords() -> Bool {
        guard let start = Self.formats.first(where: begins),
            let first = word(after: place + start.count, Self.shortestWords.first)
        else { return false }
        masked += bytes[place..<place + start.count] + [0x20] + Self.mark
        place = first.upperBound
        if place < bytes.count, Self.isSpace(bytes[place]), let second = word(after: place, Self.shortestWords.second) {
            place = second.upperBound
        }
        return true
    }

    /// Tells whether the text goes on with `start`, in any case.
    private func begins(with start: [UInt8]) -> Bool {
        guard bytes.count - place >= start.count else { return false }
        return zip(bytes[place...], start).allSatisfy { $0 == $1 || (Self.isLetter($1) && $0 == $1 & ~0x20) }
    }

    /// Returns the next word without a quotation mark behind it; `nil` means that it has less than `count` characters.
    private func word(after start: Int, _ count: Int) -> Range<Int>? {
        var first = start
        while first < bytes.count, Self.isSpace(bytes[first]) { first += 1 }
        var end = first
        while end < bytes.count, !Self.isSpace(bytes[end]) { end += 1 }
        // Measured with a quotation mark at its end, which may be the secret's own.
        guard end - first >= count, end - first >= 2 else { return nil }
        // `"…"`, perhaps with a comma or a colon.
        let quotation = UInt8(ascii: "\"")
        if bytes[end - 1] == quotation {
            end -= 1
        } else if bytes[end - 2] == quotation, ",:;.)".utf8.contains(bytes[end - 1]) {
            end -= 2
        }
        return first..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte & ~0x20 : byte }
}
