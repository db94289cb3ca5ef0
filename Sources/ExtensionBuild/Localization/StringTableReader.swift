// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text form of a table: `"KEY" = "TEXT";`, words without quotes where they are plain, comments as in C.
///
/// Foundation reads it too, but hides the line of a mistake and writes about it to standard error.
/// Source: Apple, "Resource Programming Guide", string resources.
struct StringTableReader {
    struct Mistake: Error, Equatable {
        let line: Int
        let reason: String
    }

    private let units: [UInt16]
    private var position = 0
    private var line = 1
    /// The line of the last word or sign: what is missing is missing there.
    private var lastLine = 1

    private init(_ text: String) {
        units = Array(text.utf16)
    }

    /// The last of two equal keys counts; a key without a text is its own.
    static func texts(of text: String) throws(Mistake) -> [String: String] {
        var reader = StringTableReader(text)
        var texts: [String: String] = [:]
        while try reader.skipSpace() {
            let key = try reader.word()
            texts[key] = try reader.takes("=") ? reader.word() : key
            guard try reader.takes(";") else { throw Mistake(line: reader.lastLine, reason: "\";\" is missing") }
        }
        return texts
    }

    private var unit: UInt16? { position < units.count ? units[position] : nil }

    private func isAt(_ sign: Unicode.Scalar, after count: Int = 0) -> Bool {
        position + count < units.count && units[position + count] == sign.value
    }

    private mutating func advance() {
        if isAt("\n") || isAt("\r") && !isAt("\n", after: 1) { line += 1 }
        position += 1
    }

    /// Skips space and comments; false at the end of the text.
    private mutating func skipSpace() throws(Mistake) -> Bool {
        while let unit {
            if isAt("/"), isAt("/", after: 1) {
                while position < units.count, !isAt("\n"), !isAt("\r") { position += 1 }
            } else if isAt("/"), isAt("*", after: 1) {
                let start = line
                position += 2
                while !(isAt("*") && isAt("/", after: 1)) {
                    guard position < units.count else {
                        throw Mistake(line: start, reason: "the comment has no end")
                    }
                    advance()
                }
                position += 2
            } else if Unicode.Scalar(unit)?.properties.isWhitespace == true || unit == 0xFEFF {
                advance()
            } else {
                return true
            }
        }
        return false
    }

    private mutating func takes(_ sign: Unicode.Scalar) throws(Mistake) -> Bool {
        guard try skipSpace(), isAt(sign) else { return false }
        lastLine = line
        position += 1
        return true
    }

    /// A key or a text.
    private mutating func word() throws(Mistake) -> String {
        guard try skipSpace() else { throw Mistake(line: lastLine, reason: "a text is missing") }
        if isAt("\"") { return try quoted() }
        let start = position
        while let unit, Self.isPlain(unit) { position += 1 }
        guard position > start else { throw Mistake(line: line, reason: "neither a key nor a text begins so") }
        lastLine = line
        return String(decoding: units[start..<position], as: UTF16.self)
    }

    private static func isPlain(_ unit: UInt16) -> Bool {
        guard let scalar = Unicode.Scalar(unit), scalar.isASCII else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_$/:.-".unicodeScalars.contains(scalar)
    }

    private mutating func quoted() throws(Mistake) -> String {
        let start = line
        var text: [UInt16] = []
        position += 1
        while let unit {
            advance()
            switch Unicode.Scalar(unit) {
            case "\"":
                lastLine = line
                return String(decoding: text, as: UTF16.self)
            case "\\": text.append(try escaped())
            default: text.append(unit)
            }
        }
        throw Mistake(line: start, reason: "the text has no end")
    }

    /// Reads the rest of an escape sequence, after its backslash, and returns the UTF-16 unit that it means.
    private mutating func escaped() throws(Mistake) -> UInt16 {
        // At the end of the file the text has none: the next turn says so.
        guard let unit else { return 0 }
        switch Unicode.Scalar(unit) {
        case "U": return try number(after: 1, digits: 4, radix: 16)
        case let digit? where ("0"..."7").contains(digit): return try number(after: 0, digits: 3, radix: 8)
        default: break
        }
        advance()
        return switch Unicode.Scalar(unit) {
        case "n": 0x0A
        case "t": 0x09
        case "r": 0x0D
        case "a": 0x07
        case "b": 0x08
        case "f": 0x0C
        case "v": 0x0B
        default: unit
        }
    }

    private mutating func number(after count: Int, digits: Int, radix: Int) throws(Mistake) -> UInt16 {
        let digits = units.dropFirst(position + count).prefix(digits)
        guard let value = UInt16(String(decoding: digits, as: UTF16.self), radix: radix), radix == 16 || value < 0x80
        else { throw Mistake(line: line, reason: "\"\\U\" has four digits, \"\\\" three below 200") }
        position += count + digits.count
        return value
    }
}
