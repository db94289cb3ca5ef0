// SPDX-License-Identifier: Apache-2.0

/// A part of a line: characters of the text, or a sign that stands for others in the font of one of them.
enum LinePiece: Equatable {
    case characters(Range<Int>)
    case sign(String, at: Int)
}

/// Makes one line of a text that has no room for more.
struct LineTruncation {
    static let ellipsis: Character = "…"

    let breaker: LineBreaker

    private var text: TextClusters { breaker.text }
    private var clusters: [TextCluster] { text.clusters }
    private var sign: String { String(Self.ellipsis) }

    /// The last line, which begins at a place and has the rest of the text.
    ///
    /// `broken` is the line that would be there if others followed it.
    func lastLine(from start: Int, mode: TextLineBreakMode, broken: LineBreaker.Line) -> [LinePiece] {
        switch mode {
        case .byWordWrapping, .byCharWrapping: pieces(of: broken)
        case .byClipping: [.characters(start..<clippedEnd(from: start))]
        case .byTruncatingTail: tail(from: start)
        case .byTruncatingHead: head(from: start)
        case .byTruncatingMiddle: middle(from: start)
        }
    }

    func pieces(of line: LineBreaker.Line) -> [LinePiece] {
        guard line.isHyphenated else { return [.characters(line.range)] }
        return [.characters(line.range), .sign("-", at: line.range.upperBound - 1)]
    }

    /// The end of what is seen of a paragraph in one line, the character that stands on the side included.
    private func clippedEnd(from start: Int) -> Int {
        var pen = TextPen()
        var index = start
        while index < clusters.count, clusters[index].kind != .lineEnd, pen.grains < breaker.width {
            pen.add(clusters[index].advance, of: clusters[index].kind)
            index += 1
        }
        return index
    }

    /// The sign behind as much of the paragraph as fits, without spaces before it.
    private func tail(from start: Int) -> [LinePiece] {
        let end = beginning(from: start, before: text.endOfParagraph(from: start), in: breaker.width, withSign: true)
        return [.characters(start..<end), .sign(sign, at: end > start ? end - 1 : place(start))]
    }

    /// The sign, and as much of the end of the text as fits behind it.
    private func head(from start: Int) -> [LinePiece] {
        let end = endOfText(from: start)
        let begin = ending(before: end, after: start, in: breaker.width, withSign: true)
        return [.sign(sign, at: place(begin < end ? begin : start)), .characters(begin..<end)]
    }

    /// The sign between as much of the beginning and of the end of the text as fits, half of the room each.
    private func middle(from start: Int) -> [LinePiece] {
        let end = endOfText(from: start)
        let room = max(breaker.width - breaker.advance(of: Self.ellipsis, at: place(start)), 0)
        let paragraph = min(text.endOfParagraph(from: start), end)
        let left = beginning(from: start, before: paragraph, in: room / 2, withSign: false)
        let used = width(of: start..<left)
        let right = ending(before: end, after: left, in: room - used, withSign: false)
        return [.characters(start..<left), .sign(sign, at: place(start)), .characters(right..<end)]
    }

    /// The end of the longest beginning of a range that fits, without spaces at its end.
    private func beginning(from start: Int, before end: Int, in width: Int, withSign: Bool) -> Int {
        var pen = TextPen()
        var fitting = start
        for index in start..<end {
            pen.add(clusters[index].advance, of: clusters[index].kind)
            guard pen.grains <= width else { break }
            let sign = withSign ? breaker.advance(of: Self.ellipsis, at: index) : 0
            if !isSpace(index), pen.grains + sign <= width { fitting = index + 1 }
        }
        return fitting
    }

    /// The start of the longest ending of a range that fits and has no line end, without spaces at its start.
    private func ending(before end: Int, after start: Int, in width: Int, withSign: Bool) -> Int {
        var grains = 0
        var fitting = end
        for index in (start..<end).reversed() where clusters[index].kind != .removed {
            guard clusters[index].kind != .lineEnd else { break }
            // A tab is as wide as it may be.
            grains += clusters[index].kind == .tab ? 9 * clusters[index].advance : clusters[index].advance
            guard grains <= width else { break }
            let sign = withSign ? breaker.advance(of: Self.ellipsis, at: index) : 0
            if !isSpace(index), grains + sign <= width { fitting = index }
        }
        return fitting
    }

    /// The end of the text without the spaces and line ends behind it.
    private func endOfText(from start: Int) -> Int {
        var end = clusters.count
        while end > start, isSpace(end - 1) || clusters[end - 1].kind == .lineEnd { end -= 1 }
        return end
    }

    private func width(of range: Range<Int>) -> Int {
        var pen = TextPen()
        for cluster in clusters[range] { pen.add(cluster.advance, of: cluster.kind) }
        return pen.grains
    }

    private func isSpace(_ index: Int) -> Bool { clusters[index].kind == .space || clusters[index].kind == .tab }

    /// A place that has a character.
    private func place(_ index: Int) -> Int { min(index, clusters.count - 1) }
}
