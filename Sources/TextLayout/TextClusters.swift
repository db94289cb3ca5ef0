// SPDX-License-Identifier: Apache-2.0

/// A character of a text that is being broken into lines.
struct TextCluster {
    /// The place in the text of its run.
    let start: String.Index
    /// Grains; of a space for a tab.
    let advance: Int
    let kind: TextCharacter.Kind
    /// The index of its run.
    let run: Int
}

/// The characters of all runs of a text, one behind the other.
struct TextClusters {
    private let runs: [TextRun]
    private(set) var clusters: [TextCluster] = []
    /// True if a script of the text needs more than the sum of its advances.
    private(set) var needsShaping = false
    /// True if the text went on beyond the bytes that a text may have.
    private(set) var isCut = false

    init(_ runs: [TextRun]) {
        var room = TextBlock.byteCountLimit
        var kept: [TextRun] = []
        for run in runs where !isCut {
            var run = run
            if run.text.utf8.count > room {
                run.text = run.text.beginning(ofByteCount: room)
                isCut = true
            }
            room -= run.text.utf8.count
            kept.append(run)
        }
        self.runs = kept
        clusters.reserveCapacity(TextBlock.byteCountLimit - room)
        for (index, run) in kept.enumerated() {
            for place in run.text.indices {
                let character = TextCharacter(run.text[place], in: run.font.face)
                let advance = character.units * run.font.steps
                clusters.append(TextCluster(start: place, advance: advance, kind: character.kind, run: index))
                needsShaping = needsShaping || character.needsShaping
            }
        }
    }

    func font(ofRun run: Int) -> TextFont { runs[run].font }

    /// The text of a range of characters that belong to one run, without what is not drawn.
    func text(of range: Range<Int>) -> String {
        guard let first = range.first else { return "" }
        let run = clusters[first].run
        let text = runs[run].text
        let isLast = range.upperBound == clusters.count || clusters[range.upperBound].run != run
        let end = isLast ? text.endIndex : clusters[range.upperBound].start
        guard clusters[range].contains(where: { $0.kind == .removed || $0.kind == .softHyphen }) else {
            return String(text[clusters[first].start..<end])
        }
        return clusters[range].reduce(into: "") { kept, cluster in
            if cluster.kind != .removed, cluster.kind != .softHyphen { kept.append(text[cluster.start]) }
        }
    }

    /// The first line end at or behind a place, or the end of the text.
    func endOfParagraph(from start: Int) -> Int {
        clusters[start...].firstIndex { $0.kind == .lineEnd } ?? clusters.count
    }

    /// True if nothing is drawn from a place on.
    func isBlank(from start: Int) -> Bool {
        clusters[start...].allSatisfy {
            switch $0.kind {
            case .lineEnd, .space, .tab, .removed, .softHyphen, .zeroWidthSpace: true
            default: false
            }
        }
    }
}

extension String {
    /// The text before a byte, up to the last character that ends there, or to the last code point if none does.
    fileprivate func beginning(ofByteCount count: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: count)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        let beginning = self[..<end]
        let whole = end.samePosition(in: self) == nil ? beginning.dropLast() : beginning
        return String(whole.isEmpty ? beginning : whole)
    }
}
