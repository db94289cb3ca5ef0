// SPDX-License-Identifier: Apache-2.0

import GRDB
import HostRuntime

extension JournalError {
    /// Sorts an error of SQLite by what can be done about it.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = .disk("\"\(path)\": \(error)")
            return
        }
        let message = "\"\(path)\": \(error.message ?? "SQLite's code \(error.extendedResultCode.rawValue)")"
        self =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt(message)
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
            default: .disk("\(message) (SQLite's code \(error.extendedResultCode.rawValue))")
            }
    }
}

extension StoreError {
    /// Turns an error of a journal's file into a `StoreError`, which has a hint for people.
    init(_ error: any Error, path: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        switch JournalError(error, path: path) {
        case .corrupt(let message):
            self.init(
                .corrupt,
                message,
                hint: "keep a copy of it; \"sqlite3 '\(path)' .recover\" may read it; moved away, a new one is made"
            )
        case .locked:
            self.init(.unusable, "\"\(path)\" is locked by another process", hint: "end that process first")
        case .disk(let message):
            self.init(.unusable, message, hint: "free space, or name a state folder that can be written")
        }
    }
}
