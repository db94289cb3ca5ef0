// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// The choice of what leaves an owner that has too much: the oldest of its largest installation.
///
/// An app that floods pays for its flood, and the others keep what they have. Source: Choudhury and Hahne, "Dynamic
/// queue length thresholds", 1998.
struct Eviction {
    enum Measure {
        case count
        case bytes
    }

    enum Victim {
        case past(StoredHead)
        case listed(StoredHead, InstallationAccount)
    }

    private let heads: HeadBook
    private let owner: OwnerAccount
    private let installations: [InstallationAccount]
    private var oldest: OldestHeads

    init(_ heads: HeadBook, _ owner: OwnerAccount, _ installations: [InstallationAccount]) {
        self.heads = heads
        self.owner = owner
        self.installations = installations
        oldest = OldestHeads(heads.tables)
    }

    /// The next to leave; by bytes, one of the history as long as that has any.
    mutating func next(by measure: Measure) throws -> Victim {
        if measure == .bytes, let past = try heads.oldestPast(of: owner) { return .past(past) }
        func size(_ installation: InstallationAccount) -> Int64 {
            switch measure {
            case .count: installation.values.stored
            case .bytes: installation.values.bytes
            }
        }
        // The first of equal ones.
        let largest = installations.max { left, right in (size(left), right.id) < (size(right), left.id) }
        guard let largest, let head = try oldest.next(of: largest) else { throw DatabaseError.lostRow }
        return .listed(head, largest)
    }
}

/// The notifications of installations, the oldest first; each is asked for once.
///
/// The table is in the order of the owner's numbers, so each installation's search goes on where its last one ended.
struct OldestHeads {
    private let tables: BookTables
    private var last: [Int64: Int64] = [:]

    init(_ tables: BookTables) {
        self.tables = tables
    }

    mutating func next(of installation: InstallationAccount) throws -> StoredHead? {
        let found = try tables.statement(
            """
            SELECT \(StoredHead.columns) FROM head NOT INDEXED
            WHERE owner = ?1 AND number > ?2 AND installation = ?3 ORDER BY number LIMIT 1
            """
        ).bind(installation.owner.id, last[installation.id] ?? 0, installation.id).first { StoredHead($0) }
        last[installation.id] = found?.head.number
        return found
    }
}

extension DatabaseError {
    /// The error for a row that the sums promise and the tables do not have.
    static var lostRow: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its sums are not those of its rows")
    }
}
