// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking

/// Stores pushes for all hosts of a fleet; whoever holds their partitions reads them.
///
/// Needs no session and holds nothing: a host that is cut off from its partitions accepts all the same, as long as the
/// database answers.
package final class FleetIntake: PushWriting {
    private struct State {
        var count: Int64 = 0
        /// True from a call that failed until one has gone through.
        var isFailing = false
        var door = FleetDoor()
        var nextLook = Duration.zero
    }

    /// The pause between two looks at what the holders of partitions have too much of.
    private static let lookPause = Duration.seconds(1)

    /// The head of the names that this process gives: 16 hex digits, random.
    private let run: String
    private let line: FleetLine
    private let state = Locked(State())
    private let outbox: any Outbox
    private let clock: HostClock
    private let stored: @Sendable ([PushPlace]) -> Void

    /// Makes an intake.
    ///
    /// `outbox` says to which remote sinks a topic's records go; `stored` hears where pushes wait now.
    init(
        outbox: any Outbox,
        clock: HostClock,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase,
        stored: @escaping @Sendable ([PushPlace]) -> Void
    ) {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        run = String(repeating: "0", count: 16 - digits.count) + digits
        line = FleetLine(connect)
        self.outbox = outbox
        self.clock = clock
        self.stored = stored
    }

    func close() { line.close() }

    package func commit(
        _ work: JournalWork,
        admit: (IncomingPush) -> Bool
    ) throws(JournalError) -> [Arrival] {
        var arrivals = work.arrivals.map { _ in Arrival.turnedAway }
        let door = work.arrivals.isEmpty ? FleetDoor() : try look()
        let admitted = work.arrivals.indices.filter { index in
            if door.hasRoom(for: work.arrivals[index], sinks: outbox.sinks) { return admit(work.arrivals[index]) }
            arrivals[index] = .noRoom
            return false
        }
        guard !admitted.isEmpty else { return arrivals }
        let first = state.withLock { state in
            state.count += Int64(admitted.count)
            return state.count - Int64(admitted.count)
        }
        let offered = admitted.enumerated().map { index, place in
            OfferedPush(work.arrivals[place], name: DeliveryName(store: run, count: first + Int64(index) + 1))
        }
        let verdicts = try accept(offered)
        var places: [PushPlace] = []
        for (index, verdict) in zip(admitted, verdicts) {
            arrivals[index] = Arrival(verdict)
            guard case .stored(let place) = verdict else { continue }
            places.append(PushPlace(Partition(token: work.arrivals[index].deviceToken), place))
        }
        if !places.isEmpty { stored(places) }
        return arrivals
    }

    /// Returns what the holders have too much of, a second old at most.
    private func look() throws(JournalError) -> FleetDoor {
        let now = clock.now
        if let door = state.withLock({ now < $0.nextLook ? $0.door : nil }) { return door }
        let door = try call { database throws(FleetError) in try database.pressure() }
        state.withLock { ($0.door, $0.nextLook) = (door, now + Self.lookPause) }
        return door
    }

    private func accept(_ pushes: [OfferedPush]) throws(JournalError) -> [IntakeVerdict] {
        let verdicts = try call { database throws(FleetError) in try database.accept(pushes) }
        state.withLock { $0.isFailing = false }
        return verdicts
    }

    private func call<Value>(
        _ body: (FleetDatabase) throws(FleetError) -> Value
    ) throws(JournalError) -> Value {
        do throws(FleetError) {
            return try line.call(body)
        } catch {
            state.withLock { $0.isFailing = true }
            throw JournalError(error)
        }
    }

    /// Offers nothing after a failure, which waits for the standby as a push does.
    package func maintain() throws(JournalError) -> Bool {
        if state.withLock(\.isFailing) { _ = try accept([]) }
        return false
    }
}

extension Arrival {
    fileprivate init(_ verdict: IntakeVerdict) {
        switch verdict {
        case .stored: self = .accepted
        case .unknownToken: self = .badToken(.unknown)
        case .removedToken(let date): self = .badToken(.removed(at: date))
        case .tokenOfAnotherApp: self = .badToken(.ofAnotherApp)
        case .tokenOfAnotherEnvironment: self = .badToken(.ofAnotherEnvironment)
        }
    }
}
