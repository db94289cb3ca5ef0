// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Locking
internal import Logging

/// Reads what waits in the partitions that a session holds, in order, and has the queue load it.
///
/// A partition is opened first: the keys of what was concluded in it come into memory, the envelopes that were opened,
/// and the records that wait for sinks. Then it is read from its beginning. All partitions are read every 200 ms; those
/// of which somebody says that there is news at once, at most every 2 ms. A push that is known is a repeat, and ends
/// without a record.
package final class FleetReader: PartitionWork {
    private struct State {
        /// The last place of each partition at which news is said to be, until it is read.
        var news: [Partition: Int64] = [:]
        /// Repeats that have been read and are still to be ended.
        var repeats: [PushPlace] = []
        /// Partitions in which somebody has put records on their way again.
        var revived: Set<Partition> = []
        var isFailing = false
        /// The time since which nothing can be read.
        var failingSince: Duration?
    }

    /// A reader that can read nothing for so long says that there is too much of everything: it does not count.
    private static let failureLimit = Duration.seconds(30)

    /// The pause between two readings of everything.
    package static let pause = Duration.milliseconds(200)
    /// The pause between two readings of what is news.
    private static let shortPause = Duration.milliseconds(2)
    private static let failurePause = Duration.seconds(1)
    /// Partitions that are opened in one reading, and rows that are read of each in a call.
    private static let openedAtOnce = 64
    private static let rowsOfEach: Int32 = 1_000
    private static let headsAtOnce: Int32 = 10_000
    private static let pushesAtOnce = 4_096
    private static let fetchedAtOnce = 256

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
        state.withLock { ($0.news, $0.repeats, $0.revived) = ([:], [], []) }
        await queue.cutOff()
    }

    package func look(at parts: Set<Partition>, as session: FleetSession) {
        state.withLock { $0.revived.formUnion(parts) }
        signal.raise()
    }

    package var pressure: Set<Pressure> {
        let isBlind = state.withLock(\.failingSince).map { clock.now - $0 > Self.failureLimit } ?? false
        return isBlind ? [.everything] : ledger.pressure
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
        // Partitions that gave as much as they were asked for: they have more.
        var rest: Set<Partition> = []
        while !Task.isCancelled {
            let start = clock.now
            let isOfAll = start >= nextOfAll
            if isOfAll { nextOfAll = start + Self.pause }
            let news = state.withLock { isOfAll ? nil : Set($0.news.keys).union(rest) }
            guard let round = await round(of: news) else {
                state.withLock { $0.failingSince = $0.failingSince ?? clock.now }
                await clock.sleep(until: clock.now + Self.failurePause, orUntil: Signal())
                continue
            }
            rest = round.rest
            state.withLock { $0.failingSince = nil }
            if !rest.isEmpty || round.isContentLeft { continue }
            // News that could not be read yet waits for an older transaction somewhere to end.
            let isNewsLeft = state.withLock { !$0.news.isEmpty }
            if !isNewsLeft { await clock.sleep(until: nextOfAll, orUntil: signal) }
            try? await clock.sleep(until: min(nextOfAll, start + Self.shortPause))
        }
        line.close()
    }

    /// The outcome of one reading.
    private struct Round {
        /// Partitions that have more.
        var rest: Set<Partition> = []
        /// True if content is to be read again.
        var isContentLeft = false
    }

    /// Reads once, some partitions or all; nil: the database did not answer.
    private func round(of parts: Set<Partition>?) async -> Round? {
        guard let session = ledger.session else {
            state.withLock { $0.news = [:] }
            return Round()
        }
        let result = await thread.result { [self] in
            Result { () throws(FleetError) in
                try line.call { database throws(FleetError) in
                    var round = Round()
                    round.rest = try read(database, session, of: parts)
                    try endRepeats(database, session)
                    round.isContentLeft = try fetch(database, session)
                    try planRevived(database, session)
                    round.rest.formUnion(try open(database, session))
                    return round
                }
            }
        }
        switch result {
        case .success(let round):
            note(nil)
            return round
        case .failure(.fenced):
            fenced(session)
            return nil
        // A partition was given back between the question and the answer.
        case .failure(.notHolder): return Round()
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

    /// Opens some of the partitions that were begun, and returns them: what is known of their past comes into memory.
    ///
    /// The others follow with the next readings, so that what is open already is read meanwhile.
    private func open(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) -> [Partition] {
        let closed = ledger.change(session) { shelf, _ in shelf.closed } ?? []
        guard !closed.isEmpty else { return [] }
        let parts = Array(closed.prefix(Self.openedAtOnce))
        try page(parts) { before throws(FleetError) in
            let keys = try database.seen(in: before, each: Self.rowsOfEach, as: session)
            _ = ledger.change(session) { shelf, repeats in
                for (place, keys) in keys where shelf.isServed(place.part) { repeats.note(keys, in: place.part) }
            }
            let isFull = ledger.change(session) { _, repeats in repeats.isFull } ?? true
            return isFull ? [] : keys.map(\.place)
        }
        try page(parts) { before throws(FleetError) in
            let marks = try database.opened(in: before, each: Self.rowsOfEach, as: session)
            return ledger.openings.load(marks, as: session) ? marks.map(\.place) : []
        }
        try plan(parts, database, session)
        _ = ledger.change(session) { shelf, _ in shelf.open(parts) }
        return parts
    }

    /// Reads the newest rows of each partition, then those before them, until a partition has no more.
    ///
    /// `read` gets the place of each before which it is to read, and returns the places that it has read, or none if
    /// there is no room for more.
    private func page(
        _ parts: [Partition],
        _ read: ([Partition: Int64]) throws(FleetError) -> [PushPlace]
    ) throws(FleetError) {
        var before: [Partition: Int64] = [:]
        for part in parts { before[part] = .max }
        while !before.isEmpty {
            var counts: [Partition: (rows: Int, last: Int64)] = [:]
            for place in try read(before) {
                let known = counts[place.part] ?? (0, .max)
                counts[place.part] = (known.rows + 1, min(known.last, place.number))
            }
            before = counts.filter { $0.value.rows == Int(Self.rowsOfEach) }.mapValues(\.last)
        }
    }

    /// Plans with records that were put on their way again, in partitions that are open.
    private func planRevived(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) {
        let revived = state.withLock { state in
            defer { state.revived = [] }
            return state.revived
        }
        // What is not open yet is read whole when it is opened.
        let open = revived.isEmpty ? [] : ledger.change(session) { shelf, _ in shelf.open } ?? []
        let parts = revived.intersection(open).sorted()
        guard !parts.isEmpty else { return }
        do throws(FleetError) {
            try plan(parts, database, session)
        } catch {
            state.withLock { $0.revived.formUnion(parts) }
            throw error
        }
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
    ) throws(FleetError) -> Set<Partition> {
        let cursors = ledger.change(session) { shelf, _ in shelf.cursors(of: parts) } ?? []
        guard !cursors.isEmpty else {
            forgetNews(session, wasOfAll: parts == nil)
            return []
        }
        let each = max(8, min(256, Self.pushesAtOnce / cursors.count))
        let rows = try database.waiting(in: cursors, each: Int32(each), as: session)
        let topics = ledger.change(session) { shelf, memory in
            var repeats: [PushPlace] = []
            let topics = shelf.take(rows) { row in
                guard memory.isRepeat(row.keys, in: row.part) else { return false }
                repeats.append(PushPlace(row.part, row.place))
                return true
            }
            // Nothing of a session that is over comes here after `end`.
            state.withLock { $0.repeats += repeats }
            return topics
        }
        forgetNews(session, wasOfAll: parts == nil)
        if let topics, !topics.isEmpty { queue.announce(topics) }
        // Once in each reading of everything the queue hears of all that lies here.
        if parts == nil, let topics = ledger.change(session, { shelf, _ in shelf.topics }), !topics.isEmpty {
            queue.announce(topics)
        }
        var counts: [Partition: Int] = [:]
        for row in rows { counts[row.part, default: 0] += 1 }
        return Set(counts.filter { $0.value == each }.keys)
    }

    /// Forgets news that has been read or is somebody else's; after a reading of everything, all that it had asked for.
    private func forgetNews(_ session: FleetSession, wasOfAll: Bool) {
        let news = state.withLock(\.news)
        let isUnread = ledger.change(session) { shelf, _ in
            news.filter { !wasOfAll && shelf.isUnread(PushPlace($0, $1)) }
        }
        state.withLock { state in
            for (part, place) in news where isUnread?[part] == nil && state.news[part] == place {
                state.news[part] = nil
            }
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

    /// Reads the content of pushes that were read when there was no room for it; true if there may be more.
    private func fetch(_ database: FleetDatabase, _ session: FleetSession) throws(FleetError) -> Bool {
        let wanted = ledger.change(session) { shelf, _ in shelf.wanted(limit: Self.fetchedAtOnce) } ?? []
        guard !wanted.isEmpty else { return false }
        let rows = try database.waiting(in: wanted.map { ($0.part, $0.number - 1) }, each: 1, as: session)
        let topics = ledger.change(session) { shelf, _ in shelf.fill(wanted, rows) }
        if let topics, !topics.isEmpty { queue.announce(topics) }
        return wanted.count >= Self.fetchedAtOnce
    }
}
