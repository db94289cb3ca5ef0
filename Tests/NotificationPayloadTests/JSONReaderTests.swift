// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

/// The texts that are JSON, and those that are none.
///
/// Source: RFC 8259; the names of its productions stand in the comments.
struct JSONReaderTests {
    @Test(
        arguments: [
            // value
            ("null", JSON.null),
            ("true", true),
            ("false", false),
            ("0", 0),
            ("\"\"", ""),
            ("[]", []),
            ("{}", [:]),
            // ws
            (" \t\n\r1 \t\n\r", 1),
            ("[ ]", []),
            ("{\n}", [:]),
            ("[\r1\t, 2\n]", [1, 2]),
            ("{ \"a\" : 1 , \"b\" : 2 }", ["a": 1, "b": 2]),
            // object, array
            ("[null]", [nil]),
            ("[[],{},\"\",0,true,null]", [[], [:], "", 0, true, nil]),
            ("{\"\":1}", ["": 1]),
            ("{\"a\":{\"a\":{\"a\":[]}}}", ["a": ["a": ["a": []]]]),
            ("[1,1,1]", [1, 1, 1]),
            // string
            ("\"\u{7F}\"", "\u{7F}"),
            ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"),
            ("\"\u{FFFF}\u{10FFFF}\"", "\u{FFFF}\u{10FFFF}"),
            ("\"\u{FEFF}\"", "\u{FEFF}"),
        ] as [(String, JSON)]
    )
    func `a JSON text is read`(text: String, value: JSON) throws {
        #expect(try parse(text) == value)
    }

    @Test(
        arguments: [
            ("", JSONError.unexpectedEnd),
            (" \n", .unexpectedEnd),
            // A byte order mark: RFC 8259 §8.1 forbids adding one.
            ("\u{FEFF}{}", .unexpectedByte(offset: 0)),
            ("{} {}", .unexpectedByte(offset: 3)),
            ("1 2", .unexpectedByte(offset: 2)),
            ("[1]]", .unexpectedByte(offset: 3)),
            ("{}\u{0}", .unexpectedByte(offset: 2)),
            ("\u{C}[]", .unexpectedByte(offset: 0)),
            ("\u{A0}[]", .unexpectedByte(offset: 0)),
            ("// a\n1", .unexpectedByte(offset: 0)),
            ("[1 /* a */]", .unexpectedByte(offset: 3)),
        ] as [(String, JSONError)]
    )
    func `nothing but white space stands beside the value`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test(
        arguments: [
            ("[", JSONError.unexpectedEnd),
            ("[1", .unexpectedEnd),
            ("[1,", .unexpectedEnd),
            ("[,]", .unexpectedByte(offset: 1)),
            ("[1,]", .unexpectedByte(offset: 3)),
            ("[1,,2]", .unexpectedByte(offset: 3)),
            ("[1 2]", .unexpectedByte(offset: 3)),
            ("[1:2]", .unexpectedByte(offset: 2)),
            ("[1}", .unexpectedByte(offset: 2)),
            ("]", .unexpectedByte(offset: 0)),
            ("{", .unexpectedEnd),
            ("{\"a\"", .unexpectedEnd),
            ("{\"a\":", .unexpectedEnd),
            ("{\"a\":1", .unexpectedEnd),
            ("{\"a\":1,", .unexpectedEnd),
            ("{,}", .unexpectedByte(offset: 1)),
            ("{\"a\"}", .unexpectedByte(offset: 4)),
            ("{\"a\",1}", .unexpectedByte(offset: 4)),
            ("{\"a\":}", .unexpectedByte(offset: 5)),
            ("{\"a\":1,}", .unexpectedByte(offset: 7)),
            ("{\"a\":1 \"b\":2}", .unexpectedByte(offset: 7)),
            ("{\"a\":1]", .unexpectedByte(offset: 6)),
            ("{\"a\"::1}", .unexpectedByte(offset: 5)),
            ("{a:1}", .unexpectedByte(offset: 1)),
            ("{1:1}", .unexpectedByte(offset: 1)),
            ("{null:1}", .unexpectedByte(offset: 1)),
            ("{'a':1}", .unexpectedByte(offset: 1)),
        ] as [(String, JSONError)]
    )
    func `a broken container is refused where it breaks`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test(
        arguments: [
            ("n", JSONError.unexpectedEnd),
            ("nul", .unexpectedEnd),
            ("nulL", .unexpectedByte(offset: 3)),
            ("Null", .unexpectedByte(offset: 0)),
            ("nulll", .unexpectedByte(offset: 4)),
            ("tru", .unexpectedEnd),
            ("trux", .unexpectedByte(offset: 3)),
            ("TRUE", .unexpectedByte(offset: 0)),
            ("fals", .unexpectedEnd),
            ("[fAlse]", .unexpectedByte(offset: 2)),
            ("[true false]", .unexpectedByte(offset: 6)),
            ("NaN", .unexpectedByte(offset: 0)),
            ("Infinity", .unexpectedByte(offset: 0)),
            ("undefined", .unexpectedByte(offset: 0)),
            ("'a'", .unexpectedByte(offset: 0)),
        ] as [(String, JSONError)]
    )
    func `a word that is no literal is refused where it differs`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test func `members keep the order they came in`() throws {
        let object = try #require(try parse(#"{"z":1,"a":2,"m":3,"A":4,"":5}"#).object)
        #expect(object.members.map(\.key) == ["z", "a", "m", "A", ""])
    }

