// SPDX-License-Identifier: Apache-2.0

/// The rows that a watch has written on its terminal, as far as they are known to be where they were.
///
/// Rows above the screen cannot be written over, and what somebody else has written moves the rows.
struct WatchScreen {
    /// The size of a terminal, in characters.
    struct Size: Equatable {
        let columns: Int
        let rows: Int
    }

    private struct Block {
        let id: String
        /// The row of its first line, counted from the beginning of the watch.
        let row: Int
        let lines: [String]
    }

    /// Blocks that are known; more than a screen has.
    private static let blockLimit = 500

    /// The columns of the terminal when the watch began; a terminal of another width has broken its lines anew.
    private let columns: Int
    private var rowCount = 0
    private var blocks: [Block] = []

    init(columns: Int) {
        self.columns = columns
    }

    /// Takes that lines were written below.
    mutating func take(lineCount: Int) { rowCount += lineCount }

    /// Takes that the block of a notification is written next, whose lines are the same without their colours.
    mutating func take(block id: String, _ lines: [String]) {
        blocks.append(Block(id: id, row: rowCount, lines: lines))
        if blocks.count > Self.blockLimit { blocks.removeFirst() }
    }

    /// Takes that something else has written on the terminal.
    mutating func lose() { blocks = [] }

    /// Returns what has the terminal show a block in grey; `nil` means that the block is not where it was.
    ///
    /// The cursor is at the beginning of the row below the last line, before and after. Source: ECMA-48, CUU, CUD, EL.
    mutating func grey(_ id: String, on size: Size) -> String? {
        guard let place = blocks.lastIndex(where: { $0.id == id }) else { return nil }
        let block = blocks.remove(at: place)
        let up = rowCount - block.row
        guard size.columns == columns, up < size.rows else { return nil }
        let lines = block.lines.map { "\u{1b}[2K\u{1b}[2m\($0)\u{1b}[0m\n" }.joined()
        let down = up - block.lines.count
        return Self.unwrapped("\u{1b}[\(up)A\r" + lines + (down > 0 ? "\u{1b}[\(down)B\r" : ""))
    }

    /// The sequence that has the terminal break lines that are too long.
    static let wrapping = "\u{1b}[?7h"

    /// A text of which the terminal breaks no line, so that each one is a row.
    ///
    /// A terminal may draw a character wider than the system's tables say, and cuts the line then. Source: DECAWM of
    /// the VT510.
    static func unwrapped(_ text: String) -> String { "\u{1b}[?7l" + text + wrapping }
}
