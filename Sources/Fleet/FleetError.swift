// SPDX-License-Identifier: Apache-2.0

package import PostgreSQL

/// The reason for which a fleet's database did not do what a host asked.
package enum FleetError: Error, Equatable {
    /// The session has ended, another one has taken what it held, or another server has replaced the one on which it
    /// began: nothing that the session writes counts any more.
    case fenced
    /// The session does not hold a partition that it named.
    case notHolder
    /// The session whose partitions were to be taken lives.
    case holderAlive
    /// Program and database know different schemas; the text says which.
    case otherSchema(String)
    /// A host of that name is a member already.
    case nameTaken(String)
    /// No host of that name lives.
    case noMember(String)
    /// A host cannot be drained, because no other would take what it gives back.
    case lastHost(String)
    /// The connection runs its transactions at a level at which the fence would not hold.
    case isolation
    /// The role that owns the schema could be taken by somebody.
    case ownerLogsIn(String)
    /// The database has no schema of a fleet.
    case noFleet
    /// The server was replaced by another, which this process has reached before, and does not know it.
    case replaced
    /// The server is not the one, nor a copy of the one, that this process has reached before.
    case otherServer
    case database(DatabaseError)

    init(_ error: DatabaseError) {
        guard case .refused(let state, let message) = error else {
            self = .database(error)
            return
        }
        switch state {
        case "NB001": self = .fenced
        case "NB002": self = .notHolder
        case "NB003": self = .holderAlive
        case "NB005": self = .otherSchema(message)
        case "NB006": self = .isolation
        case "NB008": self = .ownerLogsIn(message)
        case "NB009": self = .noMember(message)
        case "NB010": self = .lastHost(message)
        case "3F000": self = .noFleet
        case "NB007": self = .nameTaken(message)
        default: self = .database(error)
        }
    }

    /// A sentence without its full stop, for people: what went wrong.
    package var message: String {
        switch self {
        case .fenced: "this session is over: another one has what it held, or another server is the primary"
        case .notHolder: "this session does not hold that partition"
        case .holderAlive: "the session that holds the partitions is alive"
        case .otherSchema(let text), .nameTaken(let text), .ownerLogsIn(let text), .noMember(let text),
            .lastHost(let text):
            text
        case .isolation: "transactions of this connection are not READ COMMITTED, which the fence needs"
        case .noFleet: "there is no fleet in it"
        case .replaced: "the fleet's server was replaced by another and does not know it"
        case .otherServer: "the fleet's server is not the one that was there before, nor a copy of it"
        case .database(let error): error.message
        }
    }

    /// The next step for an operator, as an imperative clause.
    package var nextStep: String {
        switch self {
        case .fenced: "let the host join again, as it does by itself"
        case .notHolder, .holderAlive: "wait for the next beat, which says who holds what"
        case .otherSchema: "start a version of the program that knows the database's schema"
        case .nameTaken: "give each host a name of its own with `host`"
        case .noMember: "\"extension-host fleet status\" tells which hosts there are"
        case .lastHost: "start another host first, or stop this one: what is accepted then waits"
        case .isolation: "leave default_transaction_isolation at read committed for the host's role"
        case .ownerLogsIn: "give the role another name, and its hosts roles such as web1"
        case .noFleet: "make one with \"extension-host fleet init\""
        case .replaced: "stop it, or have it follow the other; the host looks for that one among the servers it knows"
        case .otherServer: "name the fleet's own servers, or start the host again if this one was restored from a copy"
        case .database(let error): error.nextStep
        }
    }
}
