// SPDX-License-Identifier: Apache-2.0

private import Locking

// What happens on the queue's thread, turn by turn.
extension PushQueue {
    /// A push that this turn offers to the journal, and whom to tell.
    private struct Offer {
        /// Counts the batches of a turn; one that waited for room is a batch of its own.
        let batch: Int
        let push: IncomingPush
        let place: Int
        let answer: @Sendable (Int, [Acceptance]) -> Void
        let end: Duration
    }

    /// Answers that lie beside each other in one batch leave in one call.
    private struct AnswerRun {
        private var first: Offer?
        private var answers: [Acceptance] = []

        mutating func add(_ answer: Acceptance, for offer: Offer) {
            if let first, first.batch != offer.batch || first.place + answers.count != offer.place { send() }
            if answers.isEmpty { first = offer }
            answers.append(answer)
        }

        mutating func send() {
            if let first, !answers.isEmpty { first.answer(first.place, answers) }
            answers.removeAll(keepingCapacity: true)
        }
    }

    func work() {
        while true {
            let (isFailing, hasEnded) = state.withLock { ($0.isFailing, $0.hasEnded) }
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
        let isDraining = state.withLock(\.isDraining)
        let (woken, late) = waiting.withLock { waiting in
            (isDraining ? waiting.takeAll() : waiting.takeWoken(), waiting.takeOut(waitingUntil: now))
        }
        for arrival in late { arrival.answer(arrival.place, [arrival.room.excuse]) }

        if !isFailing {
            write(turn, woken, now: now)
            if turn.isMaintenanceDue { maintain() }
            load(turn.isMaintenanceDue ? topicsOnDisk : turn.loads)
        } else if turn.isMaintenanceDue, maintain(), load(topicsOnDisk) {
            // What has to be read can be read, and a write has gone through.
            diskWorks()
            write(turn, woken, now: now)
        } else {
            turnAway(turn, woken)
            putBack(turn)
        }
        setPatienceTimer()
        finishIfOver()
    }

    /// The journal may be closed.
    private func refuse(_ turn: Inbox.Turn) {
        turnAway(turn, waiting.withLock { $0.takeAll() })
        for settlement in turn.settlements { settlement.done.resume() }
        for flush in turn.flushes { flush.resume() }
    }

    // MARK: One transaction

    private func write(_ turn: Inbox.Turn, _ woken: [WaitingArrival], now: Duration) {
        var offers = woken.enumerated().map { index, waited in
            Offer(batch: index, push: waited.push, place: waited.place, answer: waited.answer, end: waited.end)
        }
        let end = now + limits.patience
        for (index, batch) in turn.batches.enumerated() {
            for (place, push) in batch.pushes.enumerated() {
                let number = woken.count + index
                offers.append(Offer(batch: number, push: push, place: place, answer: batch.answer, end: end))
            }
        }
        var work = JournalWork()
        work.arrivals = offers.map(\.push)
        work.conclusions = turn.endings.map(\.conclusion)
        work.settlements = turn.settlements.flatMap(\.all)
        let fullSinks = journal.fullSinks(records: limits.pushes, byteCount: limits.byteCount)
        note(fullSinks)
        var admitted: [IncomingPush] = []
        var refusals: [Refusal] = []
        let start = clock.now
        do throws(JournalError) {
            let arrivals =
                work.isEmpty
                ? []
                : try journal.commit(work) { push in
                    guard let refusal = admit(push, fullSinks, now: now) else {
                        admitted.append(push)
                        return true
                    }
                    refusals.append(refusal)
                    return false
                }
            if !work.isEmpty {
                let end = clock.now
                inbox.withLock { $0.pause(until: end + limits.pause) }
                metrics.commitSeconds.observe(end - start)
                metrics.batchRows.observe(work.arrivals.count + work.conclusions.count + work.settlements.count)
                diskWorks()
            }
            // Who found no room waits already when the endings make some.
            answer(offers, arrivals, refusals)
            conclude(turn.endings)
            if work.conclusions.contains(where: { !$0.sinks.isEmpty }) { recordsStored.withLock { $0 }() }
            for settlement in turn.settlements { settlement.done.resume() }
            for flush in turn.flushes { flush.resume() }
        } catch {
            release(admitted)
            diskFailed(error)
            turnAway(turn, woken)
            putBack(turn)
        }
    }

    private enum Refusal {
        case leaving, tooFast, outboxFull
        case full(Admission.Room)
    }

    private func admit(_ push: IncomingPush, _ fullSinks: Set<String>, now: Duration) -> Refusal? {
        if !fullSinks.isEmpty, !fullSinks.isDisjoint(with: outbox.sinks(taking: push.topic)) { return .outboxFull }
        return state.withLock { state in
            if state.isDraining { return .leaving }
            switch state.admission.admit(push, now: now) {
            case .admitted: return nil
            case .full(let room): return .full(room)
            case .tooFast: return .tooFast
            }
        }
    }

    /// Starts what was stored, and tells the senders.
    private func answer(_ offers: [Offer], _ arrivals: [Arrival], _ refusals: [Refusal]) {
        var stored: [IncomingPush] = []
        var refusals = refusals.makeIterator()
        var answers = AnswerRun()
        for (offer, arrival) in zip(offers, arrivals) {
            switch arrival {
            case .stored(let number):
                var push = offer.push
                push.number = number
                push.body = []
                stored.append(push)
                answers.add(.accepted, for: offer)
            case .repeated(let id): answers.add(.repeated(id: id), for: offer)
            case .otherBody: answers.add(.idTaken, for: offer)
            case .turnedAway:
                switch refusals.next() {
                case .tooFast?: answers.add(.deviceBusy, for: offer)
                case .full(let room)? where limits.patience > .zero:
                    let arrival = WaitingArrival(
                        push: offer.push,
                        place: offer.place,
                        answer: offer.answer,
                        room: room,
                        end: offer.end
                    )
                    waiting.withLock { $0.append(arrival) }
                case .full(let room)?: answers.add(room.excuse, for: offer)
                case .leaving?, .outboxFull?, nil: answers.add(.unavailable, for: offer)
                }
            }
        }
        let starting = state.withLock { state in
            state.isLeaving ? [] : stored.compactMap { state.board.stored($0) }
        }
        answers.send()
        start(starting)
    }

    /// Makes room, and wakes those that waited for it.
    private func conclude(_ endings: [Ending]) {
        guard !endings.isEmpty else { return }
        let topics = waiting.withLock(\.topics)
        let rooms = state.withLock { state in
            for ending in endings {
                state.admission.release(
                    deviceToken: ending.conclusion.deviceToken,
                    topic: ending.topic,
                    byteCount: ending.byteCount
                )
            }
            // A topic has room by the endings of others, too.
            return topics.map { (topic: $0, count: state.admission.room(for: $0)) }
        }
        let isAnyoneWoken = waiting.withLock { waiting in
            guard !waiting.isEmpty else { return false }
            for ending in endings {
                waiting.wake(.device(ending.conclusion.deviceToken))
                waiting.wake(.host)
            }
            for room in rooms {
                for _ in 0..<min(room.count, waiting.count(for: .topic(room.topic))) {
                    waiting.wake(.topic(room.topic))
                }
            }
            return !waiting.woken.isEmpty
        }
        if isAnyoneWoken { ask(.afterPause) { _ in } }
    }

    private func release(_ pushes: [IncomingPush]) {
        state.withLock { state in
            for push in pushes {
                state.admission.release(
                    deviceToken: push.deviceToken,
                    topic: push.topic,
                    byteCount: push.payloadByteCount
                )
            }
        }
    }

    // MARK: Who is not served

    private func turnAway(_ turn: Inbox.Turn, _ woken: [WaitingArrival]) {
        for arrival in woken { arrival.answer(arrival.place, [.notStored]) }
        for batch in turn.batches { batch.answer(0, batch.pushes.map { _ in .notStored }) }
    }

    /// What must not be lost waits for the next try; a flush hears that it could not be, and so do sinks in a drain.
    private func putBack(_ turn: Inbox.Turn) {
        let isDraining = state.withLock(\.isDraining)
        inbox.withLock { inbox in
            inbox.conclusions = turn.endings + inbox.conclusions
            if !isDraining { inbox.settlements = turn.settlements + inbox.settlements }
        }
        if isDraining { for settlement in turn.settlements { settlement.done.resume() } }
        for flush in turn.flushes { flush.resume() }
    }

    private func setPatienceTimer() {
        guard let end = waiting.withLock({ $0.takeTimer() }) else { return }
        deadlines.schedule(at: end) { [self] in
            waiting.withLock { $0.timerRang() }
            ask(.now) { _ in }
        }
    }
}

extension Admission.Room {
    /// What a sender hears who waited for it in vain.
    fileprivate var excuse: Acceptance {
        switch self {
        case .device: .deviceBusy
        case .topic, .host: .unavailable
        }
    }
}
