// SPDX-License-Identifier: Apache-2.0

/// Why what the host keeps on a disk cannot be used.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Cannot be opened, made or written where it is.
        case unusable
        /// What is there is not what was written: SQLite's `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
        case corrupt
        /// Written by a later version of this program.
        case tooNew
        /// The file system does not keep the promise: `synchronous` does not read back as FULL.
        case notDurable
    }

    package let code: Code
    /// What, on what, why: one clause for people.
    package let message: String
    /// What to do next.
    package let hint: String?

    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    package var description: String { message }
}
