// SPDX-License-Identifier: Apache-2.0

/// A language in which summaries are written; a text is chosen when it is shown, so a change changes no row.
package enum SummaryLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case spanish = "es"
    case portuguese = "pt"

    /// Bytes and ranges of an `Accept-Language` that are looked at; what comes behind is ignored.
    static let headerByteCount = 1024
    static let rangeLimit = 32

    /// Reads a language tag such as `es-MX` or `pt_BR`; `nil` means another language, or no tag.
    package init?(tag: some StringProtocol) {
        let primary = tag.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map(Self.lowercased)
        guard let language = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(primary) }) else { return nil }
        self = language
    }

    /// Chooses the language of an answer: the reader's, else the owner's, else English.
    ///
    /// The range of the greatest weight counts, and the first of several that are equal. A header that names other
    /// languages only is answered in English.
    /// Source: RFC 9110, section 12.5.4.
    package init(acceptLanguage header: String?, owner: String?) {
        let ranges = Self.ranges(of: header ?? "")
        let known = ranges.compactMap { range in Self(tag: range.tag).map { (language: $0, weight: range.weight) } }
        // The first of equal ones stays.
        let best = known.dropFirst().reduce(known.first) { best, next in
            guard let best, best.weight >= next.weight else { return next }
            return best
        }
        if let best {
            self = best.language
        } else if ranges.contains(where: { $0.tag != "*" }) {
            self = .english
        } else {
            self = owner.flatMap { Self(tag: $0) } ?? .english
        }
    }

    /// Ranges with a weight above 0, in the order of the header; one that is malformed is left out.
    private static func ranges(of header: String) -> [(tag: String, weight: Int)] {
        let bytes = header.utf8.prefix(headerByteCount)
        return bytes.split(separator: UInt8(ascii: ",")).prefix(rangeLimit).compactMap { element in
            let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            guard let first = parts.first, parts.count <= 2 else { return nil }
            let tag = trimmed(first)
            guard !tag.isEmpty, let weight = parts.count == 2 ? weight(trimmed(parts[1])) : 1000, weight > 0 else {
                return nil
            }
            return (tag, weight)
        }
    }

    /// Reads `q=0.8` as thousandths; `nil` means that it is none.
    private static func weight(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 3, lowercased(bytes[0]) == UInt8(ascii: "q"), bytes[1] == UInt8(ascii: "=") else {
            return nil
        }
        let digits = bytes[2...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard digits.count <= 2, digits[0].count == 1, let whole = number(digits[0]), whole <= 1 else { return nil }
        guard digits.count == 2 else { return whole * 1000 }
        guard digits[1].count <= 3, let fraction = number(digits[1]) else { return nil }
        let weight = whole * 1000 + (digits[1].count..<3).reduce(fraction) { scaled, _ in scaled * 10 }
        return weight <= 1000 ? weight : nil
    }

    /// Reads at most three digits; no digit is 0.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    private static func trimmed(_ bytes: Substring.UTF8View.SubSequence) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let tail = Array(bytes.drop(while: isBlank)).reversed().drop(while: isBlank)
        return String(decoding: tail.reversed(), as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
