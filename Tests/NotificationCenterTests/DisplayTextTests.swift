// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import notification_center

/// Foreign text in a terminal.
struct DisplayTextTests {
    @Test(arguments: [("Alice", 5), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("", 0), ("a\u{200d}", 1)])
    func `columns are those of a terminal`(text: String, columns: Int) {
        #expect(DisplayText.columns(of: text) == columns)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func `a line is cut where it does not fit`(text: String, room: Int, line: String) {
        #expect(DisplayText.clipped(text, to: room) == line)
    }

    @Test func `lines break between words, and within a word that is longer than a line`() {
        #expect(DisplayText.wrapped("Lunch at the usual place?", to: 10) == ["Lunch at", "the usual", "place?"])
        #expect(DisplayText.wrapped("abcdefghijkl", to: 5) == ["abcde", "fghij", "kl"])
        #expect(DisplayText.wrapped("日本語", to: 1) == ["日", "本", "語"])
        #expect(DisplayText.wrapped("", to: 10) == [])
    }

    @Test(arguments: [
        ("a\u{1b}[31mb", "a\\u{1b}[31mb"), ("a\rb", "a\\u{d}b"), ("a\u{9b}2Jb", "a\\u{9b}2Jb"),
        ("\u{202e}cba", "\\u{202e}cba"), ("a\u{2028}b", "a\\u{2028}b"), ("\u{feff}a", "\\u{feff}a"),
        ("\u{200d}a", "\\u{200d}a"), ("pay\u{200d}pal", "pay\\u{200d}pal"), ("a\u{200c}b", "a\\u{200c}b"),
        ("👩\u{200d}🚀", "👩\u{200d}🚀"), ("می\u{200c}خواهم", "می\u{200c}خواهم"),
    ])
    func `what moves, colours or hides is spelt out, and joiners stay between what they join`(
        text: String,
        line: String
    ) {
        #expect(DisplayText.line(text) == line)
    }

    @Test func `of a text that is typed the end is shown`() {
        #expect(DisplayText.end(of: "At one", columns: 20) == "At one")
        #expect(DisplayText.end(of: "At 日本", columns: 5) == " 日本")
        #expect(DisplayText.end(of: "At 日本", columns: 3) == "本")
        #expect(DisplayText.end(of: String(repeating: "a", count: 16_384), columns: 3) == "aaa")
    }

    @Test func `JSON for a terminal says the same and has nothing that it obeys`() throws {
        let evil = "a\u{9b}2J\u{7f}\u{202e}\u{2028}\u{e0001}ä👩\u{200d}🚀"
        let text = String(decoding: (["a": .string(evil)] as JSONObject).serialized, as: UTF8.self)
        let escaped = Terminal.escaped(text)
        #expect(escaped == #"{"a":"a\u009b2J\u007f\u202e\u2028\udb40\udc01ä👩\u200d🚀"}"#)
        let read = try JSONObject(parsing: Array(escaped.utf8).span)
        #expect(read["a"]?.string == evil)
    }

    @Test func `a stack of marks is cut`() {
        let line = DisplayText.line("a" + String(repeating: "\u{301}", count: 5_000))
        #expect(line.unicodeScalars.count == 16)
    }

    /// Every scalar that there is, in the middle of a text: none that a terminal obeys comes through.
    @Test func `no scalar reaches a terminal that it could obey`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let line = DisplayText.line("a" + String(scalar) + "b")
            let isObeyed = line.unicodeScalars.contains { scalar in
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                    || (0x2066...0x2069).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
            }
            if isObeyed { Issue.record("U+\(String(value, radix: 16)) comes through") }
        }
    }
}
