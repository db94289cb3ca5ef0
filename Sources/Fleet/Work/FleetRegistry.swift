// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking

/// The device tokens of a fleet, and the facts of its server, as a host that serves asks for them.
package final class FleetRegistry: Sendable {
    /// Tokens in one call.
    private static let atOnce = 10_000
    /// The age at which dead letters are dropped, which is that of a host alone.
    private static let deadAge = Duration.seconds(30 * 24 * 3600)
    /// The pause between two counts of dead letters.
    private static let countPause = Duration.seconds(60)
    private static let prunePause = Duration.seconds(3600)
    private let line: FleetLine
    private let dead = Locked<[String: Int]>([:])
    private let thread = SerialWork(name: "fleet.registry")

    /// Connects when it is first asked; `connect` makes a connection, on a thread that may block.
    package init(connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase) {
        line = FleetLine(connect)
    }

    package func close() { line.close() }

    package func facts() async throws(FleetError) -> FleetFacts {
        try await ask { database throws(FleetError) in try database.facts() }
    }

    /// Tells the database the tokens of a host's configuration, and returns what it knows of each.
    package func configure(_ tokens: [OfferedToken]) async throws(FleetError) -> [TokenVerdict] {
        try await ask { database throws(FleetError) in
            var verdicts: [TokenVerdict] = []
            for start in stride(from: 0, to: tokens.count, by: Self.atOnce) {
                let some = Array(tokens[start..<min(start + Self.atOnce, tokens.count)])
                verdicts += try database.operations.addTokens(some, origin: .configured)
            }
            return verdicts
        }
    }

    /// Removes a token; false if it was not active.
    package func remove(_ token: String) async throws(FleetError) -> Bool {
        do throws(FleetError) {
            return try await ask { database throws(FleetError) in try database.operations.removeToken(token) }
        } catch .database {
            // The connection may have lain idle for an hour; a second removal does nothing.
            return try await ask { database throws(FleetError) in try database.operations.removeToken(token) }
        }
    }

    /// The records for a sink that all hosts gave up and the database keeps, as they were a minute ago.
    package func deadCount(of sink: String) -> Int { dead.withLock { $0[sink] ?? 0 } }

    /// Counts dead letters each minute, and has the database forget, once an hour, tokens that were removed and records
    /// that were given up long ago.
    ///
    /// Returns when the task is cancelled.
    package func keepUp(clock: HostClock) async {
        var nextPruning = clock.now + Self.prunePause
        repeat {
            // Whatever keeps it from that is said by those who need an answer.
            let counts = try? await ask { database throws(FleetError) in try database.operations.deadCounts() }
            if let counts { dead.withLock { $0 = counts } }
            guard clock.now >= nextPruning else { continue }
            nextPruning = clock.now + Self.prunePause
            // So many at a time that no call is long; what is left has its turn in an hour.
            for _ in 0..<100 {
                let count = try? await ask { database throws(FleetError) in
                    let tokens = try database.operations.pruneTokens(limit: 1_000)
                    return tokens
                        + (try database.operations.dropDead(of: nil, named: nil, olderThan: Self.deadAge, limit: 1_000))
                }
                guard let count, count > 0 else { break }
            }
        } while (try? await clock.sleep(until: clock.now + Self.countPause)) != nil
    }

    private func ask<Value: Sendable>(
        _ body: @escaping @Sendable (FleetDatabase) throws(FleetError) -> Value
    ) async throws(FleetError) -> Value {
        let result = await thread.result { [line] in
            Result { () throws(FleetError) in try line.call(body) }
        }
        return try result.get()
    }
}
