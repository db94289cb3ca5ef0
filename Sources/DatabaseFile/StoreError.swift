// SPDX-License-Identifier: Apache-2.0

/// The reason for which a folder or file with the host's state cannot be used.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Cannot be opened, made or written where it is.
        case unusable
        /// The content is not what was written: SQLite's `SQLITE_CORRUPT` and `SQLITE_NOTADB`.
        case corrupt
        /// Written by a later version of this program.
        case tooNew
        /// The file system does not keep the promise: `synchronous` does not read back as FULL.
        case notDurable
    }

    package let code: Code
    /// One clause for people: what failed, on what, and the reason.
    package let message: String
    /// Advice on what to do next; `nil` if there is none.
    package let hint: String?

    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    package var description: String { message }
}
