// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

/// Escapes, surrogates, NUL, and UTF-8 that is none.
struct JSONReaderStringTests {
    @Test(
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""a\u0041b""#, "aAb"),
            (#""\u00e9\u00E9""#, "éé"),
            (#""\u20AC""#, "€"),
            (#""\uD83D\uDE00""#, "😀"),
            (#""x\ud83d\ude00y""#, "x😀y"),
            (#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10FFFF}"),
            (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"),
            (#""\uFFFF\u0001\u007f""#, "\u{FFFF}\u{1}\u{7F}"),
            (#""e\u0301""#, "e\u{301}"),
            (#""\\u0041""#, "\\u0041"),
            (#""\n\n\n""#, "\n\n\n"),
            (#""éa\né""#, "éa\né"),
        ] as [(String, String)]
    )
    func `an escape stands for its character`(text: String, string: String) throws {
        let read = try #require(try parse(text).string)
        #expect(Array(read.unicodeScalars) == Array(string.unicodeScalars))
    }

    @Test(
        arguments: [
            (#""\a""#, JSONError.invalidEscape(offset: 1)),
            (#""ab\x41""#, .invalidEscape(offset: 3)),
            (#""\U0041""#, .invalidEscape(offset: 1)),
            (#""\'""#, .invalidEscape(offset: 1)),
            (#""\0""#, .invalidEscape(offset: 1)),
            ("\"\\\n\"", .invalidEscape(offset: 1)),
            (#""\u004""#, .invalidEscape(offset: 6)),
            (#""\u00g0""#, .invalidEscape(offset: 5)),
            (#""\u+041""#, .invalidEscape(offset: 3)),
            (#""\u 041""#, .invalidEscape(offset: 3)),
            (#""\u{41}""#, .invalidEscape(offset: 3)),
            // A full-width digit is a digit, but not one of JSON.
            ("\"\\u004\u{FF11}\"", .invalidEscape(offset: 6)),
            (#""\"#, .unexpectedEnd),
            (#""\""#, .unexpectedEnd),
            (#""\u"#, .unexpectedEnd),
            (#""\u004"#, .unexpectedEnd),
            (#""\u0041"#, .unexpectedEnd),
            (#"""#, .unexpectedEnd),
            (#""abc"#, .unexpectedEnd),
        ] as [(String, JSONError)]
    )
    func `a broken escape is refused where it breaks`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test(
        arguments: [
            (#""\ud800""#, 1),
            (#""\udbff""#, 1),
            (#""\udc00""#, 1),
            (#""ab\udfff""#, 3),
            (#""\ud800x""#, 1),
            (#""\ud800\n""#, 1),
            (#""\ud800\\udc00""#, 1),
            (#""\ud800\ud800""#, 1),
            (#""\ud800\u0041""#, 1),
            (#""\udc00\ud800""#, 1),
            (#""\udc00\udc00""#, 1),
            (#""\ud83d\ude00\ude00""#, 13),
            (#""\ud83d\ud83d\ude00""#, 1),
        ] as [(String, Int)]
    )
    func `half of a surrogate pair is refused where it begins`(text: String, offset: Int) {
        #expect(throws: JSONError.invalidEscape(offset: offset)) { try parse(text) }
    }

    @Test(
        arguments: [
            (#"{"a":"x\u0000y"}"#, JSONError.nulCharacter(offset: 5)),
            (#"{"a":"\u0000"}"#, .nulCharacter(offset: 5)),
            (#"{"a\u0000":1}"#, .nulCharacter(offset: 1)),
            (#"["a","\u0000"]"#, .nulCharacter(offset: 5)),
            ("\"a\u{0}\"", .unexpectedByte(offset: 2)),
        ] as [(String, JSONError)]
    )
    func `NUL is refused in every spelling`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test(arguments: UInt8(0)..<0x20)
    func `a control character must be escaped`(byte: UInt8) throws {
        let head = Array(#"{"key":"a"#.utf8)
        #expect(throws: JSONError.unexpectedByte(offset: head.count)) {
            try parse(bytes: head + [byte] + Array("\"}".utf8))
        }
        // After an escape another part of the reader is at work.
        #expect(throws: JSONError.unexpectedByte(offset: head.count + 2)) {
            try parse(bytes: head + Array("\\n".utf8) + [byte] + Array("\"}".utf8))
        }
        #expect(throws: JSONError.unexpectedByte(offset: 3)) {
            try parse(bytes: Array("{\"k".utf8) + [byte] + Array("\":1}".utf8))
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]]
    )
    func `ill-formed UTF-8 is refused at its first byte`(bytes: [UInt8]) {
        for (head, tail) in [("\"", "\""), ("\"aé", "z\""), ("\"\\n", "\""), ("\"aé\\né", "\\n\""), ("{\"k", "\":1}")] {
            let head = Array(head.utf8)
            #expect(throws: JSONError.invalidUTF8(offset: head.count)) {
                try parse(bytes: head + bytes + Array(tail.utf8))
            }
        }
    }

    /// Puts a byte that never occurs in UTF-8 before each byte of a document.
    @Test func `a foreign byte is refused at its position wherever it stands`() throws {
        let document = Array(#"{"aps":{"alert":"Hi\u00e9","badge":-1.5e+3},"x":[true,null,"é"]}"#.utf8)
        for position in document.indices {
            let before = document[..<position]
            let bytes = Array(before) + [0xFF] + Array(document[position...])
            #expect(throws: expectedError(for: 0xFF, after: Array(before)), "at \(position)") {
                try parse(bytes: bytes)
            }
        }
    }

    private func expectedError(for byte: UInt8, after head: [UInt8]) -> JSONError {
        let text = String(decoding: head, as: UTF8.self)
        let quotes = head.count { $0 == UInt8(ascii: "\"") }
        guard quotes % 2 == 1 else { return .unexpectedByte(offset: head.count) }
        // Inside an escape: after the backslash, or among the four digits.
        if let escape = text.utf8.lastIndex(of: UInt8(ascii: "\\")) {
            let offset = text.utf8.distance(from: text.startIndex, to: escape)
            let length = head.count - offset
            if length == 1 { return .invalidEscape(offset: offset) }
            if length < 6 { return .invalidEscape(offset: head.count) }
        }
        // In the middle of a character the character itself is what is broken.
        if head.last == 0xC3 { return .invalidUTF8(offset: head.count - 1) }
        return .invalidUTF8(offset: head.count)
    }
}
