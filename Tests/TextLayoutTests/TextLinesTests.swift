// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextLayout

/// The places at which lines end.
struct TextLinesTests {
    /// An `a` is 24.8125 points wide, a space 12.375 and a hyphen 20.25.
    private static let font = TextFont(size: 44)

    private func lines(_ text: String, width: Double, mode: TextLineBreakMode = .byWordWrapping) -> [String] {
        TextBlock(text, font: Self.font, in: TextRoom(width: width, mode: mode)).lines.map(\.text)
    }

    @Test func `a line takes as many words as fit to the last part of a point`() {
        // Two words and the space between them.
        let width = 4 * 24.8125 + 12.375
        #expect(lines("aa aa aa", width: width) == ["aa aa", "aa"])
        #expect(lines("aa aa aa", width: width - 0.015) == ["aa aa", "aa"])
        #expect(lines("aa aa aa", width: width - 0.02) == ["aa", "aa", "aa"])
    }

    @Test func `spaces at which a line is broken are left out, others are drawn`() {
        #expect(lines("  aa    aa  ", width: 100) == ["  aa", "aa  "])
        #expect(lines("aa          ", width: 100) == ["aa    "])
        #expect(lines("    ", width: 30) == ["  "])
        let block = TextBlock("  aa    aa  ", font: Self.font, in: TextRoom(width: 100))
        #expect(block.lines.map(\.width) == [74.375, 74.375])
    }

    @Test func `a word that is wider than the line is broken between characters`() {
        #expect(lines("aaaaa a", width: 50) == ["aa", "aa", "a", "a"])
        #expect(lines("a aaaaa", width: 80) == ["a", "aaa", "aa"])
    }

    @Test(arguments: [0.0, -5, 1, 24])
    func `a line has one character at least`(_ width: Double) {
        #expect(lines("aba", width: width) == ["a", "b", "a"])
        #expect(lines("e\u{301}e", width: width) == ["e\u{301}", "e"])
    }

