// SPDX-License-Identifier: Apache-2.0

extension TextBlock {
    /// Points between two sizes that are tried.
    private static let step = 0.5

    /// The largest size, of the largest font of a text, in which nothing of the text is left out.
    ///
    /// The smallest size that is allowed is the answer if there is none.
    ///
    /// Sizes are tried in steps of half a point down from the font's own, and the smallest one, which is the own size
    /// times the scale, from 0 to 1. All fonts shrink together. At most ten sizes are tried.
    package static func fittingSize(of runs: [TextRun], in room: TextRoom, minimumScale: Double) -> Double {
        guard let largest = runs.map(\.font.size).max() else { return 0 }
        let scale = minimumScale > 0 ? min(minimumScale, 1) : 0
        let smallest = TextFont(size: largest * scale, face: .regular).size
        // Steps down from the largest size; the last one stands for the smallest.
        var (low, high) = (0, Int(((largest - smallest) / step).rounded(.up)))
        func size(_ steps: Int) -> Double { max(largest - Double(steps) * step, smallest) }
        while low < high {
            let middle = (low + high) / 2
            let isWhole = !TextBlock(runs.scaled(by: size(middle) / largest), in: room).isTruncated
            if isWhole { high = middle } else { low = middle + 1 }
        }
        return size(low)
    }
}

extension [TextRun] {
    /// The same text in fonts that are larger or smaller by a factor.
    package func scaled(by factor: Double) -> [TextRun] {
        map { TextRun($0.text, font: $0.font.withSize($0.font.size * factor)) }
    }
}
