// SPDX-License-Identifier: Apache-2.0

internal import GRDB

extension StoreError {
    /// What SQLite said about the registry at this path.
    init(registry path: String, _ error: any Error) {
        if let error = error as? StoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.unusable, "registry \"\(path)\" is not usable: \(error)")
            return
        }
        let cause = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .corrupt,
                "registry \"\(path)\" is damaged: \(cause)",
                hint: "put a copy of it back, or move it away: then tokens that were minted are gone"
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.unusable, "registry \"\(path)\" is in use: another command holds it", hint: "try again")
        case .SQLITE_FULL, .SQLITE_IOERR:
            self.init(.unusable, "registry \"\(path)\" cannot be written: \(cause)", hint: "is the disk full")
        default:
            self.init(.unusable, "registry \"\(path)\" is not usable: \(cause)")
        }
    }
}
