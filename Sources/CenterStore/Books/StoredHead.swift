// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// A row of `head` or `history` with all its columns.
struct StoredHead {
    /// The columns of both tables, in the order in which `init` reads them.
    static let columns =
        "number, installation, name, thread, date, until, flags, level, count, body, bytes, category, argument"
    /// The place of the column behind these in a row that begins with them.
    static let columnCount: CInt = 13

    var head: Head
    /// The keyed hash of the identifier.
    var name: Int64
    /// The row of `content`, and its length in bytes.
    var body: Int64
    var byteCount: Int64
    var words: SummaryWords

    init(head: Head, name: Int64, body: Int64, byteCount: Int64, words: SummaryWords) {
        self.head = head
        self.name = name
        self.body = body
        self.byteCount = byteCount
        self.words = words
    }

    init(_ row: borrowing HotRow, from index: CInt = 0) {
        head = Head(
            number: row.integer(index),
            installation: row.integer(index + 1),
            thread: row.optionalInteger(index + 3),
            date: row.integer(index + 4),
            presentation: Presentation(
                flags: HeadFlags(rawValue: row.integer(index + 6)),
                until: row.optionalInteger(index + 5),
                level: Int(row.integer(index + 7)),
                count: Int(row.integer(index + 8))
            )
        )
        name = row.integer(index + 2)
        body = row.integer(index + 9)
        byteCount = row.integer(index + 10)
        words = SummaryWords(row, from: index + 11)
    }
}

extension HotStatement {
    /// Takes a row of `head` or `history` as arguments 1 to 14, in the order of the tables' columns.
    func bind(_ stored: StoredHead, of owner: Int64) -> HotStatement {
        let (head, shown) = (stored.head, stored.head.presentation)
        return bind(
            owner,
            head.number,
            head.installation,
            stored.name,
            head.thread,
            head.date,
            shown.until,
            shown.flags.rawValue,
            shown.level,
            shown.count,
            stored.body,
            stored.byteCount,
            stored.words.category,
            stored.words.argument
        )
    }
}

extension SummaryWords {
    /// Reads the columns `category` and `argument`.
    init(_ row: borrowing HotRow, from index: CInt) {
        category = row.isNull(index) ? nil : row.text(index)
        argument = row.isNull(index + 1) ? nil : row.text(index + 1)
    }
}

extension Head {
    /// The columns that `init` reads.
    static let columns = "number, installation, thread, date, until, flags, level, count"

    init(_ row: borrowing HotRow, from index: CInt = 0) {
        self.init(
            number: row.integer(index),
            installation: row.integer(index + 1),
            thread: row.optionalInteger(index + 2),
            date: row.integer(index + 3),
            presentation: Presentation(
                flags: HeadFlags(rawValue: row.integer(index + 5)),
                until: row.optionalInteger(index + 4),
                level: Int(row.integer(index + 6)),
                count: Int(row.integer(index + 7))
            )
        )
    }
}
