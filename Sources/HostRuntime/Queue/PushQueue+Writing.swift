// SPDX-License-Identifier: Apache-2.0

private import Locking
private import Logging

// What happens on the queue's thread, turn by turn.
extension PushQueue {
    /// What one turn does.
    private struct Turn {
        var batches: [ArrivalBatch] = []
        var endings: [Ending] = []
        var settlements: [(all: [Settlement], done: CheckedContinuation<Void, Never>)] = []
        var flushes: [CheckedContinuation<Void, Never>] = []
        var loads: Set<String> = []
        var isMaintenanceDue = false
        var isTimeUp = false

        /// While the disk fails, what must not be lost stays where it is until the next try.
        init(_ inbox: inout Inbox, isFailing: Bool) {
            var count = 0
            while count < PushQueue.arrivalsPerCommit, let batch = inbox.batches.popFirst() {
                batches.append(batch)
                count += batch.pushes.count
            }
            swap(&flushes, &inbox.flushes)
            swap(&loads, &inbox.loads)
            swap(&isMaintenanceDue, &inbox.isMaintenanceDue)
            swap(&isTimeUp, &inbox.isTimeUp)
            guard !isFailing || isMaintenanceDue else { return }
            swap(&settlements, &inbox.settlements)
            if isMaintenanceDue { inbox.isLookSet = false }
            let hasCompany = !batches.isEmpty || !settlements.isEmpty || !flushes.isEmpty
            if hasCompany || !inbox.isLookSet || inbox.conclusions.count >= PushQueue.conclusionsPerCommit {
                swap(&endings, &inbox.conclusions)
            }
        }

        var isEmpty: Bool {
            batches.isEmpty && endings.isEmpty && settlements.isEmpty && flushes.isEmpty && loads.isEmpty
                && !isMaintenanceDue && !isTimeUp
        }
    }

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
            let turn = inbox.withLock { inbox -> Turn? in
                let turn = Turn(&inbox, isFailing: isFailing)
                guard turn.isEmpty, waiting.withLock({ $0.woken.isEmpty }) else { return turn }
                inbox.isScheduled = false
                return nil
            }
            guard let turn else { return }
            if hasEnded { refuse(turn) } else { perform(turn, isFailing: isFailing) }
        }
    }

    private func perform(_ turn: Turn, isFailing: Bool) {
        let now = clock.now
        let (woken, late) = waiting.withLock { ($0.takeWoken(), $0.takeOut(waitingUntil: now)) }
        for arrival in late { arrival.answer(arrival.place, [arrival.room.excuse]) }

        if isFailing, !turn.isMaintenanceDue {
            turnAway(turn, woken)
            for flush in turn.flushes { flush.resume() }
        } else {
            write(turn, woken, now: now)
        }
        if turn.isMaintenanceDue { maintain() }
        load(turn.isMaintenanceDue ? state.withLock { Set($0.board.topicsOnDisk) } : turn.loads)
        setPatienceTimer()
        finishIfOver()
    }

    /// The journal may be closed.
    private func refuse(_ turn: Turn) {
        turnAway(turn, waiting.withLock { $0.takeWoken() })
        for settlement in turn.settlements { settlement.done.resume() }
        for flush in turn.flushes { flush.resume() }
    }

    // MARK: One transaction

    private func write(_ turn: Turn, _ woken: [WaitingArrival], now: Duration) {
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
        var admitted: [IncomingPush] = []
        var refusals: [Refusal] = []
        let start = clock.now
        do throws(JournalError) {
            let arrivals =
                work.isEmpty
                ? []
                : try journal.commit(work) { push in
                    guard let refusal = admit(push, now: now) else {
                        admitted.append(push)
                        return true
                    }
                    refusals.append(refusal)
                    return false
                }
            if !work.isEmpty {
                metrics.commitSeconds.observe(clock.now - start)
                metrics.batchRows.observe(work.arrivals.count + work.conclusions.count + work.settlements.count)
                diskWorks()
            }
            conclude(turn.endings)
            if work.conclusions.contains(where: { !$0.sinks.isEmpty }) { recordsStored.withLock { $0 }() }
            answer(offers, arrivals, refusals)
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
        case leaving, tooFast
        case full(Admission.Room)
    }

    private func admit(_ push: IncomingPush, now: Duration) -> Refusal? {
        state.withLock { state in
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
                case .leaving?, nil: answers.add(.unavailable, for: offer)
                }
            }
        }
        let starting = state.withLock { state in
            state.isLeaving ? [] : stored.compactMap { state.board.stored($0) }
        }
        answers.send()
        start(starting)
    }

    private func conclude(_ endings: [Ending]) {
        guard !endings.isEmpty else { return }
        state.withLock { state in
            for ending in endings {
                state.admission.release(
                    deviceToken: ending.conclusion.deviceToken,
                    topic: ending.topic,
                    byteCount: ending.byteCount
                )
            }
        }
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return }
            for ending in endings {
                waiting.wake(.device(ending.conclusion.deviceToken))
                waiting.wake(.topic(ending.topic))
                waiting.wake(.host)
            }
        }
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

    // MARK: A disk that fails

    private func diskWorks() {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = false }
            return state.isFailing
        }
        if wasFailing { logger.notice("the journal is written again: pushes are accepted") }
    }

    private func diskFailed(_ error: JournalError) {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = true }
            return state.isFailing
        }
        guard !wasFailing else { return }
        logger.error("the journal cannot be written: pushes are refused until it can", metadata: ["error": "\(error)"])
    }

    private func turnAway(_ turn: Turn, _ woken: [WaitingArrival]) {
        for arrival in woken { arrival.answer(arrival.place, [.notStored]) }
        for batch in turn.batches { batch.answer(0, batch.pushes.map { _ in .notStored }) }
    }

    /// What must not be lost waits for the next try; a flush hears that it could not be.
    private func putBack(_ turn: Turn) {
        inbox.withLock { inbox in
            inbox.conclusions = turn.endings + inbox.conclusions
            inbox.settlements = turn.settlements + inbox.settlements
            inbox.isLookSet = true
        }
        for flush in turn.flushes { flush.resume() }
    }

    // MARK: Beside the transactions

    private func maintain() {
        do throws(JournalError) {
            let hasMore = try journal.maintain()
            diskWorks()
            if hasMore { inbox.withLock { $0.isMaintenanceDue = $0.batches.isEmpty } }
        } catch {
            diskFailed(error)
        }
    }

    private func load(_ topics: Set<String>) {
        for topic in topics {
            guard let load = state.withLock({ $0.isLeaving ? nil : $0.board.nextLoad(of: topic) }) else { continue }
            do throws(JournalError) {
                let pushes = try journal.pushes(of: topic, after: load.after, limit: load.limit)
                let starting = state.withLock { state in
                    let marked = pushes.map { push in
                        var push = push
                        push.isTakenUpAgain = (push.number ?? 0) <= state.lastOfFormerProcess
                        return push
                    }
                    return state.board.loaded(marked, of: topic, isAll: pushes.count < load.limit)
                }
                start(starting)
            } catch {
                state.withLock { $0.board.notLoaded(topic) }
                diskFailed(error)
            }
        }
    }

    private func setPatienceTimer() {
        guard let end = waiting.withLock({ $0.takeTimer() }) else { return }
        deadlines.schedule(at: end) { [self] in
            waiting.withLock { $0.timerRang() }
            ask { $0.isTimeUp = true }
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
