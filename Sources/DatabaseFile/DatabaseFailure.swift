// SPDX-License-Identifier: Apache-2.0

private import GRDB

/// The reason for which a database that was opened did nothing, sorted by what can be done about it.
package enum DatabaseFailure: Error, Equatable {
    /// `SQLITE_FULL`: the disk has no room, which may pass.
    case full(String)
    /// An I/O error, a read-only disk and all others: may pass.
    case disk(String)
    /// Another process holds the database.
    case locked
    /// The stored data is not what was written; only a person can help.
    case corrupt(String)

    /// Sorts an error of GRDB's; the messages name the file.
    package init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = .disk("\"\(path)\": \(error)")
            return
        }
        let message = "\"\(path)\": \(error.message ?? "SQLite's code \(error.extendedResultCode.rawValue)")"
        let coded = "\(message) (SQLite's code \(error.extendedResultCode.rawValue))"
        self =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt(message)
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
            case .SQLITE_FULL: .full(coded)
            default: .disk(coded)
            }
    }
}

extension StoreError {
    /// Turns an error of a file with a write-ahead log into a `StoreError`, which has a hint for people.
    package init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        switch DatabaseFailure(error, path: path) {
        case .corrupt(let message):
            self.init(
                .corrupt,
                message,
                hint: "keep a copy of it; \"sqlite3 '\(path)' .recover\" may read it; moved away, a new one is made"
            )
        case .locked:
            self.init(.unusable, "\"\(path)\" is locked by another process", hint: "end that process first")
        case .full(let message), .disk(let message):
            self.init(.unusable, message, hint: "free space, or name a state folder that can be written")
        }
    }
}
