// SPDX-License-Identifier: Apache-2.0

private import Locking

/// Writes what happens to pushes, turn by turn, on a thread of its own: a turn is one transaction at most.
///
/// Work gathers in the inbox while the disk is busy. While the disk fails new pushes are turned away at once, and the
/// rest is tried again every second. A queue whose pushes come in and end in two places has a writer for each.
final class JournalWriter: Sendable {
    private let store: any PushWriting
    /// The pushes that this writer loads into memory; nil: another writer does.
    private let reader: (any PushReading)?
    /// The desk of what comes in here; nil: nothing does.
    private let desk: AdmissionDesk?
    private let lanes: PushLanes
    private let health: JournalHealth
    private let limits: QueueLimits
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    private let metrics: JournalMetrics
    private let inbox = Locked(Inbox())
    /// True once `end()` has flushed the inbox: every later turn is refused.
    private let hasEnded = Locked(false)
    private let recordsStored = Locked<@Sendable () -> Void>({})
    private let thread = SerialWork(name: "journal")

    init(
        store: any PushWriting,
        reader: (any PushReading)?,
        desk: AdmissionDesk?,
        lanes: PushLanes,
        health: JournalHealth,
        limits: QueueLimits,
        clock: HostClock,
        deadlines: DeadlineQueue,
        metrics: JournalMetrics
    ) {
        self.store = store
        self.reader = reader
        self.desk = desk
        self.lanes = lanes
        self.health = health
        self.limits = limits
        self.clock = clock
        self.deadlines = deadlines
        self.metrics = metrics
    }

    /// True from a failure of the store until it has been written and read again.
    var isFailing: Bool { health.isFailing }

    /// Calls `action` after each transaction that put records into an outbox.
    func onRecordsStored(_ action: @escaping @Sendable () -> Void) {
        recordsStored.withLock { $0 = action }
    }

    // MARK: When there is a turn

    /// Hands the thread something to do.
    func put(_ item: Inbox.Item) {
        let now = clock.now
        take(inbox.withLock { $0.put(item, at: now) })
    }

    /// Writes the end of a push, if it has one, and reads more of a topic for which memory has room again.
    func ended(_ ending: PushEnding?, topicToLoad: String?) {
        if let ending { put(.ending(ending)) }
        if let topicToLoad { put(.loads([topicToLoad])) }
    }

    /// Returns when what was handed in before is on the disk, or when the disk fails.
    func flush() async {
        await withCheckedContinuation { done in put(.flush(done)) }
    }

    /// Drops the ends of pushes that could not be written.
    func dropEndings() { inbox.withLock { $0.dropEndings() } }

    /// Writes what was handed in, and nothing any more from then on.
    func end() async {
        await flush()
        hasEnded.withLock { $0 = true }
        // What came between the two is refused before this returns.
        await flush()
    }

    private func take(_ step: Inbox.Step) {
        switch step {
        case .none: break
        case .look: thread.run { [self] in work() }
        case .setTimer(let instant):
            deadlines.schedule(at: instant) { [self] in
                let now = clock.now
                take(inbox.withLock { $0.timerRang(at: now, for: instant) })
            }
        }
    }

    private func work() {
        while true {
            let (isFailing, hasEnded) = (health.isFailing, hasEnded.withLock { $0 })
            // Inside: what was put in before is due by now.
            let (now, (turn, step)) = inbox.withLock { inbox in
                let now = clock.now
                return (now, inbox.look(at: now, isFailing: isFailing && !hasEnded))
            }
            guard let turn else { return take(step) }
            if hasEnded { refuse(turn) } else { perform(turn, isFailing: isFailing, now: now) }
        }
    }

    private func perform(_ turn: Inbox.Turn, isFailing: Bool, now: Duration) {
        let woken = desk?.beginTurn(at: now) ?? []
        if !isFailing {
            write(turn, woken, now: now)
            if turn.isMaintenanceDue { maintain() }
            load(turn.isMaintenanceDue ? lanes.topicsOnDisk : turn.loads)
        } else if turn.isMaintenanceDue, maintain(), load(lanes.topicsOnDisk) {
            // What has to be read can be read, and a write has gone through.
            health.recovered()
            write(turn, woken, now: now)
        } else {
            turnAway(turn, woken)
            putBack(turn)
        }
        setPatienceTimer()
        lanes.finishIfOver()
    }

    private func setPatienceTimer() {
        guard let end = desk?.endTurn() else { return }
        deadlines.schedule(at: end) { [self] in
            desk?.timerRang(for: end)
            put(.change)
        }
    }

    // MARK: One transaction

