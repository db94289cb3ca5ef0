// SPDX-License-Identifier: Apache-2.0

/// The reason for which the journal did nothing.
package enum JournalError: Error, Equatable {
    /// `SQLITE_FULL`, an I/O error, a read-only disk: may pass.
    case disk(String)
    /// Another process holds the database.
    case locked
    /// The stored data is not what was written; only a person can help.
    case corrupt(String)
    /// A database on another machine did not do what it was asked: what, and what a person can do.
    case database(String, hint: String)
}

extension JournalError: CustomStringConvertible {
    /// The case and its reason, as logs have them; what helps is `nextStep`.
    package var description: String {
        switch self {
        case .disk(let reason): "disk(\(reason.debugDescription))"
        case .locked: "locked"
        case .corrupt(let reason): "corrupt(\(reason.debugDescription))"
        case .database(let reason, _): reason
        }
    }

    /// The next step for an operator, as an imperative clause for messages.
    package var nextStep: String {
        switch self {
        case .disk: "see that its disk can be written and has room"
        case .locked: "end whatever else has journal.sqlite open"
        case .corrupt:
            "stop the host, keep a copy of journal.sqlite and check the disk; moved away, a new one is made"
        case .database(_, let hint): hint
        }
    }
}
