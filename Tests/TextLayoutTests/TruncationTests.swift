// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextLayout

/// The last line of a text that has no room.
struct TruncationTests {
    /// An `a` is 24.8125 points wide, a space 12.375 and the sign for what is left out 36.125.
    private static let font = TextFont(size: 44)

    private func block(_ text: String, width: Double?, limit: Int = 1, _ mode: TextLineBreakMode) -> TextBlock {
        TextBlock(text, font: Self.font, in: TextRoom(width: width, lineLimit: limit, mode: mode))
    }

    private func lines(_ text: String, width: Double?, limit: Int = 1, _ mode: TextLineBreakMode) -> [String] {
        block(text, width: width, limit: limit, mode).lines.map(\.text)
    }

    @Test(arguments: TextLineBreakMode.allCases)
    func `a text that fits is whole`(_ mode: TextLineBreakMode) {
        let width = 8 * 24.8125 + 12.375
        #expect(lines("aaaa aaaa", width: width, mode) == ["aaaa aaaa"])
        #expect(!block("aaaa aaaa", width: width, mode).isTruncated)
        #expect(block("aaaa aaaa", width: width, mode).width == width)
    }

    @Test func `the end is left out`() {
        #expect(lines("aaaa aaaa", width: 136, .byTruncatingTail) == ["aaaa…"])
        #expect(lines("aaaa aaaa", width: 173, .byTruncatingTail) == ["aaaa a…"])
        let cut = block("aaaa aaaa", width: 160, .byTruncatingTail)
        #expect(cut.isTruncated)
        #expect(cut.width == 4 * 24.8125 + 36.125)
    }

    @Test func `the beginning is left out`() {
        #expect(lines("bbaaa aaaa", width: 136, .byTruncatingHead) == ["…aaaa"])
        #expect(lines("bbaaa aaaa", width: 173, .byTruncatingHead) == ["…a aaaa"])
    }

    @Test func `the middle is left out`() {
        #expect(lines("aabbbbbbaa", width: 136, .byTruncatingMiddle) == ["aa…aa"])
        #expect(lines("aa bbbb aa", width: 146, .byTruncatingMiddle) == ["aa…aa"])
    }

    @Test func `whole words are left out, without a sign`() {
        #expect(lines("aa aa aa", width: 130, .byWordWrapping) == ["aa aa"])
        #expect(block("aa aa aa", width: 130, .byWordWrapping).isTruncated)
    }

    @Test func `characters are left out, without a sign`() {
        #expect(lines("aa aaaa", width: 130, .byCharWrapping) == ["aa aa"])
        #expect(block("aa aaaa", width: 130, .byCharWrapping).isTruncated)
    }

    @Test func `a clipped line goes on beyond its room by a character at most`() {
        let clipped = block("aa aaaa", width: 130, .byClipping)
        #expect(clipped.lines.map(\.text) == ["aa aaa"])
        #expect(clipped.lines.map(\.width) == [5 * 24.8125 + 12.375])
        #expect(clipped.width == 130)
        #expect(clipped.isTruncated)
        #expect(lines("aa aa aa aa", width: 70, limit: 2, .byClipping) == ["aa", "aa a"])
    }

    @Test func `lines before the last are broken between words`() {
        #expect(lines("aa aa aa aa aa", width: 130, limit: 2, .byTruncatingTail) == ["aa aa", "aa a…"])
        #expect(lines("aa aa aa aa bb", width: 130, limit: 2, .byTruncatingHead) == ["aa aa", "…a bb"])
        #expect(lines("aa aa aa aa bb", width: 130, limit: 2, .byTruncatingMiddle) == ["aa aa", "a…bb"])
        #expect(lines("aa aa aa aa aa", width: 130, limit: 3, .byTruncatingTail) == ["aa aa", "aa aa", "aa"])
    }

    @Test func `a paragraph that fits ends with the sign if another one follows`() {
        #expect(lines("aa\nbb", width: 130, .byTruncatingTail) == ["aa…"])
        #expect(lines("aa\nbb", width: 130, .byTruncatingHead) == ["…bb"])
        #expect(lines("aa\nbb", width: 130, .byTruncatingMiddle) == ["a…bb"])
        #expect(lines("aa\nbb", width: nil, .byTruncatingTail) == ["aa…"])
        #expect(lines("aa\nbb", width: nil, .byTruncatingMiddle) == ["aa…bb"])
        #expect(lines("aa\nbb", width: nil, .byClipping) == ["aa"])
        #expect(lines("aa\nbb", width: 130, .byWordWrapping) == ["aa"])
    }

    @Test func `spaces and line ends alone are not missed`() {
        let whole = block("aa \n \n", width: 130, .byTruncatingTail)
        #expect(whole.lines.map(\.text) == ["aa "])
        #expect(!whole.isTruncated)
    }

    @Test(arguments: [TextLineBreakMode.byTruncatingTail, .byTruncatingHead, .byTruncatingMiddle])
    func `a room that is too narrow has the sign alone`(_ mode: TextLineBreakMode) {
        #expect(lines("aaaa", width: 10, mode) == ["…"])
        #expect(lines("aaaa", width: 0, mode) == ["…"])
        #expect(block("aaaa", width: 10, mode).width == 10)
    }

    @Test func `a height has as many lines as fit, one at least`() {
        func count(_ height: Double) -> [String] {
            TextBlock("a\na\na", font: Self.font, in: TextRoom(width: 100, height: height)).lines.map(\.text)
        }
        #expect(count(3 * 54) == ["a", "a", "a"])
        #expect(count(3 * 54 - 0.01) == ["a", "a", "a"])
        #expect(count(3 * 54 - 1) == ["a", "a…"])
        #expect(count(10) == ["a…"])
        #expect(count(-1) == ["a…"])
        #expect(count(.nan) == ["a", "a", "a"])
    }

    @Test func `a joined sign is never cut`() {
        #expect(lines("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", width: 100, .byTruncatingTail) == ["👨‍👩‍👧…"])
        #expect(lines("e\u{301}e\u{301}e\u{301}", width: 70, .byTruncatingHead) == ["…e\u{301}"])
    }
}
