// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Locking
internal import Logging

/// Reads what waits in the partitions that a session holds, in order, and has the queue load it.
///
/// A partition is opened first: the keys of what was concluded in it come into memory, and the records that wait for
/// sinks. Then it is read from its beginning. All partitions are read every 200 ms; those of which somebody says that
/// there is news at once, at most every 2 ms. A push that is known is a repeat, and ends without a record.
package final class FleetReader: PartitionWork {
    private struct State {
        /// The last place of each partition at which news is said to be, until it is read.
        var news: [Partition: Int64] = [:]
        /// Repeats that have been read and are still to be ended.
        var repeats: [PushPlace] = []
        var isFailing = false
    }

    /// The pause between two readings of everything.
    package static let pause = Duration.milliseconds(200)
    /// The pause between two readings of what is news.
    private static let shortPause = Duration.milliseconds(2)
    private static let failurePause = Duration.seconds(1)
    private static let keysAtOnce: Int32 = 50_000
    private static let headsAtOnce: Int32 = 10_000
    private static let pushesAtOnce = 4_096

    private let ledger: FleetLedger
    private let queue: PushQueue
    private let line: FleetLine
    private let clock: HostClock
    private let logger: Logger
    private let fenced: @Sendable (FleetSession) -> Void
    private let recordsFound: @Sendable () -> Void
    private let thread = SerialWork(name: "fleet.reader")
    private let state = Locked(State())
    private let signal = Signal()

    /// Makes a reader for a ledger and the queue over it; `recordsFound` hears that records wait for sinks.
    init(
        ledger: FleetLedger,
        queue: PushQueue,
        clock: HostClock,
        logger: Logger,
        connect: @escaping @Sendable () throws(FleetError) -> FleetDatabase,
        fenced: @escaping @Sendable (FleetSession) -> Void,
        recordsFound: @escaping @Sendable () -> Void
    ) {
        self.ledger = ledger
        self.queue = queue
        self.clock = clock
        self.logger = logger
        self.fenced = fenced
        self.recordsFound = recordsFound
        line = FleetLine(connect)
    }

    // MARK: Work on partitions

    package func begin(_ parts: [FleetSnapshot.Holding], as session: FleetSession) {
        ledger.hold(parts, as: session)
        signal.raise()
    }

    package func stop(_ part: Partition) async {
        ledger.stop(part)
        ledger.letGo(queue.release(part.number))
        await ledger.quiet(part)
    }

    package func end() async {
        ledger.clear()
        state.withLock { ($0.news, $0.repeats) = ([:], []) }
        await queue.cutOff()
    }

    /// Hears that pushes wait at these places; those of partitions that are held elsewhere are nothing to this host.
    package func poke(_ places: [PushPlace]) {
        state.withLock { state in
            for place in places { state.news[place.part] = max(state.news[place.part] ?? 0, place.number) }
        }
        signal.raise()
    }

    // MARK: Reading

    /// Reads until the task is cancelled.
    package func run() async {
        var nextOfAll = clock.now
        while !Task.isCancelled {
            let start = clock.now
            let isOfAll = start >= nextOfAll
            if isOfAll { nextOfAll = start + Self.pause }
            let news = state.withLock { isOfAll ? nil : Set($0.news.keys) }
            let goesOn = await round(of: news)
            switch goesOn {
            case nil: await clock.sleep(until: clock.now + Self.failurePause, orUntil: Signal())
            case true?: continue
            case false?:
                // News that could not be read yet waits for an older transaction somewhere to end.
                let isNewsLeft = state.withLock { !$0.news.isEmpty }
                if !isNewsLeft { await clock.sleep(until: nextOfAll, orUntil: signal) }
                try? await clock.sleep(until: min(nextOfAll, start + Self.shortPause))
            }
        }
        line.close()
    }

    /// Reads once: some partitions, or all; true: there is more at once, nil: the database did not answer.
    private func round(of parts: Set<Partition>?) async -> Bool? {
        guard let session = ledger.session else { return false }
        let result = await thread.result { [self] in
            Result { () throws(FleetError) in
                try line.call { database throws(FleetError) in
                    try open(database, session)
                    let isMore = try read(database, session, of: parts)
                    try endRepeats(database, session)
                    try fetch(database, session)
                    return isMore
                }
            }
        }
        switch result {
        case .success(let isMore):
            note(nil)
            return isMore
        case .failure(.fenced):
            fenced(session)
            return nil
        // A partition was given back between the question and the answer.
        case .failure(.notHolder): return false
        case .failure(let error):
            note(error)
            return nil
        }
    }

    private func note(_ error: FleetError?) {
        let hasChanged = state.withLock { state in
            defer { state.isFailing = error != nil }
            return state.isFailing != (error != nil)
        }
        guard hasChanged else { return }
        if let error {
            logger.error(
                "what waits in the fleet cannot be read",
                metadata: ["error": "\(error.message)", "hint": "\(error.nextStep)"]
            )
        } else {
            logger.notice("what waits in the fleet is read again")
        }
    }

    /// Opens partitions that were begun: what is known of their past comes into memory.
    private func open(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) {
        let parts = ledger.change(session) { shelf, _ in shelf.closed } ?? []
        guard !parts.isEmpty else { return }
        var before = Int64.max
        while true {
            let keys = try database.seen(in: parts, before: before, limit: Self.keysAtOnce, as: session)
            _ = ledger.change(session) { shelf, repeats in
                for (place, keys) in keys where shelf.isServed(place.part) { repeats.note(keys, in: place.part) }
            }
            guard keys.count == Self.keysAtOnce, let last = keys.last else { break }
            before = last.place.number
        }
        try plan(parts, database, session)
        _ = ledger.change(session) { shelf, _ in shelf.open(parts) }
    }

    private func plan(
        _ parts: [Partition],
        _ database: FleetDatabase,
        _ session: FleetSession
    ) throws(FleetError) {
        var last: (place: Int64, sink: String) = (-1, "")
        var isAny = false
        while true {
            let heads = try database.outbox(
                of: parts,
                after: last.place,
                last.sink,
                limit: Self.headsAtOnce,
                as: session
            )
            let now = clock.now
            ledger.records.add(
                heads.map { head in
                    let planned = OutboxPlan.Head(
                        place: head.place,
                        byteCount: head.byteCount,
                        attempts: head.attempts,
                        due: head.dueIn > .zero ? now + head.dueIn : .zero
                    )
                    return FleetRecords.Waiting(head: planned, sink: head.sink, token: head.token)
                },
                as: session
            )
            isAny = isAny || !heads.isEmpty
            guard heads.count == Self.headsAtOnce, let end = heads.last else { break }
            last = (end.place.number, end.sink)
        }
        if isAny { recordsFound() }
    }

    /// Reads what is new, ends repeats, and has the queue load the rest.
    private func read(
        _ database: FleetDatabase,
        _ session: FleetSession,
        of parts: Set<Partition>?
    ) throws(FleetError) -> Bool {
        let cursors = ledger.change(session) { shelf, _ in shelf.cursors(of: parts) } ?? []
        guard !cursors.isEmpty else {
            forgetNews(session)
            return false
        }
        let each = max(8, min(256, Self.pushesAtOnce / cursors.count))
        let rows = try database.waiting(in: cursors, each: Int32(each), as: session)
        var repeats: [PushPlace] = []
        let topics = ledger.change(session) { shelf, memory in
            shelf.take(rows) { row in
                guard memory.isRepeat(row.keys, in: row.part) else { return false }
                repeats.append(PushPlace(row.part, row.place))
                return true
            }
        }
        state.withLock { $0.repeats += repeats }
        forgetNews(session)
        if let topics, !topics.isEmpty { queue.announce(topics) }
        var counts: [Partition: Int] = [:]
        for row in rows { counts[row.part, default: 0] += 1 }
        return counts.values.contains(each)
    }

    /// Forgets news that has been read, and that of partitions which are not held.
    private func forgetNews(_ session: FleetSession) {
        let news = state.withLock(\.news)
        let read = ledger.change(session) { shelf, _ in news.filter { !shelf.isUnread(PushPlace($0, $1)) } } ?? news
        state.withLock { state in
            for (part, place) in read where state.news[part] == place { state.news[part] = nil }
        }
    }

    /// Ends repeats that were read, if their partitions are held: a repeat leaves no record.
    private func endRepeats(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) {
        let held = Set(ledger.change(session) { shelf, _ in shelf.open } ?? [])
        let repeats = state.withLock { state in
            state.repeats.removeAll { !held.contains($0.part) }
            return state.repeats
        }
        guard !repeats.isEmpty else { return }
        _ = try database.conclude(repeats.map { FleetConclusion(place: $0, isRepeat: true) }, as: session)
        let ended = Set(repeats)
        state.withLock { $0.repeats.removeAll { ended.contains($0) } }
    }

    /// Reads the content of pushes that were read when there was no room for it.
    private func fetch(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) {
        let wanted = ledger.change(session) { shelf, _ in shelf.wanted(limit: 256) } ?? []
        guard !wanted.isEmpty else { return }
        let rows = try database.waiting(in: wanted.map { ($0.part, $0.number - 1) }, each: 1, as: session)
        let topics = ledger.change(session) { shelf, _ in shelf.fill(wanted, rows) }
        if let topics, !topics.isEmpty { queue.announce(topics) }
    }
}
