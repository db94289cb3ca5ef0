// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the tags and texts of an XML file from front to back, without a document type of its own.
///
/// The scanner knows the entities of every XML and no others, and opens no file. It has no bounds but those on one tag:
/// its callers count depth, elements and texts as they build what they need. Names are of ASCII.
/// Source: W3C, "Extensible Markup Language (XML) 1.0", sections 2.2 to 2.8, 3.1 and 4.1.
struct XMLScanner {
    struct Tag {
        enum Kind { case start, end, empty }

        let name: String
        let kind: Kind
        /// Names are unique.
        let attributes: [(name: String, value: String)]
        /// Counted from 1.
        let line: Int
    }

    /// The bytes that a tag's or attribute's name may have.
    static let nameByteCountLimit = 64
    /// The attributes that a tag may have.
    static let attributeLimit = 128

    private let bytes: [UInt8]
    private var position = 0
    /// A position and its line, to count on from.
    private var counted = (position: 0, line: 1)

    /// Takes UTF-8, as `PropertyListText.utf8(of:)` makes it.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    var isAtTag: Bool { isAt("<") }

    /// The line of the next byte, counted from 1.
    private mutating func currentLine() -> Int {
        let line = counted.line + bytes[counted.position..<position].count { $0 == UInt8(ascii: "\n") }
        counted = (position, line)
        return line
    }

    /// A mistake at the next byte.
    func mistake(_ reason: String) -> PropertyList.Mistake {
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

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    /// Skips space, comments, instructions, and a document type that declares nothing itself.
    mutating func skipBetween() throws(PropertyList.Mistake) {
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
}

// MARK: Tags

extension XMLScanner {
    /// Reads the tag that begins at the next byte.
    mutating func tag() throws(PropertyList.Mistake) -> Tag {
        let line = currentLine()
        position += 1
        let isEnd = isAt("/")
        if isEnd { position += 1 }
        let name = try name(of: "a tag")
        var attributes: [(name: String, value: String)] = []
        while true {
            skipSpace()
            if isAt(">") {
                position += 1
                return Tag(name: name, kind: isEnd ? .end : .start, attributes: attributes, line: line)
            }
            if isAt("/>"), !isEnd {
                position += 2
                return Tag(name: name, kind: .empty, attributes: attributes, line: line)
            }
            guard position < bytes.count, !isAt("<") else { throw mistake("\">\" is missing") }
            let attribute = try attribute()
            guard !isEnd, attributes.count < Self.attributeLimit,
                attributes.allSatisfy({ $0.name != attribute.name })
            else { throw mistake("<\(name)> has too many attributes, or one twice") }
            attributes.append(attribute)
        }
    }

    private mutating func name(of what: StaticString) throws(PropertyList.Mistake) -> String {
        let start = position
        while position < bytes.count, Self.isName(bytes[position]) { position += 1 }
        guard position > start else { throw mistake("\(what) has no name") }
        guard position - start <= Self.nameByteCountLimit else {
            throw mistake("the name of \(what) is longer than \(Self.nameByteCountLimit) bytes")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private mutating func attribute() throws(PropertyList.Mistake) -> (name: String, value: String) {
        let name = try name(of: "an attribute")
        skipSpace()
        guard isAt("=") else { throw mistake("the attribute \"\(name)\" has no value") }
        position += 1
        skipSpace()
        guard isAt("\"") || isAt("'") else { throw mistake("the attribute \"\(name)\" has no quotes") }
        let quote = bytes[position]
        position += 1
        var value: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "<"): throw mistake("the attribute \"\(name)\" has no end")
            case UInt8(ascii: "&"): value += String(try entity()).utf8
            case let byte:
                // A line's end in an attribute is a space, unless it is written as an entity.
                value.append(Self.isSpace(byte) ? 0x20 : byte)
                position += 1
            }
        }
        guard position < bytes.count else { throw mistake("the attribute \"\(name)\" has no end") }
        position += 1
        return (name, String(decoding: value, as: UTF8.self))
    }
}

// MARK: Texts

extension XMLScanner {
    /// Reads the text up to the next tag or the end of the file.
    mutating func text() throws(PropertyList.Mistake) -> String {
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
                break
            } else {
                text += String(try entity()).utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
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
