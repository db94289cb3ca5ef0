// SPDX-License-Identifier: Apache-2.0

/// Breaks the characters of a text into lines of a width: each line takes as much as fits.
///
/// Spaces at which a line is broken are left out, however many they are. A word that is wider than the line is broken
/// between its characters. Each character is looked at three times at most, so the time is linear.
struct LineBreaker {
    /// A line as it was found.
    struct Line {
        /// The characters that are drawn.
        var range: Range<Int>
        /// The place at which the next line begins.
        var next: Int
        /// True if a hyphen is drawn behind the line, because it ends inside of a word.
        var isHyphenated = false
        /// True if a line end of the text ends the line; another line follows it, an empty one perhaps.
        var hasLineEnd = false
    }

    let text: TextClusters
    /// Grains.
    let width: Int
    /// True if lines break between any two characters.
    let breaksCharacters: Bool

    private var clusters: [TextCluster] { text.clusters }

    /// The line that begins at a place.
    func line(from start: Int) -> Line {
        var pen = TextPen()
        // Behind the last character that is no space at the end, and behind the last one that fits.
        var (end, fitting) = (start, start)
        var broken: Line?
        var index = start
        while index < clusters.count {
            let cluster = clusters[index]
            if cluster.kind == .lineEnd { break }
            if index > start, mayBreak(before: index, from: start) {
                let isHyphenated = clusters[index - 1].kind == .softHyphen
                // A hyphen stands behind something, and has room.
                if !isHyphenated || end == index && pen.grains > 0 && pen.grains + hyphen(at: index - 1) <= width {
                    broken = Line(range: start..<end, next: index, isHyphenated: isHyphenated)
                }
            }
            let isFirst = pen.grains == 0
            pen.add(cluster.advance, of: cluster.kind)
            let isSpace = cluster.kind == .space || cluster.kind == .tab
            if pen.grains > width, !isSpace, cluster.advance > 0, !isFirst {
                return broken ?? Line(range: start..<end, next: index)
            }
            // What is drawn as nothing stays with what stands before it, and draws no spaces between them.
            if !isSpace, cluster.advance > 0 || end == index { end = index + 1 }
            index += 1
            if pen.grains <= width { fitting = index }
        }
        // Spaces before a line end are drawn as far as they fit.
        let hasLineEnd = index < clusters.count
        return Line(range: start..<max(end, fitting), next: hasLineEnd ? index + 1 : index, hasLineEnd: hasLineEnd)
    }

    /// Grains of a hyphen in the font of a character.
    func hyphen(at index: Int) -> Int { advance(of: "-", at: index) }

    /// Grains of a sign in the font of a character.
    func advance(of sign: Character, at index: Int) -> Int {
        let font = text.font(ofRun: clusters[index].run)
        return TextCharacter(sign, in: font.face).units * font.steps
    }

    /// True if a line that begins at a place may end before a character, which is not its first one.
    private func mayBreak(before index: Int, from start: Int) -> Bool {
        let (before, after) = (clusters[index - 1].kind, clusters[index].kind)
        switch after {
        case .space, .tab, .lineEnd, .glue, .zeroWidthSpace: return false
        default: break
        }
        if before == .space || before == .tab || before == .zeroWidthSpace { return true }
        if before == .glue || after == .softHyphen { return false }
        if breaksCharacters { return true }
        if after == .closing || before == .opening { return false }
        switch before {
        case .softHyphen, .ideograph: return true
        case .hyphen, .slash:
            // Not before a number, nor behind a sign that begins a word or the line, such as that of an option.
            let isInside = index > start + 1 && [.letter, .digit, .closing, .slash].contains(clusters[index - 2].kind)
            return isInside && after == .letter || after == .ideograph
        case .dash: return after != .dash && after != .hyphen
        case .emDash: return after != .emDash
        case .closing: return after == .ideograph || after == .opening && isIdeographic(before: index - 1)
        default: return after == .ideograph || after == .emDash || after == .opening && isIdeographic(before: index)
        }
    }

    /// True if the character before a place, closing signs left out, is one beside which lines break.
    private func isIdeographic(before index: Int) -> Bool { index > 0 && clusters[index - 1].kind == .ideograph }
}
