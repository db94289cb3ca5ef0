// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text strictly.
///
/// UTF-8, no duplicate keys, no NUL, bounded depth, nothing after the value but white space. One reader serves every
/// process, so no two of them ever see two different documents in the same bytes.
///
/// Depth counts nested arrays and objects; the outermost one is 1.
/// Source: RFC 8259; the narrowing is FORMAT.md, "Content rules".
struct JSONReader: ~Copyable, ~Escapable {
    private let bytes: Span<UInt8>
    private let depthLimit: Int
    private var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func readText() throws(JSONError) -> JSON {
        let value = try readValue(depth: 0)
        skipWhiteSpace()
        guard offset == bytes.count else { throw .unexpectedByte(offset: offset) }
        return value
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSON {
        skipWhiteSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try readObject(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try readArray(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        default: return try readNumber()
        }
    }
}

// MARK: Containers

extension JSONReader {
    private mutating func readObject(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        offset += 1
        var members: [JSONObject.Member] = []
        var keys = KeySet<String>()
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "}") {
            offset += 1
            return JSONObject()
        }
        members.reserveCapacity(4)
        while true {
            skipWhiteSpace()
            let keyOffset = offset
            guard try peek() == UInt8(ascii: "\"") else { throw .unexpectedByte(offset: offset) }
            let key = try readString()
            // An ASCII text that does not know that it is one is only slower.
            let isPlain = key.utf8Span.isKnownASCII
            guard isPlain || key.isStreamSafe else { throw .tooManyMarks(offset: keyOffset) }
            // The view of earlier keys ends with the call: were it alive at `append`, each key would copy all others.
            guard keys.insert(key, mark: isPlain ? key.keyMark : nil, after: members.lazy.map { $0.key }) else {
                throw .duplicateKey(offset: keyOffset)
            }
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            members.append(.init(key: key, value: try readValue(depth: depth)))
            skipWhiteSpace()
            if try peek() == UInt8(ascii: "}") {
                offset += 1
                return JSONObject(unique: members)
            }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> [JSON] {
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        offset += 1
        var elements: [JSON] = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "]") {
            offset += 1
            return elements
        }
        while true {
            elements.append(try readValue(depth: depth))
            skipWhiteSpace()
            if try peek() == UInt8(ascii: "]") {
                offset += 1
                return elements
            }
            try expect(UInt8(ascii: ","))
        }
    }
}

// MARK: Strings

extension JSONReader {
    private mutating func readString() throws(JSONError) -> String {
        let opening = offset
        offset += 1
        let start = offset
        offset = PlainRun.end(in: bytes.bytes, from: offset)
        switch try peek() {
        case UInt8(ascii: "\""):
            let text = try string(from: start, to: offset)
            offset += 1
            return text
        case UInt8(ascii: "\\"):
            return try readEscapedString(from: start, opening: opening)
        default:
            throw .unexpectedByte(offset: offset)
        }
    }

    private func string(from start: Int, to end: Int) throws(JSONError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(start..<end)))
        } catch {
            throw .invalidUTF8(offset: start + error.byteOffsets.lowerBound)
        }
    }

    private mutating func readEscapedString(from start: Int, opening: Int) throws(JSONError) -> String {
        var text = try string(from: start, to: offset)
        var run = offset
        while true {
            offset = PlainRun.end(in: bytes.bytes, from: offset)
            switch try peek() {
            case UInt8(ascii: "\""):
                text += try string(from: run, to: offset)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                text += try string(from: run, to: offset)
                let scalar = try readEscape()
                guard scalar.value != 0 else { throw .nulCharacter(offset: opening) }
                text.unicodeScalars.append(scalar)
                run = offset
            default:
                throw .unexpectedByte(offset: offset)
            }
        }
    }

    private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
        let escape = offset
        guard offset + 1 < bytes.count else { throw .unexpectedEnd }
        let letter = bytes[offset + 1]
        offset += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape(from: escape)
        default: throw .invalidEscape(offset: escape)
        }
    }

    /// Joins a surrogate pair; half of one is no character and is refused.
    private mutating func readUnicodeEscape(from escape: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try readHexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, offset + 1 < bytes.count,
            bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        else { throw .invalidEscape(offset: escape) }
        offset += 2
        let second = try readHexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw .invalidEscape(offset: escape) }
        return scalar
    }

    private mutating func readHexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count else { throw .unexpectedEnd }
            guard let digit = Hexadecimal.value(of: bytes[offset]) else {
                throw .invalidEscape(offset: offset)
            }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        return value
    }
}

// MARK: Numbers, literals and single bytes

extension JSONReader {
    private mutating func readNumber() throws(JSONError) -> JSON {
        let start = offset
        var isInteger = true
        if try peek() == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        try readDigits()
        guard bytes[whole] != UInt8(ascii: "0") || offset == whole + 1 else { throw .unexpectedByte(offset: whole + 1) }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try readDigits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            try readDigits()
        }
        let text = try string(from: start, to: offset)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw .numberOutOfRange(offset: start) }
        return .double(double)
    }

    private mutating func readDigits() throws(JSONError) {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
            offset += 1
        }
        guard offset > start else {
            throw offset < bytes.count ? .unexpectedByte(offset: offset) : .unexpectedEnd
        }
    }

    private mutating func readLiteral(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw .unexpectedEnd }
            guard bytes[offset] == word.utf8Start[index] else { throw .unexpectedByte(offset: offset) }
            offset += 1
        }
        return value
    }

    private mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[unchecked: offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < bytes.count else { throw .unexpectedEnd }
        return bytes[offset]
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw .unexpectedByte(offset: offset) }
        offset += 1
    }
}

extension String {
    /// Canonical comparison sorts each run of combining marks; a foreign text may be one run of 64 KB.
    fileprivate var isStreamSafe: Bool {
        var marks = 0
        for scalar in unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            if marks > 30 { return false }
        }
        return true
    }
}
