// SPDX-License-Identifier: Apache-2.0

private import Locking
private import PostgreSQL

/// The servers that a connection string names, of which one is the primary.
///
/// libpq takes the first that can be written to. A primary that was replaced and does not know it can be, but accepts
/// nothing, for its standbys follow another. So after a call without an answer connections begin with the next server,
/// and none is made or kept to one that is behind a promotion that this process knows of. Such a server still answers
/// whoever reads, and knows nothing of what the other was told.
package final class FleetServers: Sendable {
    private struct State {
        /// The server with which connections begin.
        var first = 0
        /// The number of connections that were made.
        var made = 0
        /// The number of promotions before the newest server that was reached, and one more.
        var timeline: Int32 = 0
        /// The identifier of the database's files, which copies share.
        var system: Int64?
    }

    private let conninfo: String
    private let patience: Duration
    private let count: Int
    private let state = Locked(State())

    /// Connects to nothing yet; calls over its connections wait for `patience`.
    package init(_ conninfo: String, patience: Duration = .seconds(2)) {
        self.conninfo = conninfo
        self.patience = patience
        count = ConnectionString(conninfo)?.serverCount ?? 1
    }

    /// Connects to the primary, as far as this process can tell which one that is.
    ///
    /// - Throws: `FleetError.replaced`: each server that can be written to was replaced by one that is not reached.
    ///   `otherServer`: the database is another one. Otherwise what libpq says, or that there is no fleet.
    package func connect() throws(FleetError) -> FleetDatabase {
        let (first, made) = state.withLock { ($0.first, $0.made) }
        var fault: FleetError?
        for index in 0..<count {
            let place = (first + index) % count
            do throws(FleetError) {
                return try connect(beginningWith: place)
            } catch {
                // libpq asks no further server after one that hangs up on it; the next call does. Another connection
                // that was made meanwhile knows better.
                state.withLock { if $0.made == made { lost(place, &$0) } }
                guard error == .replaced || fault == .replaced else { throw error }
                fault = .replaced
            }
        }
        throw fault ?? .replaced
    }

    private func connect(beginningWith place: Int) throws(FleetError) -> FleetDatabase {
        let database = try FleetDatabase(conninfo, patience: patience, beginningWith: place)
        // libpq has gone on to another one if that was not to be had.
        let server = database.server
        database.lost = { [weak self] in
            guard let self else { return }
            state.withLock { self.lost(server, &$0) }
        }
        let facts = try database.facts()
        if let fault = state.withLock({ Self.judge(facts, at: server, &$0) }) {
            database.close()
            throw fault
        }
        database.timeline = facts.timeline
        database.isReplaced = { [weak self] in self?.isReplaced(facts.timeline) ?? false }
        return database
    }

    private func isReplaced(_ timeline: Int32) -> Bool { state.withLock { timeline < $0.timeline } }

    private static func judge(_ facts: FleetFacts, at place: Int, _ state: inout State) -> FleetError? {
        if let system = state.system, system != facts.system { return .otherServer }
        if facts.timeline < state.timeline { return .replaced }
        (state.system, state.timeline, state.first) = (facts.system, facts.timeline, place)
        state.made += 1
        return nil
    }

    private func lost(_ place: Int, _ state: inout State) {
        // Others may have found a better one since.
        if state.first == place { state.first = (place + 1) % count }
    }
}
