// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
internal import Logging

/// The pushes of the fleet that a session holds, and the writing of their ends.
///
/// A push that is not in hand does not end here, nor a record that is not planned: it belongs to a session that is
/// over, or has ended before. A write that the database refuses to a fenced session counts as done, since whoever took
/// over does the work again; the membership hears of it.
package final class FleetLedger: PushLedger {
    private struct State {
        var session: FleetSession?
        var shelf = WaitingShelf()
        var repeats = RepeatMemory()
        /// True from a write that failed until one has gone through.
        var isFailing = false
        var nextPruning: Duration = .zero
        /// The first partition that is to be pruned next.
        var firstToPrune = Int16.min
        /// True from a pruning that failed until one has gone through.
        var isPruningFailing = false
        var nextTurn: Duration
    }

    /// The time for which a repeat is known.
    private static let memory = Duration.seconds(24 * 3600)
    /// The time for which an opened envelope is known after it has expired; clocks of hosts may differ.
    private static let tolerance = Duration.seconds(300)
    /// Some partitions are pruned at a time, so many rows of each: all of 1,024 have their turn in three minutes.
    private static let pruningPause = Duration.seconds(10)
    private static let prunedAtOnce = 64
    private static let prunedOfEach: Int32 = 100

    /// The records of what has ended.
    let records: FleetRecords
    /// The envelopes that are opened for what is in hand.
    let openings: FleetOpenings
    private let limits: QueueLimits
    private let writing: FleetLine
    private let clock: HostClock
    private let logger: Logger
    private let state: Locked<State>
    private let fenced: @Sendable (FleetSession) -> Void

    /// Makes a ledger that holds nothing; `fenced` hears of a session that may not write any more.
    init(
        records: FleetRecords,
        openings: FleetOpenings,
        limits: QueueLimits = QueueLimits(),
        clock: HostClock,
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase,
        fenced: @escaping @Sendable (FleetSession) -> Void
    ) {
        self.records = records
        self.openings = openings
        self.limits = limits
        writing = FleetLine(connect)
        self.clock = clock
        self.logger = logger
        self.fenced = fenced
        state = Locked(State(nextTurn: clock.now + Self.memory / 2))
    }

    /// Pushes that are in hand: loaded and not ended.
    package var count: Int { state.withLock { $0.shelf.inHandCount } }

    /// Pushes that were read and have not ended.
    package var waiting: WaitingPushes { state.withLock { $0.shelf.waiting } }

    /// Everything that the session has too much of: pushes that wait, and records for remote sinks.
    var pressure: Set<Pressure> {
        let sinks = records.fullSinks(records: limits.pushes, byteCount: limits.byteCount)
        return Pressure.said(state.withLock { $0.shelf.pressure(limits) }.union(sinks.map(Pressure.sink)))
    }

    /// Closes the connections, those of records too; calls make new ones.
    func close() {
        writing.close()
        records.close()
        openings.close()
    }

    // MARK: What is held

    func hold(_ holdings: [FleetSnapshot.Holding], as session: FleetSession) {
        state.withLock { state in
            state.session = session
            state.shelf.hold(holdings)
        }
        records.serve(holdings.map(\.part), as: session)
        openings.serve(as: session)
    }

    /// Gives nothing of a partition any more, and forgets what waits of it.
    func stop(_ part: Partition) {
        state.withLock { state in
            state.shelf.stop(part)
            state.repeats.forget(part)
        }
        records.forget(part)
    }

    /// Returns when nothing of a stopped partition is in hand; its opened envelopes are known until then.
    func quiet(_ part: Partition) async {
        await withCheckedContinuation { caller in
            if !state.withLock({ $0.shelf.wait(for: part, caller) }) { caller.resume() }
        }
        openings.forget(part)
    }

    /// Lets pushes go that do not start.
    func letGo(_ pushes: [IncomingPush]) {
        let quiet = state.withLock { $0.shelf.letGo(pushes.compactMap(\.number)) }
        for caller in quiet { caller.resume() }
    }

    /// Forgets everything; whoever waits for a partition to be quiet goes on.
    func clear() {
        let quiet = state.withLock { state in
            state.session = nil
            state.repeats = RepeatMemory()
            return state.shelf.clear()
        }
        records.clear()
        openings.clear()
        for caller in quiet { caller.resume() }
    }

    /// Reads and changes what is held, for as long as the session is the one that was asked for.
    func change<Value>(
        _ session: FleetSession,
        _ body: (inout WaitingShelf, inout RepeatMemory) -> Value
    ) -> Value? {
        state.withLock { state in
            guard state.session == session else { return nil }
            return body(&state.shelf, &state.repeats)
        }
    }

    var session: FleetSession? { state.withLock(\.session) }

    // MARK: Loading

    package func delivery(of number: Int64) -> DeliveryName? { state.withLock { $0.shelf.name(of: number) } }

    /// The next pushes of a topic, from memory; `number` says nothing, because each is given once.
    package func pushes(of topic: String, after number: Int64, limit: Int) throws(JournalError) -> [IncomingPush] {
        state.withLock { $0.shelf.next(of: topic, limit: limit) }
    }

    // MARK: Ends

    package func commit(
        _ work: JournalWork,
        admit: (IncomingPush) -> Bool
    ) throws(JournalError) -> [Arrival] {
        guard let session else { return work.arrivals.map { _ in .turnedAway } }
        try write(session) { () throws(FleetError) in
            try conclude(work.conclusions, as: session)
            try settle(work.settlements, as: session)
        }
        return work.arrivals.map { _ in .turnedAway }
    }

    private func conclude(_ conclusions: [Conclusion], as session: FleetSession) throws(FleetError) {
        let known = state.withLock { state in
            conclusions.compactMap { conclusion in
                state.shelf.place(of: conclusion.number).flatMap { place in
                    state.shelf.name(of: conclusion.number).map { (conclusion, place, $0) }
                }
            }
        }
        guard !known.isEmpty else { return }
        var waiting: [FleetRecords.Waiting] = []
        let ends = known.map { conclusion, place, name in
            let sealed = conclusion.sinks.map { sink in
                FleetConclusion.SinkRecord(
                    sink: sink,
                    record: records.seal(conclusion.record ?? [], of: name, for: sink)
                )
            }
            for record in sealed {
                let head = OutboxPlan.Head(place: place, byteCount: record.record.count, attempts: 0, due: .zero)
                waiting.append(.init(head: head, sink: record.sink, token: conclusion.deviceToken))
            }
            return FleetConclusion(place: place, records: sealed)
        }
        _ = try writing.call { database throws(FleetError) in try database.conclude(ends, as: session) }
        records.add(waiting, as: session)
        let quiet = state.withLock { state in
            state.session == session ? state.shelf.letGo(ends.map(\.place.number)) : []
        }
        for caller in quiet { caller.resume() }
    }

    private func settle(_ settlements: [Settlement], as session: FleetSession) throws(FleetError) {
        var known = records.planned(settlements)
        while true {
            guard !known.isEmpty else { return }
            let ends = known.map { settlement, place in
                FleetSettlement(
                    place: place,
                    sink: settlement.sink,
                    verdict: FleetSettlement.Verdict(settlement.verdict)
                )
            }
            do throws(FleetError) {
                try writing.call { database throws(FleetError) in try database.settle(ends, as: session) }
                break
            } catch {
                // A partition that was given back meanwhile is in the plan no more: its next holder sends again.
                let rest = records.planned(settlements)
                guard error == .notHolder, rest.count < known.count else { throw error }
                known = rest
            }
        }
        records.settled(known.map(\.0), as: session)
    }

    /// Runs writes of a session; what is refused because the session is over counts as done.
    private func write(_ session: FleetSession, _ body: () throws(FleetError) -> Void) throws(JournalError) {
        do throws(FleetError) {
            try body()
            state.withLock { $0.isFailing = false }
        } catch .fenced, .notHolder {
            fenced(session)
        } catch {
            state.withLock { $0.isFailing = true }
            throw JournalError(error)
        }
    }

    // MARK: Upkeep

    /// Forgets what is too old to be asked for; after a failure writes something, to see that it can be done.
    package func maintain() throws(JournalError) -> Bool {
        let now = clock.now
        let (session, parts, isFailing, isDue) = state.withLock { state in
            if now >= state.nextTurn {
                state.repeats.turn()
                state.nextTurn = now + Self.memory / 2
            }
            return (state.session, state.shelf.open, state.isFailing, now >= state.nextPruning)
        }
        guard let session else { return false }
        openings.prune()
        if isFailing {
            try write(session) { () throws(FleetError) in
                try writing.call { database throws(FleetError) in try database.remember([], as: session) }
            }
        }
        return isDue && prune(parts, as: session, now: now)
    }

    /// Forgets what is too old in some partitions; true if they may have more.
    ///
    /// An error puts it off, and is logged once until it goes well: nobody waits for it.
    private func prune(_ parts: [Partition], as session: FleetSession, now: Duration) -> Bool {
        let first = state.withLock(\.firstToPrune)
        let rest = parts.drop { $0.number < first }
        let some = Array((rest.isEmpty ? parts[...] : rest).prefix(Self.prunedAtOnce))
        var count = 0
        var failure: FleetError?
        do throws(FleetError) {
            if !some.isEmpty {
                count = try writing.call { database throws(FleetError) in
                    try database.prune(
                        some,
                        age: Self.memory,
                        expired: Self.tolerance,
                        each: Self.prunedOfEach,
                        as: session
                    )
                }
            }
        } catch .fenced, .notHolder {
            // The session hears of it elsewhere, or a partition was given back meanwhile.
        } catch {
            failure = error
        }
        let isMore = count >= Int(Self.prunedOfEach)
        let isNews = state.withLock { state in
            defer { state.isPruningFailing = failure != nil }
            if !isMore {
                state.firstToPrune = (some.last?.number ?? Int16.max - 1) + 1
                state.nextPruning = now + Self.pruningPause
            }
            return failure != nil && !state.isPruningFailing
        }
        if let failure, isNews {
            logger.error(
                "what is too old stays in the fleet's database",
                metadata: ["error": "\(failure.message)", "hint": "\(failure.nextStep)"]
            )
        }
        return isMore
    }
}

extension FleetSettlement.Verdict {
    fileprivate init(_ verdict: Settlement.Verdict) {
        switch verdict {
        case .delivered: self = .taken
        case .retry(let wait, _): self = .again(after: wait)
        case .dead(let reason): self = .givenUp(reason: reason)
        }
    }
}

extension JournalError {
    init(_ error: FleetError) {
        self = .database(error.message, hint: error.nextStep)
    }
}
