// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
private import GRDB
private import GRDBSQLite
private import Glibc

extension StoreError {
    /// Turns an error of the registry at this path into a `StoreError`.
    init(registry path: String, _ error: any Error) {
        if let error = error as? StoreError {
            self = error
        } else if let error = error as? DatabaseError {
            let code = error.resultCode
            self.init(registry: path, code: code.rawValue, cause: error.message ?? code.description)
        } else {
            self.init(.unusable, "registry \"\(path)\" is not usable: \(error)")
        }
    }

    /// `code` is one of SQLite's primary result codes.
    init(registry path: String, code: Int32, cause: String) {
        switch code {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            self.init(
                .corrupt,
                "registry \"\(path)\" is damaged: \(cause)",
                hint: """
                    put a copy of it back, or move it away with apps/ and keychains/ beside it, since it alone knows \
                    which owner's those are: then tokens that were minted are gone too
                    """
            )
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.unusable, "registry \"\(path)\" is in use: another command holds it", hint: "try again")
        case SQLITE_FULL, SQLITE_IOERR:
            self.init(.unusable, "registry \"\(path)\" cannot be written: \(cause)", hint: "is the disk full")
        default: self.init(registry: path, isUnusable: cause)
        }
    }

    /// The file, or the folder that it is in, cannot be used by this process.
    init(registry path: String, isUnusable cause: String) {
        self.init(
            .unusable,
            "registry \"\(path)\" is not usable: \(cause)",
            hint: "the state folder must be this user's own, on a disk that can be written"
        )
    }

    /// Asked of the kernel, because SQLite names what it did and not what it met, and that from its first write on.
    init(registry path: String, isUnusable code: Int32) {
        self.init(registry: path, isUnusable: String(cString: strerror(code)).lowercased())
    }
}
