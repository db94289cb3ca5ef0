// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The XML form, read without a document type of its own and without entities but those of every XML.
struct XMLPropertyList {
    private struct Tag {
        enum Kind { case start, end, empty }

        let name: String
        let kind: Kind
    }

    private let bytes: [UInt8]
    private var position = 0
    private var allowance = PropertyList.Allowance()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value of the list.
    mutating func value() throws(PropertyList.Mistake) -> Any {
        var tag = try nextTag()
        let isWrapped = tag.name == "plist" && tag.kind == .start
        if isWrapped { tag = try nextTag() }
        let value = try value(tag, depth: 1)
        if isWrapped { try expectEnd(of: "plist") }
        try skipBetween()
        guard position == bytes.count else { throw mistake("something follows its end") }
        return value
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(PropertyList.Mistake) -> Any {
        do {
            try allowance.takeValue(depth: depth)
        } catch {
            throw mistake(error.reason)
        }
        guard tag.kind != .end else { throw mistake("a value is missing before </\(tag.name)>") }
        switch tag.name {
        case "true", "false":
            if tag.kind == .start { try expectEnd(of: tag.name) }
            return tag.name == "true"
        case "array": return tag.kind == .empty ? [] : try list(depth: depth)
        case "dict": return tag.kind == .empty ? [:] : try dictionary(depth: depth)
        case "string": return try text(of: tag)
        case "integer": return NSNumber(value: try integer(text(of: tag)))
        case "real":
            guard let number = Double(try text(of: tag).trimmed) else { throw mistake("<real> holds no number") }
            return NSNumber(value: number)
        case "date":
            guard let date = try? Date(try text(of: tag).trimmed, strategy: .iso8601) else {
                throw mistake("<date> holds no date")
            }
            return date
        case "data":
            let digits = try text(of: tag).filter { !$0.isWhitespace }
            guard let data = Data(base64Encoded: digits) else { throw mistake("<data> holds no base64") }
            return data
        default: throw mistake("<\(tag.name)> is no value")
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
            guard tag.name == "key", tag.kind != .end else { throw mistake("<key> is missing before <\(tag.name)>") }
            let key = try text(of: tag)
            dictionary[key] = try value(try nextTag(), depth: depth + 1)
        }
    }

    private func integer(_ text: String) throws(PropertyList.Mistake) -> Int {
        let digits = text.trimmed.lowercased()
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("-0x") || digits.hasPrefix("+0x")
        let number =
            isHexadecimal ? Int(digits.replacing("0x", with: "", maxReplacements: 1), radix: 16) : Int(digits)
        guard let number else { throw mistake("<integer> holds no number") }
        return number
    }

    // MARK: Tags

    private func mistake(_ reason: String) -> PropertyList.Mistake {
        let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
        return PropertyList.Mistake(line: line, reason: reason)
    }

    private func isAt(_ text: StaticString) -> Bool {
        position + text.utf8CodeUnitCount <= bytes.count
            && text.withUTF8Buffer { bytes[position..<(position + $0.count)].elementsEqual($0) }
    }

    /// Goes behind the next place of a text.
    private mutating func skip(behind end: StaticString) throws(PropertyList.Mistake) {
        let start = position
        while position < bytes.count, !isAt(end) { position += 1 }
        guard position < bytes.count else {
            position = start
            throw mistake("\"\(end)\" is missing")
        }
        position += end.utf8CodeUnitCount
    }

    /// Skips space, comments, instructions, and a document type as Apple's lists have it.
    private mutating func skipBetween() throws(PropertyList.Mistake) {
        while position < bytes.count {
            if isAt("<!--") {
                try skip(behind: "-->")
            } else if isAt("<?") {
                try skip(behind: "?>")
            } else if isAt("<!DOCTYPE") {
                let start = position
                try skip(behind: ">")
                guard !bytes[start..<position].contains(UInt8(ascii: "[")) else {
                    position = start
                    throw mistake("it has a document type of its own")
                }
            } else if Self.isSpace(bytes[position]) {
                position += 1
            } else {
                return
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private mutating func nextTag() throws(PropertyList.Mistake) -> Tag {
        try skipBetween()
        guard position < bytes.count else { throw mistake("it is cut off") }
        guard isAt("<") else { throw mistake("no value begins so") }
        return try tag()
    }

    /// Reads a tag and skips its attributes, which mean nothing here.
    private mutating func tag() throws(PropertyList.Mistake) -> Tag {
        position += 1
        let isEnd = isAt("/")
        if isEnd { position += 1 }
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        let name = String(decoding: bytes[start..<position].prefix(32), as: UTF8.self)
        guard position > start else { throw mistake("a tag has no name") }
        let rest = position
        try skip(behind: ">")
        let isEmpty = bytes[position - 2] == UInt8(ascii: "/") && position - 2 >= rest
        return Tag(name: name, kind: isEnd ? .end : isEmpty ? .empty : .start)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func expectEnd(of name: String) throws(PropertyList.Mistake) {
        let tag = try nextTag()
        guard tag.kind == .end, tag.name == name else { throw mistake("</\(name)> is missing") }
    }

    // MARK: Texts

    /// Reads the text between a tag and its end, where no other tag may stand.
    private mutating func text(of start: Tag) throws(PropertyList.Mistake) -> String {
        guard start.kind == .start else { return "" }
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
                text.append(byte)
                position += 1
            } else if isAt("<![CDATA[") {
                position += 9
                let start = position
                try skip(behind: "]]>")
                text += bytes[start..<(position - 3)]
            } else if isAt("<!--") {
                try skip(behind: "-->")
            } else if isAt("<") {
                let tag = try tag()
                guard tag.kind == .end, tag.name == start.name else {
                    throw mistake("</\(start.name)> is missing")
                }
                do { try allowance.takeBytes(text.count) } catch { throw mistake(error.reason) }
                return String(decoding: text, as: UTF8.self)
            } else {
                text += String(try entity()).utf8
            }
        }
        throw mistake("</\(start.name)> is missing")
    }

    private mutating func entity() throws(PropertyList.Mistake) -> Character {
        let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
        let name = end.map { String(decoding: bytes[(position + 1)..<$0], as: UTF8.self) } ?? ""
        let named: [String: Character] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
        let numbered = name.hasPrefix("#") ? number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) } : nil
        guard let end, let character = named[name] ?? numbered.map(Character.init) else {
            throw mistake("\"&\" begins no known character")
        }
        position = end + 1
        return character
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
