// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The form of property lists with braces.
@Suite struct OpenStepPropertyListTests {
    private func read(_ text: String) throws(PropertyList.Mistake) -> Any {
        var list = OpenStepPropertyList(Array(text.utf8))
        return try list.value()
    }

    @Test("dictionaries, lists, data and texts with and without quotes are read")
    func values() throws {
        let text = """
            // !$*UTF8*$!
            {
                isa = PBXGroup; /* a comment = { */
                path = "Chat App/Ü";
                "quoted key" = 'single "quotes"';
                children = (
                    5A01 /* A.swift */,
                    Sources/B-1.swift,
                );
                empty = ( ); none = {}; nothing = "";
                bytes = <0aFF 10>;
            }
            """
        let value = try #require(try read(text) as? [String: Any])
        #expect(value["isa"] as? String == "PBXGroup")
        #expect(value["path"] as? String == "Chat App/Ü")
        #expect(value["quoted key"] as? String == "single \"quotes\"")
        #expect(value["nothing"] as? String == "")
        #expect((value["empty"] as? [Any])?.isEmpty == true)
        #expect((value["none"] as? [String: Any])?.isEmpty == true)
        #expect(value["bytes"] as? Data == Data([0x0A, 0xFF, 0x10]))
    }

    @Test("a variable in a word without quotes ends it, because Xcode puts such words into quotes")
    func brackets() {
        #expect(throws: PropertyList.Mistake(line: 1, reason: "\",\" or \")\" is missing in a list")) {
            try read("( $(A) )")
        }
    }

    @Test(
        "signs behind a backslash",
        arguments: [
            (#""a\nb\t\"\\""#, "a\nb\t\"\\"), (#""\U00fc\101""#, "üA"), (#""\'\q""#, "'q"), (#""\Ud800""#, "\u{FFFD}"),
            (#""\12""#, "\n"), (#""\U""#, "\0"),
        ]
    )
    func escapes(text: String, value: String) throws {
        #expect(try read(text) as? String == value)
    }

    @Test("of two equal keys the later counts")
    func twice() throws {
        #expect(try read("{a = 1; a = 2;}") as? [String: String] == ["a": "2"])
    }

    @Test(
        "what is no list is named with its line",
        arguments: [
            ("", 1, "it ends where a value is missing"), ("{a = 1}", 1, "\";\" is missing behind the value of \"a\""),
            ("{\na 1;}", 2, "\"=\" is missing behind \"a\""), ("(a\nb)", 2, "\",\" or \")\" is missing in a list"),
            ("{a = ;}", 1, "\";\" stands where a value is missing"), ("{a = \"b", 1, "a text in quotes has no end"),
            ("{\n/* a", 2, "a comment has no end"), ("<0>", 1, "data holds half a byte"),
            ("<0g>", 1, "data holds a sign that is no hexadecimal digit"), ("a\nb", 2, "something follows its end"),
            ("{a = b;", 1, "it ends before \"}\""), ("\"\\", 1, "a text in quotes has no end"),
        ]
    )
    func mistakes(text: String, line: Int, reason: String) {
        #expect(throws: PropertyList.Mistake(line: line, reason: reason)) { try read(text) }
    }

    @Test("the bounds of depth and values hold at their value and one beyond")
    func bounds() throws {
        let deep = String(repeating: "(", count: 31) + "a" + String(repeating: ")", count: 31)
        _ = try read(deep)
        #expect(throws: PropertyList.Mistake(line: 1, reason: "its values are nested deeper than 32")) {
            try read("(\(deep))")
        }
        let many = "(" + String(repeating: "a,", count: PropertyList.valueLimit - 1) + ")"
        _ = try read(many)
        #expect(throws: PropertyList.Mistake(line: 1, reason: "it has more than 200000 values")) {
            try read("(a," + many.dropFirst())
        }
    }
}
