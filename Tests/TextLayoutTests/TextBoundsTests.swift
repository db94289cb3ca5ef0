// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextLayout

/// Texts that are made to cost time or room.
struct TextBoundsTests {
    private static let font = TextFont(size: 17)

    private func block(_ text: String, width: Double = 300, mode: TextLineBreakMode = .byTruncatingTail) -> TextBlock {
        TextBlock(text, font: Self.font, in: TextRoom(width: width, mode: mode))
    }

    @Test func `a text has 8192 bytes at most`() {
        let whole = block(String(repeating: "a", count: 8_192), width: 1e9)
        #expect(whole.text.utf8.count == 8_192)
        #expect(!whole.isTruncated)
        let cut = block(String(repeating: "a", count: 8_193), width: 1e9)
        #expect(cut.text.utf8.count == 8_192)
        #expect(cut.isTruncated)
    }

    @Test func `a text is cut between characters`() {
        let cut = block("a" + String(repeating: "é", count: 4_096), width: 1e9)
        #expect(cut.text == "a" + String(repeating: "é", count: 4_095))
        let marked = block("a" + String(repeating: "e\u{301}", count: 2_731), width: 1e9)
        #expect(marked.text == "a" + String(repeating: "e\u{301}", count: 2_730))
        let joined = block(String(repeating: "👨‍👩‍👧", count: 456), width: 1e9)
        #expect(joined.text == String(repeating: "👨‍👩‍👧", count: 455))
    }

    @Test func `all runs together have 8192 bytes at most`() {
        let runs = (0..<100).map { _ in TextRun(String(repeating: "a", count: 100), font: Self.font) }
        let block = TextBlock(runs, in: TextRoom())
        #expect(block.text.utf8.count == 8_192)
        #expect(block.isTruncated)
    }

    @Test func `lines and the ends between them have 8192 bytes at most`() {
        let broken = block(String(repeating: "a", count: 8_192), width: 300)
        #expect(broken.lines.count == 256)
        #expect(broken.text.utf8.count == 8_191)
        #expect(broken.isTruncated)
    }

    @Test func `a text has 400 lines at most, and says that there is more`() {
        let full = block(Array(repeating: "a", count: 400).joined(separator: "\n"))
        #expect(full.lines.count == 400)
        #expect(!full.isTruncated)
        let more = block(Array(repeating: "a", count: 401).joined(separator: "\n"))
        #expect(more.lines.count == 400)
        #expect(more.lines.last?.text == "a…")
        #expect(more.isTruncated)
        let narrow = block(String(repeating: "a", count: 8_192), width: 0)
        #expect(narrow.lines.count == 400)
        #expect(narrow.lines.last?.text == "…")
    }

    @Test func `a text of spaces alone is one line of those that fit`() {
        let spaces = block(String(repeating: " ", count: 8_192))
        #expect(spaces.lines.map(\.text) == [String(repeating: " ", count: 62)])
        #expect(spaces.width == 62 * 792.0 * 17 / 2816)
    }

    @Test func `a text of marks alone is one line without width`() {
        let marks = block(String(repeating: "\u{301}", count: 4_096))
        #expect(marks.lines.count == 1)
        #expect(marks.width == 0)
        #expect(marks.text.utf8.count == 8_192)
        let more = block(String(repeating: "\u{301}", count: 5_000))
        #expect(more.text.utf8.count == 8_192)
        #expect(more.isTruncated)
    }

    @Test func `a text of line ends alone is as many empty lines`() {
        let ends = block(String(repeating: "\n", count: 399))
        #expect(ends.lines.count == 400)
        #expect(ends.height == 400 * 21)
        #expect(!ends.isTruncated)
        #expect(block(String(repeating: "\n", count: 8_192)).lines.count == 400)
    }

    @Test(arguments: ["\u{200B}", "\u{AD}", "\u{200D}", "\u{2060}", "\u{0}", "\u{FE0F}", "\u{202E}"])
    func `a text of characters without width is one line`(_ character: String) {
        let text = String(repeating: character, count: 8_192 / character.utf8.count)
        let block = block(text)
        #expect(block.lines.count == 1)
        #expect(block.width == 0)
    }

    @Test(arguments: ["\t", "-", "a-", "a\u{AD}", "漢", "🇪🇸", "👍🏽", "a ", "א", "(", ")", "\u{1112}\u{1161}\u{11AB}"])
    func `a text of one thing again and again stays in its room`(_ part: String) {
        let text = String(repeating: part, count: 8_192 / part.utf8.count)
        for mode in TextLineBreakMode.allCases where mode != .byClipping {
            let block = block(text, mode: mode)
            let widest = block.lines.map(\.width).max() ?? 0
            #expect(widest <= 300 + 1.0 / 64)
            #expect(block.lines.count <= 400)
            #expect(block.text.utf8.count <= 8_192)
        }
    }

    @Test func `the largest font in the narrowest room ends`() {
        let font = TextFont(size: 1e9, weight: 900)
        let block = TextBlock(String(repeating: "W", count: 8_192), font: font, in: TextRoom(width: 1))
        #expect(block.lines.count == 400)
        #expect(block.height == 400 * 620)
        let wide = TextBlock(String(repeating: "W", count: 8_192), font: font, in: TextRoom())
        #expect(wide.width == 8_192 * 2_835.0 * 512 / 2_816)
    }
}