    @Test func `without a width only line ends end lines`() {
        let text = String(repeating: "aaa ", count: 500)
        let block = TextBlock(text, font: Self.font, in: TextRoom(mode: .byWordWrapping))
        #expect(block.lines.map(\.text) == [text])
        #expect(TextBlock(text, font: Self.font, in: TextRoom(width: .nan)).lines.count == 1)
        #expect(TextBlock(text, font: Self.font, in: TextRoom(width: .infinity)).lines.count == 1)
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func `each line end of Unicode ends a line`(_ end: String) {
        let block = TextBlock("a\(end)b\(end)\(end)c\(end)", font: Self.font, in: TextRoom(width: 300))
        #expect(block.lines.map(\.text) == ["a", "b", "", "c", ""])
        #expect(block.text == "a\nb\n\nc\n")
        #expect(block.lines.map(\.height) == [54, 54, 54, 54, 54])
        #expect(block.lines.map(\.endsParagraph) == [true, true, true, true, true])
        #expect(!block.isTruncated)
    }

    @Test func `the last line of a paragraph is marked`() {
        let block = TextBlock("aa aa aa\naa", font: Self.font, in: TextRoom(width: 60))
        #expect(block.lines.map(\.endsParagraph) == [false, false, true, true])
    }

    @Test func `no line is broken at a no-break space or a word joiner`() {
        #expect(lines("aa a\u{A0}a aa", width: 95) == ["aa", "a\u{A0}a", "aa"])
        #expect(lines("aa a\u{202F}a", width: 95) == ["aa", "a\u{202F}a"])
        #expect(lines("漢漢\u{2060}漢", width: 90) == ["漢", "漢\u{2060}漢"])
    }

    @Test func `a soft hyphen is drawn where a line is broken at it, and nowhere else`() {
        #expect(lines("aa\u{AD}aa\u{AD}aa", width: 500) == ["aaaaaa"])
        #expect(lines("aa\u{AD}aa\u{AD}aa", width: 125) == ["aaaa-", "aa"])
        // Without room for the hyphen the one before is taken.
        #expect(lines("aa\u{AD}aa\u{AD}aa", width: 110) == ["aa-", "aaaa"])
        let block = TextBlock("aa\u{AD}aa", font: Self.font, in: TextRoom(width: 80))
        #expect(block.lines.map(\.width) == [2 * 24.8125 + 20.25, 2 * 24.8125])
    }

    @Test func `a soft hyphen with nothing before it is no place to break`() {
        #expect(lines("  \u{AD}aa", width: 50) == ["", "aa"])
        #expect(lines("\u{AD}aa", width: 10) == ["a", "a"])
        #expect(lines("aa \u{AD}aa", width: 80) == ["aa", "aa"])
    }

    @Test func `what has no width stays on the line of what stands before it`() {
        #expect(lines("漢\u{200E}\u{200B}b", width: 10) == ["漢\u{200E}\u{200B}", "b"])
        #expect(lines("aa      \u{200E}", width: 60) == ["aa"])
    }

    @Test func `a space without width is a place to break`() {
        #expect(lines("aa\u{200B}aa", width: 60) == ["aa\u{200B}", "aa"])
    }

    @Test func `a line may end behind a hyphen inside of a word`() {
        #expect(lines("aa-aa", width: 75) == ["aa-", "aa"])
        #expect(lines("aa -aa", width: 85) == ["aa", "-aa"])
        #expect(lines("aa a-1", width: 110) == ["aa", "a-1"])
        #expect(lines("aa-aa", width: 50) == ["aa", "-a", "a"])
        #expect(lines("aa–aa—aa/aa", width: 80) == ["aa–", "aa", "—", "aa/", "aa"])
    }

    @Test func `a line may end between ideographs, but not before closing or behind opening signs`() {
        #expect(lines("漢字漢字", width: 100) == ["漢字", "漢字"])
        #expect(lines("漢字。漢", width: 100) == ["漢", "字。", "漢"])
        #expect(lines("漢（字）", width: 100) == ["漢", "（字", "）"])
        #expect(lines("ラッパ", width: 50) == ["ラ", "ッ", "パ"])
        #expect(lines("aa漢字", width: 95) == ["aa漢", "字"])
        #expect(lines("😀😀a", width: 115) == ["😀😀", "a"])
    }

    @Test func `by character a line is broken anywhere but at spaces`() {
        #expect(lines("aa aaa a", width: 90, mode: .byCharWrapping) == ["aa a", "aa a"])
        #expect(lines("aaa  aa", width: 75, mode: .byCharWrapping) == ["aaa", "aa"])
    }

    @Test func `controls are not drawn`() {
        #expect(lines("a\u{0}\u{7}b\u{FFFC}", width: 100) == ["ab"])
    }

    @Test func `an empty text has no line`() {
        let block = TextBlock("", font: Self.font, in: TextRoom(width: 100))
        #expect(block.lines.isEmpty)
        #expect((block.width, block.height) == (0, 0))
        #expect(block.firstBaseline == nil)
        #expect(block.lastBaseline == nil)
    }

    @Test(arguments: ["שלום", "مرحبا", "नमस्ते", "สวัสดี", "a ა א"])
    func `a text whose script needs shaping says so`(_ text: String) {
        #expect(TextBlock(text, font: Self.font, in: TextRoom()).needsShaping)
    }

    @Test(arguments: ["Größe", "Привет", "漢字", "안녕", "😀", "€ ฿ ₪", "a\u{301}", "\u{FEFF}\u{202E}"])
    func `other texts need none`(_ text: String) {
        #expect(!TextBlock(text, font: Self.font, in: TextRoom()).needsShaping)
    }

    @Test func `the same text gives the same lines`() {
        let text = "Größe Привет 漢字 😀 a\u{AD}b\t—" + String(repeating: "word-word ", count: 30)
        let room = TextRoom(width: 200, lineLimit: 7)
        #expect(TextBlock(text, font: Self.font, in: room) == TextBlock(text, font: Self.font, in: room))
    }
}
