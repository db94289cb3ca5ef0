// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct JSONWriterTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"),
            (0, "0"), (-1, "-1"),
            (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
            ("", "\"\""), ("a", "\"a\""),
            ([], "[]"), ([1, "a", nil], "[1,\"a\",null]"), ([[], [[]]], "[[],[[]]]"),
            ([:], "{}"), (["a": 1, "b": [:]], "{\"a\":1,\"b\":{}}"), (["z": 1, "a": 2], "{\"z\":1,\"a\":2}"),
            (["q\"": 1], "{\"q\\\"\":1}"), (["a": 1, "q\"": 2, "": 3], "{\"a\":1,\"q\\\"\":2,\"\":3}"),
        ] as [(JSON, String)]
    )
    func `a value is written without white space`(value: JSON, text: String) {
        #expect(value.text == text)
    }

    @Test(
        arguments: [
            (0.5, "0.5"), (-0.25, "-0.25"), (1.0, "1"), (-3.0, "-3"), (-0.0, "0"), (1e15, "1000000000000000"),
            (1e18, "1000000000000000000"), (1e19, "1e+19"), (-9_223_372_036_854_775_808.0, "-9223372036854775808"),
            (9_223_372_036_854_775_808.0, "9.223372036854776e+18"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"), (0.1 + 0.2, "0.30000000000000004"),
        ] as [(Double, String)]
    )
    func `a Double is written as short as it is exact`(double: Double, text: String) throws {
        #expect(JSON.double(double).text == text)
        #expect(try parse(text).double == double)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a number that JSON cannot say is null`(double: Double) {
        #expect(JSON.array([.double(double)]).text == "[null]")
    }

    @Test func `U+0000 is left out, so that what is written can be read`() throws {
        let written = JSON.object(["a\0": ["x\0y", "\0"]]).text
        #expect(written == #"{"a":["xy",""]}"#)
        #expect(try parse(written) == .object(["a": ["xy", ""]]))
    }

    @Test(arguments: UInt8(1)..<0x80)
    func `control characters, quotes and backslashes are escaped, nothing else is`(byte: UInt8) throws {
        let short: [UInt8: String] = [0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x22: "\\\"", 0x5C: "\\\\"]
        let character = String(Unicode.Scalar(byte))
        let digits = String(byte, radix: 16)
        let plain = byte < 0x20 ? "\\u00" + (digits.count == 1 ? "0" : "") + digits : character
        let escaped = short[byte] ?? plain
        #expect(JSON.string("a" + character + "b").text == "\"a" + escaped + "b\"")
        #expect(JSON.string(character).text == "\"" + escaped + "\"")
        #expect(try parse(JSON.string(character).text).string == character)
    }

    @Test(arguments: ["é", "e\u{301}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "😀", "👨‍👩‍👧", "\u{10FFFF}", "\u{85}"])
    func `text outside ASCII is written as it is`(text: String) {
        #expect(Array(JSON.string(text).text.utf8) == Array("\"".utf8) + Array(text.utf8) + Array("\"".utf8))
    }

    @Test func `a substring's storage is no obstacle`() {
        let text = "xx\u{1}é😀\\yy"
        #expect(JSON.string(String(text.dropFirst(2).dropLast(2))).text == "\"\\u0001é😀\\\\\"")
    }

    @Test func `writing appends`() {
        var bytes = Array("data: ".utf8)
        JSONObject(dictionaryLiteral: ("a", 1)).write(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "data: {\"a\":1}")
        #expect(JSONObject(dictionaryLiteral: ("a", 1)).serialized == Array("{\"a\":1}".utf8))
        #expect(Payload(["aps": [:]]).serialized == Array("{\"aps\":{}}".utf8))
    }
}
