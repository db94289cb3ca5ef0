// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The sums of a store, which each commit brings up to date without counting anew.
package struct CenterStatistics: Sendable, Equatable {
    /// Notifications in the lists of all owners.
    package let stored: Int
    /// Contents of lists and histories, in bytes.
    package let byteCount: Int
    /// Requests that wait for their triggers.
    package let pending: Int
    /// Bytes of the log that are not in the database yet.
    package let logByteCount: Int
    /// A transaction failed, and none has succeeded since; maintenance tries one each second.
    package let isFailing: Bool

    init(_ books: CenterBooks) {
        stored = Int(books.accounts.totals.stored)
        byteCount = Int(books.accounts.totals.bytes)
        pending = Int(books.requests.count)
        logByteCount = books.tables.logByteCount
        isFailing = books.hasFailed
    }
}

/// The news of maintenance: what it did that somebody may watch for.
package struct Upkeep: Sendable, Equatable {
    /// Responses that were given up; of very many, the latest.
    package var expired: [ExpiredResponse] = []
    /// Owners of whom notifications went by retention: their watchers read on.
    package var owners: Set<OwnerName> = []
    /// The number of those notifications.
    package var removed = 0
    /// Owners of whose history something went: who shows the history reads it again.
    package var forgetful: Set<OwnerName> = []
}
