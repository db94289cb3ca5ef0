// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextLayout

struct TextFontTests {
    /// A unit is 1/64 point at this size, so that all widths are exact numbers.
    private static let regular = TextFont(size: 44)
    private static let semibold = TextFont(size: 44, weight: 600)

    @Test(arguments: [
        ("", 0, 0), ("Hello", 6740, 6944), ("Größe", 8176, 8442), ("Привет", 10152, 10407), ("ΐ Αθήνα", 10048, 10605),
        ("Nguyễn", 10328, 10568), ("€1,250.00", 13440, 14080),
    ])
    func `a text is as wide as its characters in the font`(_ text: String, _ regular: Int, _ semibold: Int) {
        #expect(Self.regular.width(of: text) == Double(regular) / 64)
        #expect(Self.semibold.width(of: text) == Double(semibold) / 64)
    }

    @Test func `a width grows with the size`() {
        #expect(TextFont(size: 17).width(of: "Hello") == 6740.0 * 17 / 2816)
        #expect(TextFont(size: 22.5).width(of: "Hello") == 6740.0 * 22.5 / 2816)
    }

    @Test func `slanted letters are as wide as upright ones`() {
        #expect(TextFont(size: 44, isItalic: true).width(of: "Hello") == 6740.0 / 64)
    }

    @Test(arguments: [
        ("á", "a\u{301}"), ("ď", "d\u{30C}"), ("ơ", "o\u{31B}"), ("ệ", "e\u{323}\u{302}"), ("Ί", "Ι\u{301}"),
        ("Ќ", "К\u{301}"), ("ľ", "l\u{30C}"),
    ])
    func `a letter is as wide however it is written`(_ composed: String, _ decomposed: String) {
        #expect(Self.regular.width(of: decomposed) == Self.regular.width(of: composed))
        #expect(Self.semibold.width(of: decomposed) == Self.semibold.width(of: composed))
    }

    @Test(arguments: [
        "\u{301}\u{302}", "\u{308}\u{301}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{FE0F}", "\n",
        "\r\n", "\u{2028}", "\u{0}", "\u{7F}", "\u{90}", "\u{202E}", "\u{FFFC}",
    ])
    func `marks, joiners, controls and ends of lines advance nothing`(_ text: String) {
        #expect(Self.regular.width(of: text) == 0)
        #expect(Self.semibold.width(of: text) == 0)
        #expect(Self.regular.width(of: "a" + text + "b") == Self.regular.width(of: "ab"))
    }

    @Test(arguments: ["漢", "あ", "ア", "한", "。", "！", "\u{3000}", "\u{1112}\u{1161}\u{11AB}"])
    func `ideographs and syllables are an em wide, joined ones together`(_ text: String) {
        #expect(Self.regular.width(of: text) == 44)
        #expect(Self.semibold.width(of: text) == 44)
    }

    @Test(arguments: ["😀", "👨‍👩‍👧", "🇪🇸", "👍🏽", "❤️", "1️⃣", "🏴‍☠️", "☎"])
    func `emoji are 1.25 em wide, joined ones together`(_ text: String) {
        #expect(Self.regular.width(of: text) == 55)
        #expect(Self.semibold.width(of: text) == 55)
    }

    @Test func `a halfwidth kana is half an em wide`() {
        #expect(Self.regular.width(of: "ｱ") == 22)
    }

    @Test(arguments: ["አ", "\u{E000}", "ʃ", "Ա", "א", "ก"])
    func `other characters that the fonts lack are 0.6 em wide`(_ text: String) {
        #expect(Self.regular.width(of: text) == 1690.0 / 64)
    }

    @Test(arguments: [("\tb", 8 * 792), ("a\tb", 8 * 792), ("iiiiiiii\tb", 8 * 792), ("\t\tb", 16 * 792)])
    func `a tab goes to the next multiple of eight spaces`(_ text: String, _ place: Int) {
        #expect(Self.regular.width(of: text) == Double(place + 1748) / 64)
    }

    @Test func `a tab that has less than half a space before it goes one further`() {
        // 236 units are left of 6336, and a space has 792.
        let text = "aaaii"
        #expect(Self.regular.width(of: text) == 6100.0 / 64)
        #expect(Self.regular.width(of: text + "\t") == Double(2 * 8 * 792) / 64)
    }

    @Test(arguments: [(1.0, 2.0), (11, 14), (13, 16), (15, 19), (17, 21), (22.5, 28), (34, 42), (100, 121), (512, 620)])
    func `a line is 1.21 em high, rounded up`(_ size: Double, _ height: Double) {
        #expect(TextFont(size: size).lineHeight == height)
        #expect(TextFont(size: size, weight: 700).lineHeight == height)
    }

    @Test(arguments: [(11.0, 11.0), (12, 12), (13, 13), (15, 15), (17, 16), (20, 19), (22.5, 22), (28, 27), (34, 33)])
    func `the baseline is where a browser has it`(_ size: Double, _ baseline: Double) {
        #expect(TextFont(size: size).baseline == baseline)
    }

    @Test func `the heights of letters are those of the font`() {
        #expect(Self.regular.ascender == 2728.0 / 64)
        #expect(Self.regular.descender == -680.0 / 64)
        #expect(Self.regular.capHeight == 2048.0 / 64)
        #expect(Self.regular.xHeight == 1536.0 / 64)
    }

    @Test(arguments: [(100, 400), (400, 400), (499, 400), (500, 600), (600, 600), (700, 600), (900, 600)])
    func `a weight is the nearer of the two that the page has`(_ asked: Int, _ drawn: Int) {
        #expect(TextFont(size: 17, weight: asked).weight == drawn)
    }

    @Test(arguments: [(-0.8, 400), (0.0, 400), (0.23, 400), (0.25, 600), (0.3, 600), (0.62, 600)])
    func `a weight of UIKit is semibold from 0.25 on`(_ asked: Double, _ drawn: Int) {
        #expect(TextFont(size: 17, relativeWeight: asked).weight == drawn)
    }

    @Test(arguments: [
        (17.01, 17.015625), (0.2, 1.0), (-3.0, 1.0), (600.0, 512.0), (Double.nan, 1.0), (Double.infinity, 512.0),
        (-Double.infinity, 1.0),
    ])
    func `a size is the nearest that there is`(_ asked: Double, _ size: Double) {
        #expect(TextFont(size: asked).size == size)
    }
}
