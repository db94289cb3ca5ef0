// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextLayout

/// Texts in more than one font, and in smaller ones than they were made for.
struct TextRunsTests {
    private static let large = TextFont(size: 44)
    private static let small = TextFont(size: 22, weight: 600)

    private func part(_ run: Int, _ text: String) -> TextBlock.Line.Part { TextBlock.Line.Part(run: run, text: text) }

    @Test func `a line has parts in the fonts of their runs`() {
        let runs = [TextRun("aa b", font: Self.large), TextRun("b aa", font: Self.small)]
        let block = TextBlock(runs, in: TextRoom(width: 80))
        #expect(block.lines.map(\.parts) == [[part(0, "aa")], [part(0, "b"), part(1, "b aa")]])
    }

    @Test func `a part is as wide as in its font`() {
        let runs = [TextRun("a", font: Self.large), TextRun("a", font: Self.small)]
        let block = TextBlock(runs, in: TextRoom())
        #expect(block.width == 1588.0 / 64 + 1618.0 / 128)
        #expect(block.text == "aa")
    }

    @Test func `a line is as high as its highest font above and below the baseline`() {
        let runs = [
            TextRun("a", font: Self.small), TextRun("a\na", font: Self.large), TextRun("\na", font: Self.small),
        ]
        let block = TextBlock(runs, in: TextRoom())
        #expect(block.lines.map(\.height) == [54, 54, 27])
        #expect(block.lines.map(\.baseline) == [Self.large.baseline, Self.large.baseline, Self.small.baseline])
        #expect(block.height == 135)
        #expect(block.firstBaseline == Self.large.baseline)
        #expect(block.lastBaseline == 108 + Self.small.baseline)
    }

    @Test func `the order of the fonts in a line does not change its height`() {
        let runs = [TextRun("a", font: Self.large), TextRun("a", font: Self.small)]
        #expect(TextBlock(runs, in: TextRoom()).lines.map(\.height) == [54])
        #expect(TextBlock(runs.reversed(), in: TextRoom()).lines.map(\.height) == [54])
    }

    @Test func `an empty line is as high as its line end`() {
        let runs = [TextRun("a\n", font: Self.large), TextRun("\n", font: Self.small), TextRun("a", font: Self.large)]
        let block = TextBlock(runs, in: TextRoom())
        #expect(block.lines.map(\.height) == [54, 27, 54])
        #expect(block.lines[1].parts == [part(1, "")])
    }

    @Test func `the sign for what is left out is in the font beside it`() {
        let runs = [TextRun("aaaa", font: Self.large), TextRun("aaaaaaaa", font: Self.small)]
        let tail = TextBlock(runs, in: TextRoom(width: 160, lineLimit: 1))
        #expect(tail.lines.map(\.parts) == [[part(0, "aaaa"), part(1, "aaa…")]])
        let head = TextBlock(runs, in: TextRoom(width: 60, lineLimit: 1, mode: .byTruncatingHead))
        #expect(head.lines.map(\.parts) == [[part(1, "…aaa")]])
    }

    @Test func `neighbouring parts of a run are one over lines`() {
        let runs = [TextRun("aa aa", font: Self.large), TextRun("\naa", font: Self.small)]
        let block = TextBlock(runs, in: TextRoom(width: 60))
        #expect(block.parts == [part(0, "aa\naa\n"), part(1, "aa")])
    }

    @Test func `a text shrinks to the largest size in which it is whole`() {
        let runs = [TextRun("aaaaaaaaaa", font: TextFont(size: 20))]
        // A size is as wide as 10 × 1588 / 2816 of it.
        let room = TextRoom(width: 100, lineLimit: 1)
        let size = TextBlock.fittingSize(of: runs, in: room, minimumScale: 0.5)
        #expect(size == 17.5)
        #expect(!TextBlock(runs.scaled(by: size / 20), in: room).isTruncated)
        #expect(TextBlock(runs.scaled(by: 18.0 / 20), in: room).isTruncated)
    }

    @Test(arguments: [
        (1.0, 20.0), (0.93, 18.59375), (0.5, 17.5), (0.0, 17.5), (-1.0, 17.5), (2.0, 20.0), (Double.nan, 17.5),
    ])
    func `a text shrinks no further than it may`(_ scale: Double, _ size: Double) {
        let runs = [TextRun("aaaaaaaaaa", font: TextFont(size: 20))]
        let room = TextRoom(width: 100, lineLimit: 1)
        #expect(TextBlock.fittingSize(of: runs, in: room, minimumScale: scale) == size)
    }

    @Test func `a text that fits keeps its size`() {
        let runs = [TextRun("aa", font: Self.large), TextRun("aa", font: Self.small)]
        #expect(TextBlock.fittingSize(of: runs, in: TextRoom(width: 100), minimumScale: 0.1) == 44)
        #expect(TextBlock.fittingSize(of: [], in: TextRoom(width: 100), minimumScale: 0.1) == 0)
    }

    @Test func `all fonts of a text shrink together`() {
        let runs = [TextRun("a", font: Self.large), TextRun("a", font: Self.small)].scaled(by: 0.5)
        #expect(runs.map(\.font) == [TextFont(size: 22), TextFont(size: 11, weight: 600)])
    }
}