    private func write(_ turn: Inbox.Turn, _ woken: [WaitingArrival], now: Duration) {
        let offers = ArrivalOffer.all(woken, turn.batches, end: now + limits.patience)
        var work = JournalWork()
        work.arrivals = offers.map(\.push)
        work.conclusions = turn.endings.map(\.conclusion)
        work.settlements = turn.settlements.flatMap(\.all)
        desk?.beginTransaction(fullSinks: store.fullSinks(records: limits.pushes, byteCount: limits.byteCount))
        do throws(JournalError) {
            let arrivals = try work.isEmpty ? [] : commit(work, now: now)
            // Who found no room waits already when the endings make some.
            answer(offers, arrivals, now: now)
            makeRoom(turn.endings.map(Departure.init))
            if work.conclusions.contains(where: { !$0.sinks.isEmpty }) { recordsStored.withLock { $0 }() }
            for settlement in turn.settlements { settlement.done.resume() }
            for flush in turn.flushes { flush.resume() }
        } catch {
            desk?.rollBack()
            health.failed(error)
            turnAway(turn, woken)
            putBack(turn)
        }
    }

    private func commit(_ work: JournalWork, now: Duration) throws(JournalError) -> [Arrival] {
        let start = clock.now
        let arrivals = try store.commit(work) { desk?.admit($0, now: now) ?? false }
        let end = clock.now
        inbox.withLock { $0.pause(until: end + limits.pause) }
        metrics.commitSeconds.observe(end - start)
        metrics.batchRows.observe(work.arrivals.count + work.conclusions.count + work.settlements.count)
        return arrivals
    }

    /// Tells the senders, and starts what was stored.
    private func answer(_ offers: [ArrivalOffer], _ arrivals: [Arrival], now: Duration) {
        var stored: [IncomingPush] = []
        var left: [IncomingPush] = []
        var answers = AnswerRun()
        for (offer, arrival) in zip(offers, arrivals) {
            switch arrival {
            case .stored(let number):
                var push = offer.push
                push.number = number
                push.delivery = reader?.delivery(of: number)
                push.body = []
                stored.append(push)
                answers.add(.accepted, for: offer)
            case .accepted:
                // Whoever reads it has it from here on.
                left.append(offer.push)
                answers.add(.accepted, for: offer)
            case .badToken(let fault):
                left.append(offer.push)
                answers.add(.badToken(fault), for: offer)
            case .repeated(let id): answers.add(.repeated(id: id), for: offer)
            case .otherBody: answers.add(.idTaken, for: offer)
            case .noRoom: answers.add(.unavailable, for: offer)
            case .turnedAway: if let answer = desk?.answer(to: offer, now: now) { answers.add(answer, for: offer) }
            }
        }
        answers.send()
        if !stored.isEmpty { lanes.take(stored) }
        makeRoom(left.map(Departure.init))
    }

    private func makeRoom(_ departures: [Departure]) {
        if !departures.isEmpty, desk?.release(departures) == true { put(.room) }
    }

    // MARK: Beside the transactions

    /// Returns `false` when the disk refuses; a journal that is damaged is left as it is.
    @discardableResult
    private func maintain() -> Bool {
        guard !health.isDamaged else { return false }
        do throws(JournalError) {
            if try store.maintain() { put(.moreMaintenance) }
            return true
        } catch {
            health.failed(error)
            return false
        }
    }

    /// Returns `false` when something could not be read.
    @discardableResult
    private func load(_ topics: Set<String>) -> Bool {
        guard let reader else { return true }
        for topic in topics {
            guard let load = lanes.nextLoad(of: topic) else { continue }
            do throws(JournalError) {
                let wanted = load.wanted
                lanes.loaded(try reader.pushes(of: topic, after: wanted.after, limit: wanted.limit), by: load)
            } catch {
                lanes.notLoaded(load)
                health.failed(error)
                return false
            }
        }
        return true
    }

    // MARK: Who is not served

    /// Serves nobody, because the journal may be closed.
    private func refuse(_ turn: Inbox.Turn) {
        turnAway(turn, desk?.takeAll() ?? [])
        for settlement in turn.settlements { settlement.done.resume() }
        for flush in turn.flushes { flush.resume() }
    }

    private func turnAway(_ turn: Inbox.Turn, _ woken: [WaitingArrival]) {
        for arrival in woken { arrival.answer(arrival.place, [.notStored]) }
        for batch in turn.batches { batch.answer(0, batch.pushes.map { _ in .notStored }) }
    }

    /// Keeps what must not be lost for the next try; flushes return all the same, and so do settlements in a drain.
    private func putBack(_ turn: Inbox.Turn) {
        let isDraining = lanes.isDraining
        inbox.withLock { $0.putBack(turn.endings, isDraining ? [] : turn.settlements) }
        if isDraining { for settlement in turn.settlements { settlement.done.resume() } }
        for flush in turn.flushes { flush.resume() }
    }
}
