// SPDX-License-Identifier: Apache-2.0

/// The lines of a text in whole numbers.
struct TextLines {
    struct Measured {
        var parts: [TextBlock.Line.Part] = []
        /// Grains.
        var width = 0
        /// Points.
        var height = 0
        var baseline = 0
        var endsParagraph: Bool

        var byteCount: Int { parts.reduce(0) { $0 + $1.text.utf8.count } }

        var line: TextBlock.Line {
            TextBlock.Line(
                parts: parts,
                width: Double(width) / Double(TextFont.grainsPerPoint),
                height: Double(height),
                baseline: Double(baseline),
                endsParagraph: endsParagraph
            )
        }
    }

    private(set) var lines: [Measured] = []
    /// True if not all of the text is in the lines.
    private(set) var isTruncated = false

    private let text: TextClusters

    init(_ text: TextClusters, in room: TextRoom, atMost count: Int = .max) {
        self.text = text
        guard !text.clusters.isEmpty else { return }
        let breaker = LineBreaker(text: text, width: room.grains, breaksCharacters: room.mode == .byCharWrapping)
        let truncation = LineTruncation(breaker: breaker)
        let limit = min(room.lineLimit > 0 ? room.lineLimit : .max, count, TextBlock.lineCountLimit)
        var bytes = TextBlock.byteCountLimit
        var start = 0
        var hasMore = true
        while hasMore {
            let broken = breaker.line(from: start)
            hasMore = broken.hasLineEnd || broken.next < text.clusters.count
            var pieces = truncation.pieces(of: broken)
            if lines.count + 1 == limit, hasMore {
                hasMore = false
                if !text.isBlank(from: broken.next) {
                    isTruncated = true
                    pieces = truncation.lastLine(from: start, mode: room.mode, broken: broken)
                }
            }
            let line = measured(pieces, from: start, endsParagraph: broken.hasLineEnd || !hasMore)
            bytes -= line.byteCount + (lines.isEmpty ? 0 : 1)
            guard bytes >= 0 else {
                isTruncated = true
                break
            }
            lines.append(line)
            start = broken.next
        }
    }

    /// A line with its parts; one without characters has an empty part in the font of the character at which it begins.
    private func measured(_ pieces: [LinePiece], from start: Int, endsParagraph: Bool) -> Measured {
        var line = Measured(endsParagraph: endsParagraph)
        var pen = TextPen()
        var below = 0
        for piece in pieces {
            switch piece {
            case .sign(let sign, let index):
                let run = text.clusters[index].run
                let font = text.font(ofRun: run)
                for character in sign {
                    pen.add(TextCharacter(character, in: font.face).units * font.steps, of: .other)
                }
                line.append(sign, of: run)
                line.grow(to: font, below: &below)
            case .characters(let range):
                var first = range.lowerBound
                while first < range.upperBound {
                    let run = text.clusters[first].run
                    let rest = text.clusters[first..<range.upperBound]
                    let end = rest.firstIndex { $0.run != run } ?? range.upperBound
                    for cluster in text.clusters[first..<end] { pen.add(cluster.advance, of: cluster.kind) }
                    line.append(text.text(of: first..<end), of: run)
                    line.grow(to: text.font(ofRun: run), below: &below)
                    first = end
                }
            }
        }
        if line.parts.isEmpty {
            let run = text.clusters[min(start, text.clusters.count - 1)].run
            line.append("", of: run)
            line.grow(to: text.font(ofRun: run), below: &below)
        }
        line.width = pen.grains
        line.height = line.baseline + below
        return line
    }
}

extension TextLines.Measured {
    fileprivate mutating func append(_ text: String, of run: Int) {
        if let last = parts.last, last.run == run {
            parts[parts.count - 1].text += text
        } else {
            parts.append(TextBlock.Line.Part(run: run, text: text))
        }
    }

    /// Makes room for a font: above the baseline, and below it by what else the line height of the font has.
    fileprivate mutating func grow(to font: TextFont, below: inout Int) {
        baseline = max(baseline, font.wholeBaseline)
        below = max(below, font.wholeLineHeight - font.wholeBaseline)
    }
}
