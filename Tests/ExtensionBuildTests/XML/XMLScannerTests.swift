// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Tags, attributes and texts of XML, as property lists and storyboards share them.
@Suite struct XMLScannerTests {
    @Test("a tag has a name, attributes and a line")
    func tag() throws {
        var scanner = XMLScanner(
            Array("<?xml version=\"1.0\"?>\n<!-- a -->\n<a.b-c_d:e x=\"1\"\n y = '&lt;2&#10;\t>'/>".utf8)
        )
        try scanner.skipBetween()
        let tag = try scanner.tag()
        #expect(tag.name == "a.b-c_d:e")
        #expect(tag.kind == .empty)
        #expect(tag.attributes.map(\.name) == ["x", "y"])
        #expect(tag.attributes.map(\.value) == ["1", "<2\n >"])
        #expect(tag.line == 3)
        #expect(scanner.isAtEnd)
    }

    @Test("a text ends at the next tag, and has entities, sections and no comments")
    func text() throws {
        var scanner = XMLScanner(Array("a&amp;&#x42;<![CDATA[<&>]]><!-- no -->b</a>".utf8))
        let text = try scanner.text()
        #expect(text == "a&B<&>b")
        #expect(scanner.isAtTag)
        let tag = try scanner.tag()
        #expect(tag.kind == .end)
    }

    @Test(
        "a tag that is none is named with its line",
        arguments: [
            ("<\n>", 1, "a tag has no name"), ("<a", 1, "\">\" is missing"), ("<a <b>", 1, "\">\" is missing"),
            ("<a\nx>", 2, "the attribute \"x\" has no value"), ("<a x=1>", 1, "the attribute \"x\" has no quotes"),
            ("<a x=\"1>", 1, "the attribute \"x\" has no end"), ("<a x=\"<\">", 1, "the attribute \"x\" has no end"),
            ("<a x=\"1\" x=\"2\">", 1, "<a> has too many attributes, or one twice"),
            ("</a x=\"1\">", 1, "<a> has too many attributes, or one twice"),
            ("</a/>", 1, "an attribute has no name"), ("<a =\"1\">", 1, "an attribute has no name"),
            ("<a x=\"&b;\">", 1, "\"&\" begins no known character"),
        ]
    )
    func mistakes(text: String, line: Int, reason: String) {
        var scanner = XMLScanner(Array(text.utf8))
        #expect(throws: PropertyList.Mistake(line: line, reason: reason)) { try scanner.tag() }
    }

    @Test("names and attributes have bounds")
    func bounds() throws {
        func mistake(_ text: String) -> String? {
            var scanner = XMLScanner(Array(text.utf8))
            do {
                _ = try scanner.tag()
                return nil
            } catch {
                return error.reason
            }
        }
        let name = { String(repeating: "a", count: $0) }
        #expect(mistake("<\(name(64))>") == nil)
        #expect(mistake("<\(name(65))>") == "the name of a tag is longer than 64 bytes")
        let attributes = { (count: Int) in (0..<count).map { " x\($0)=\"\"" }.joined() }
        #expect(mistake("<a\(attributes(128))>") == nil)
        #expect(mistake("<a\(attributes(129))>") == "<a> has too many attributes, or one twice")
    }
}
