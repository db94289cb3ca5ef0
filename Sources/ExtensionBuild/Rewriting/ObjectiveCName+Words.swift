// SPDX-License-Identifier: Apache-2.0

/// The words of a name in camel case: "URL", "For" and "Item" of "URLForItem".
extension ObjectiveCName {
    static func firstWord(of name: String) -> String {
        let bytes = Array(name.utf8)
        return String(decoding: bytes[..<endOfWord(in: bytes, at: 0)], as: UTF8.self)
    }

    static func lastWord(of name: String) -> String {
        let bytes = Array(name.utf8)
        var start = 0
        while start < bytes.count {
            let end = endOfWord(in: bytes, at: start)
            if end >= bytes.count { break }
            start = end
        }
        return String(decoding: bytes[start...], as: UTF8.self)
    }

    /// The place behind the word that begins at `start`; an underscore is a word of its own.
    private static func endOfWord(in name: [UInt8], at start: Int) -> Int {
        guard start < name.count, name[start] != UInt8(ascii: "_") else { return min(start + 1, name.count) }
        var end = start
        while end < name.count, isCapital(name[end]) { end += 1 }
        // The last of several capitals begins the next word, unless the small letter behind makes a plural: "URLs".
        if end - start > 1 {
            guard end < name.count, isSmall(name[end]) else { return end }
            let isPlural =
                name[end] == UInt8(ascii: "s") && (end + 1 == name.count || !isSmall(name[end + 1]))
            guard isPlural else { return end - 1 }
        }
        while end < name.count, !isCapital(name[end]), name[end] != UInt8(ascii: "_") { end += 1 }
        return end
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
