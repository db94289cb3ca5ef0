// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The form of property lists with braces, in which Xcode keeps its projects: `{ key = value; }`, `(a, b)`, texts with
/// or without quotes, and comments.
///
/// Values are `String`, `Data`, `[Any]` and `[String: Any]`, with the bounds of `PropertyList`; of two equal keys the
/// later counts. Source: Apple, "Old-Style ASCII Property Lists".
struct OpenStepPropertyList {
    private typealias Mistake = PropertyList.Mistake

    private let bytes: [UInt8]
    private var place = 0
    private var allowance = PropertyList.Allowance()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value of the list.
    mutating func value() throws(PropertyList.Mistake) -> Any {
        let value = try value(depth: 1)
        try skip()
        guard place == bytes.count else { throw mistake("something follows its end") }
        return value
    }

    private mutating func value(depth: Int) throws(PropertyList.Mistake) -> Any {
        try skip()
        do { try allowance.takeValue(depth: depth) } catch { throw mistake(error.reason) }
        switch current {
        case UInt8(ascii: "{"): return try dictionary(depth: depth)
        case UInt8(ascii: "("): return try list(depth: depth)
        case UInt8(ascii: "<"): return try data()
        default: return try text()
        }
    }

    private mutating func dictionary(depth: Int) throws(PropertyList.Mistake) -> [String: Any] {
        place += 1
        var values: [String: Any] = [:]
        while try !take("}") {
            do { try allowance.takeValue(depth: depth + 1) } catch { throw mistake(error.reason) }
            let key = try text()
            guard try take("=") else { throw mistake("\"=\" is missing behind \"\(key.prefix(64))\"") }
            values[key] = try value(depth: depth + 1)
            guard try take(";") else { throw mistake("\";\" is missing behind the value of \"\(key.prefix(64))\"") }
        }
        return values
    }

    private mutating func list(depth: Int) throws(PropertyList.Mistake) -> [Any] {
        place += 1
        var values: [Any] = []
        while try !take(")") {
            values.append(try value(depth: depth + 1))
            if try !take(",") {
                guard try take(")") else { throw mistake("\",\" or \")\" is missing in a list") }
                return values
            }
        }
        return values
    }

    private mutating func data() throws(PropertyList.Mistake) -> Data {
        place += 1
        var digits: [UInt8] = []
        while try !take(">") {
            guard let digit = current.flatMap({ Character(UnicodeScalar($0)).hexDigitValue }) else {
                throw mistake("data holds a sign that is no hexadecimal digit")
            }
            digits.append(UInt8(digit))
            place += 1
        }
        guard digits.count.isMultiple(of: 2) else { throw mistake("data holds half a byte") }
        do { try allowance.takeBytes(digits.count / 2) } catch { throw mistake(error.reason) }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    // MARK: Texts

    private mutating func text() throws(PropertyList.Mistake) -> String {
        try skip()
        guard let first = current else { throw mistake("it ends where a value is missing") }
        let text = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? try quoted(first) : try word()
        do { try allowance.takeBytes(text.utf8.count) } catch { throw mistake(error.reason) }
        return text
    }

    private mutating func word() throws(PropertyList.Mistake) -> String {
        let start = place
        // A comment ends a word: "A/B" is one, and "A /* B */" is "A".
        while let byte = current, Self.isOfWord(byte), !isAtComment { place += 1 }
        guard place > start else {
            throw mistake("\"\(Character(UnicodeScalar(bytes[place])))\" stands where a value is missing")
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func quoted(_ quote: UInt8) throws(PropertyList.Mistake) -> String {
        let start = place
        place += 1
        var text: [UInt8] = []
        while let byte = current, byte != quote {
            place += 1
            if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
        }
        guard current == quote else {
            place = start
            throw mistake("a text in quotes has no end")
        }
        place += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of what stands behind a backslash: a sign, `n`, `t` …, three octal digits, or `U` and four others.
    private mutating func escaped() throws(PropertyList.Mistake) -> [UInt8] {
        guard let byte = current else { throw mistake("a text in quotes has no end") }
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            place -= 1
            return Array(scalar(of: number(3, radix: 8)).utf8)
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return Array(scalar(of: number(4, radix: 16)).utf8)
        default: return [byte]
        }
    }

    private mutating func number(_ digitCount: Int, radix: Int) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<digitCount {
            guard let byte = current, let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < radix else {
                break
            }
            number = number * UInt32(radix) + UInt32(digit)
            place += 1
        }
        return number
    }

    private func scalar(of number: UInt32) -> String {
        UnicodeScalar(number).map { String(Character($0)) } ?? "\u{FFFD}"
    }

    /// Letters, digits, what paths and settings have between them, and all that is not ASCII.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: "_$/:.-+@~%#!?*&|^".utf8.contains(byte)
        }
    }

    // MARK: What stands between values

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var isAtComment: Bool {
        bytes[place] == UInt8(ascii: "/") && place + 1 < bytes.count
            && (bytes[place + 1] == UInt8(ascii: "*") || bytes[place + 1] == UInt8(ascii: "/"))
    }

    /// Passes a sign, if it comes next.
    private mutating func take(_ sign: Unicode.Scalar) throws(PropertyList.Mistake) -> Bool {
        try skip()
        guard let byte = current else { throw mistake("it ends before \"\(sign)\"") }
        guard byte == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    /// Passes blanks and comments.
    private mutating func skip() throws(PropertyList.Mistake) {
        while let byte = current {
            if byte <= 0x20 {
                place += 1
            } else if isAtComment {
                let start = place
                let isLine = bytes[place + 1] == UInt8(ascii: "/")
                place += 2
                while let byte = current, isLine ? byte != 0x0A : !(byte == UInt8(ascii: "*") && isSlashNext) {
                    place += 1
                }
                if isLine { continue }
                guard current != nil else {
                    place = start
                    throw mistake("a comment has no end")
                }
                place += 2
            } else {
                return
            }
        }
    }

    private var isSlashNext: Bool { place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/") }

    private func mistake(_ reason: String) -> PropertyList.Mistake {
        PropertyList.Mistake(line: bytes[..<min(place, bytes.count)].count { $0 == 0x0A } + 1, reason: reason)
    }
}