    @Test func `every beginning of a document ends too early`() throws {
        let document = Array(#"{"aps":{"alert":{"title":"é\u00e9\n"},"badge":-1.5e+3},"x":[true,false,null,"😀"]}"#.utf8)
        _ = try parse(bytes: document)
        for count in document.indices {
            let beginning = Array(document.prefix(count))
            // Inside a character the text is not UTF-8, yet what is missing is the end of the string.
            #expect(throws: JSONError.unexpectedEnd, "the first \(count) bytes") { try parse(bytes: beginning) }
        }
    }

    @Test(
        arguments: [
            (#"[]"#, true), (#""{}""#, true), ("1", true), ("null", true), ("true", true), ("{}", false),
            (" {} ", false),
        ] as [(String, Bool)]
    )
    func `a payload is an object`(text: String, isRefused: Bool) throws {
        let bytes = Array(text.utf8)
        if isRefused {
            #expect(throws: JSONError.notAnObject) { try JSONObject(parsing: bytes.span) }
            #expect(throws: JSONError.notAnObject) { try Payload(parsing: bytes.span) }
        } else {
            #expect(try JSONObject(parsing: bytes.span) == [:])
            #expect(try Payload(parsing: bytes.span) == Payload([:]))
        }
    }

    @Test func `a broken text is told from one that is no object`() {
        let bytes = Array("[1".utf8)
        #expect(throws: JSONError.unexpectedEnd) { try Payload(parsing: bytes.span) }
    }

    @Test(
        arguments: [
            (JSONError.unexpectedEnd, "the text ends inside a value"),
            (.unexpectedByte(offset: 3), "unexpected byte at 3"),
            (.invalidUTF8(offset: 4), "invalid UTF-8 at 4"),
            (.invalidEscape(offset: 5), "invalid escape at 5"),
            (.numberOutOfRange(offset: 6), "number out of range at 6"),
            (.nulCharacter(offset: 7), "NUL character in the string at 7"),
            (.duplicateKey(offset: 8), "duplicate key at 8"),
            (.tooManyMarks(offset: 9), "too many combining marks in the key at 9"),
            (.tooDeep(limit: 16), "nested deeper than 16"),
            (.notAnObject, "not a JSON object"),
        ] as [(JSONError, String)]
    )
    func `an error says what is wrong and where`(error: JSONError, text: String) {
        #expect(error.description == text)
    }
}
