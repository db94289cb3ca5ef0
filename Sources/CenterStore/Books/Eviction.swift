// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The choice of what leaves an owner that has too much: the oldest of its largest installation.
///
/// An app that floods pays for its flood, and the others keep what they have. Source: Choudhury and Hahne, "Dynamic
/// queue length thresholds", 1998; center.md §6, "Full".
struct Eviction {
    enum Measure {
        case count
        case bytes
    }

    private let books: CenterBooks
    private let owner: OwnerAccount
    private let installations: [InstallationAccount]
    private var heads: OldestHeads

    init(_ books: CenterBooks, _ owner: OwnerAccount) throws {
        self.books = books
        self.owner = owner
        heads = OldestHeads(books)
        var ids: [Int64] = []
        // The transaction may have changed what is in memory and not yet in the table.
        try books.statement("SELECT id FROM installation WHERE owner = ?1 ORDER BY id").bind(owner.id)
            .each { ids.append($0.integer(0)) }
        installations = try ids.compactMap { try books.installation($0) }
    }

    /// Removes one notification; by bytes, one of the history as long as that has any.
    mutating func removeOne(by measure: Measure, at now: WallTime) throws {
        if measure == .bytes, let past = try books.oldestPast(owner) {
            try books.remove(past: past, of: owner)
            return
        }
        func size(_ installation: InstallationAccount) -> Int64 {
            switch measure {
            case .count: installation.values.stored
            case .bytes: installation.values.bytes
            }
        }
        // The first of equal ones.
        let largest = installations.max { left, right in (size(left), right.id) < (size(right), left.id) }
        guard let largest, let oldest = try heads.next(of: largest) else { throw CenterBooks.lost }
        try books.retire(oldest, of: largest, at: now)
    }
}

/// The notifications of installations, the oldest first; each is asked for once.
///
/// The table is in the order of the owner's numbers, so each installation's search goes on where its last one ended.
struct OldestHeads {
    private let books: CenterBooks
    private var last: [Int64: Int64] = [:]

    init(_ books: CenterBooks) {
        self.books = books
    }

    mutating func next(of installation: InstallationAccount) throws -> StoredHead? {
        let found = try books.statement(
            """
            SELECT \(StoredHead.columns) FROM head NOT INDEXED
            WHERE owner = ?1 AND number > ?2 AND installation = ?3 ORDER BY number LIMIT 1
            """
        ).bind(installation.owner.id, last[installation.id] ?? 0, installation.id).first { StoredHead($0) }
        last[installation.id] = found?.head.number
        return found
    }
}

extension CenterBooks {
    /// The error for a row that the sums promise and the tables do not have.
    static var lost: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its sums are not those of its rows")
    }
}
