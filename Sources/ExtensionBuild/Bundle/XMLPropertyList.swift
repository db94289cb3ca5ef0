// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The XML form, read without a document type of its own and without entities but those of every XML.
struct XMLPropertyList {
    private typealias Tag = XMLScanner.Tag

    private var scanner: XMLScanner
    private var allowance = PropertyList.Allowance()

    init(_ bytes: [UInt8]) {
        scanner = XMLScanner(bytes)
    }

    /// The one value of the list.
    mutating func value() throws(PropertyList.Mistake) -> Any {
        var tag = try nextTag()
        let isWrapped = tag.name == "plist" && tag.kind == .start
        if isWrapped { tag = try nextTag() }
        let value = try value(tag, depth: 1)
        if isWrapped { try expectEnd(of: "plist") }
        try scanner.skipBetween()
        guard scanner.isAtEnd else { throw scanner.mistake("something follows its end") }
        return value
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(PropertyList.Mistake) -> Any {
        do {
            try allowance.takeValue(depth: depth)
        } catch {
            throw scanner.mistake(error.reason)
        }
        guard tag.kind != .end else { throw scanner.mistake("a value is missing before </\(tag.name)>") }
        switch tag.name {
        case "true", "false":
            if tag.kind == .start { try expectEnd(of: tag.name) }
            return tag.name == "true"
        case "array": return tag.kind == .empty ? [] : try list(depth: depth)
        case "dict": return tag.kind == .empty ? [:] : try dictionary(depth: depth)
        case "string": return try text(of: tag)
        case "integer": return NSNumber(value: try integer(text(of: tag)))
        case "real":
            guard let number = Double(try text(of: tag).trimmed) else {
                throw scanner.mistake("<real> holds no number")
            }
            return NSNumber(value: number)
        case "date":
            guard let date = try? Date(try text(of: tag).trimmed, strategy: .iso8601) else {
                throw scanner.mistake("<date> holds no date")
            }
            return date
        case "data":
            let digits = try text(of: tag).filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: digits) else { throw scanner.mistake("<data> holds no base64") }
            return data
        default: throw scanner.mistake("<\(tag.name)> is no value")
        }
    }

    private mutating func list(depth: Int) throws(PropertyList.Mistake) -> [Any] {
        var list: [Any] = []
        while true {
            let tag = try nextTag()
            if tag.kind == .end, tag.name == "array" { return list }
            list.append(try value(tag, depth: depth + 1))
        }
    }

    private mutating func dictionary(depth: Int) throws(PropertyList.Mistake) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        while true {
            let tag = try nextTag()
            if tag.kind == .end, tag.name == "dict" { return dictionary }
            guard tag.name == "key", tag.kind != .end else {
                throw scanner.mistake("<key> is missing before <\(tag.name)>")
            }
            let key = try text(of: tag)
            dictionary[key] = try value(try nextTag(), depth: depth + 1)
        }
    }

    private func integer(_ text: String) throws(PropertyList.Mistake) -> Int {
        let digits = text.trimmed.lowercased()
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("-0x") || digits.hasPrefix("+0x")
        let number =
            isHexadecimal ? Int(digits.replacing("0x", with: "", maxReplacements: 1), radix: 16) : Int(digits)
        guard let number else { throw scanner.mistake("<integer> holds no number") }
        return number
    }

    private mutating func nextTag() throws(PropertyList.Mistake) -> Tag {
        try scanner.skipBetween()
        guard !scanner.isAtEnd else { throw scanner.mistake("it is cut off") }
        guard scanner.isAtTag else { throw scanner.mistake("no value begins so") }
        return try scanner.tag()
    }

    private mutating func expectEnd(of name: String) throws(PropertyList.Mistake) {
        let tag = try nextTag()
        guard tag.kind == .end, tag.name == name else { throw scanner.mistake("</\(name)> is missing") }
    }

    /// Reads the text between a tag and its end, where no other tag may stand.
    private mutating func text(of start: Tag) throws(PropertyList.Mistake) -> String {
        guard start.kind == .start else { return "" }
        let text = try scanner.text()
        guard !scanner.isAtEnd else { throw scanner.mistake("</\(start.name)> is missing") }
        let tag = try scanner.tag()
        guard tag.kind == .end, tag.name == start.name else { throw scanner.mistake("</\(start.name)> is missing") }
        do { try allowance.takeBytes(text.utf8.count) } catch { throw scanner.mistake(error.reason) }
        return text
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
