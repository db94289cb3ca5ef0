// SPDX-License-Identifier: Apache-2.0

/// The place in a line behind what has been set of it.
struct TextPen {
    /// Grains from the line's beginning.
    private(set) var grains = 0

    /// Points from the line's beginning.
    var points: Double { Double(grains) / Double(TextFont.grainsPerPoint) }

    /// Goes on by the advance of a character in grains, a tab's being that of a space.
    mutating func add(_ advance: Int, of kind: TextCharacter.Kind) {
        guard kind == .tab, advance > 0 else { return grains += advance }
        // As browsers have it: the next multiple of eight spaces, but for one that is nearer than half a space.
        let distance = 8 * advance - grains % (8 * advance)
        grains += 2 * distance < advance ? distance + 8 * advance : distance
    }
}
