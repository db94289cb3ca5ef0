// SPDX-License-Identifier: Apache-2.0

/// The reason for which a call to the database has no result.
package enum DatabaseError: Error, Equatable {
    /// The client library is not on this machine, or is not the one that is known.
    case noLibrary(String)
    /// No connection could be made; nothing was asked.
    case unreachable(String)
    /// The server refused the call and did nothing of it.
    case refused(state: SQLState, message: String)
    /// The call was sent and its answer did not come: it is done, or not, or will be.
    case unanswered(String)
    /// The call is done on this server, and perhaps on no other: what was promised to be on two machines is not.
    ///
    /// The server says so with a warning and answers that all is well, when somebody cancels its wait for the standby.
    case onOneMachine
    /// An answer has another form than was asked for.
    case malformed(String)
}

/// Five characters that say what kind of error it is.
///
/// Source: PostgreSQL 15, "PostgreSQL Error Codes".
package struct SQLState: Hashable, Sendable, ExpressibleByStringLiteral {
    package let code: String

    package init(_ code: String) { self.code = code }

    package init(stringLiteral code: String) { self.code = code }

    package static let lockNotAvailable: SQLState = "55P03"
    package static let deadlockDetected: SQLState = "40P01"
    package static let insufficientPrivilege: SQLState = "42501"
    package static let uniqueViolation: SQLState = "23505"
    package static let undefinedTable: SQLState = "42P01"
    package static let undefinedFunction: SQLState = "42883"
    package static let readOnlyTransaction: SQLState = "25006"
    package static let undefinedObject: SQLState = "42704"
    package static let diskFull: SQLState = "53100"
}

extension DatabaseError {
    /// True if the server did nothing of the call.
    package var isRefusal: Bool { if case .refused = self { true } else { false } }

    /// A sentence without its full stop, for people: what went wrong.
    package var message: String {
        switch self {
        case .noLibrary(let reason): "PostgreSQL's client library is not there: \(reason)"
        case .unreachable(let reason): "the database cannot be reached: \(reason)"
        case .refused(let state, let message): "the database refused: \(message) (\(state.code))"
        case .unanswered(let reason): "the database did not answer: \(reason)"
        case .onOneMachine: "the database gave up waiting for its standby: what it wrote is on one machine only"
        case .malformed(let reason): "the database answered something else than was asked: \(reason)"
        }
    }

    /// The next step for an operator, as an imperative clause.
    package var nextStep: String {
        switch self {
        case .noLibrary: "install libpq5"
        case .unreachable:
            "see that the server runs and that its address, name and rights are those of the connection string"
        case .refused(.diskFull, _): "make room on the database's disk"
        case .refused(.readOnlyTransaction, _): "name the primary, or add target_session_attrs=read-write"
        case .refused(.insufficientPrivilege, _):
            "let the role in with \"extension-host fleet init --role\", or run that command as a superuser"
        case .refused(.undefinedObject, _): "make the role first: CREATE ROLE web1 LOGIN"
        case .refused(.undefinedFunction, _), .refused(.undefinedTable, _):
            "see that this is the right database, and that its schema is there"
        case .refused: "look into the server's log"
        case .unanswered: "look at the server's load, its standby and the network between"
        case .onOneMachine: "see that a standby is connected"
        case .malformed: "see that the database's schema is of this version"
        }
    }
}
