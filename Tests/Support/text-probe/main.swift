// SPDX-License-Identifier: Apache-2.0

import Foundation
import TextLayout

// Answers each line of standard input, an object of JSON, with one of its own: how wide a text is in some fonts, and
// the lines that it has in a room. Tests/Page/text.py compares the answers with a browser's.

struct Font: Decodable {
    var size: Double
    var weight: Int

    var font: TextFont { TextFont(size: size, weight: weight) }
}

struct Question: Decodable {
    /// The parts of a text, each in the font of the same place; without them the whole is in each font alone.
    var runs: [String]?
    var text: String?
    var fonts: [Font]
    /// Points; without it no lines are asked for.
    var width: Double?
}

struct Answer: Encodable {
    struct Part: Encodable {
        var run: Int
        var text: String
    }

    struct Block: Encodable {
        var lines: [String]
        var parts: [Part]
        var height: Double
        var firstBaseline: Double?
        var lastBaseline: Double?

        init(_ block: TextBlock) {
            lines = block.lines.map(\.text)
            parts = block.parts.map { Part(run: $0.run, text: $0.text) }
            (height, firstBaseline, lastBaseline) = (block.height, block.firstBaseline, block.lastBaseline)
        }
    }

    var widths: [Double]
    var blocks: [Block]
}

func answer(to question: Question) -> Answer {
    let room = TextRoom(width: question.width, mode: .byWordWrapping)
    let fonts = question.fonts.map(\.font)
    if let runs = question.runs {
        let block = TextBlock(zip(runs, fonts).map { TextRun($0, font: $1) }, in: room)
        return Answer(widths: [block.width], blocks: [Answer.Block(block)])
    }
    let text = question.text ?? ""
    let blocks = question.width == nil ? [] : fonts.map { Answer.Block(TextBlock(text, font: $0, in: room)) }
    return Answer(widths: fonts.map { $0.width(of: text) }, blocks: blocks)
}

while let line = readLine() {
    let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
    print(String(decoding: try JSONEncoder().encode(answer(to: question)), as: UTF8.self))
}
