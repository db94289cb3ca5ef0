// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import Logging

/// Lets arrivals in, has them wait for room, or turns them away; a push that has ended makes room.
///
/// `count` and `drain` may be called from anywhere, everything else on the journal's thread.
final class AdmissionDesk: Sendable {
    /// The reason for which an arrival is not let in.
    private enum Refusal: Sendable {
        case leaving, tooFast, outboxFull
        case full(Admission.Room)
    }

    private struct State {
        var admission: Admission
        var waiting = WaitingRoom()
        var isDraining = false
        /// Remote sinks whose outbox is full.
        var fullSinks: Set<String> = []
        /// Pushes that were let in by the transaction that is under way.
        var admitted: [IncomingPush] = []
        /// The reasons for which arrivals of the transaction under way were not let in, in their order.
        var refusals = Backlog<Refusal>()
    }

    private let patience: Duration
    private let outbox: any Outbox
    private let logger: Logger
    private let state: Locked<State>

    init(limits: QueueLimits, outbox: any Outbox, logger: Logger) {
        patience = limits.patience
        self.outbox = outbox
        self.logger = logger
        state = Locked(State(admission: Admission(limits: limits)))
    }

    /// Pushes without an outcome, on the disk.
    var count: Int { state.withLock { $0.admission.pushes } }

    /// Lets nobody in from now on; those that wait for room are turned away in the next turn.
    func drain() { state.withLock { $0.isDraining = true } }

    /// Counts what a former process had accepted.
    func takeUp(_ pushes: [UnfinishedPush], now: Duration) {
        state.withLock { state in
            for push in pushes { state.admission.takeUp(push, now: now) }
        }
    }

    // MARK: Turns

    /// Answers those that have waited long enough, and returns those for which there is room, perhaps.
    func beginTurn(at now: Duration) -> [WaitingArrival] {
        let (woken, late) = state.withLock { state in
            (
                state.isDraining ? state.waiting.takeAll() : state.waiting.takeWoken(),
                state.waiting.takeOut(waitingUntil: now)
            )
        }
        for arrival in late { arrival.answer(arrival.place, [arrival.room.excuse]) }
        return woken
    }

    /// Returns everybody who waits for room; nobody does any more.
    func takeAll() -> [WaitingArrival] { state.withLock { $0.waiting.takeAll() } }

    /// Forgets the turn's pushes; returns when the first of those that wait has waited long enough, if no timer rings
    /// by then already.
    func endTurn() -> Duration? {
        state.withLock { state in
            state.admitted = []
            state.refusals = Backlog()
            return state.waiting.takeTimer()
        }
    }

    /// Notes that the timer that `endTurn` asked for has rung.
    func timerRang(for end: Duration) { state.withLock { $0.waiting.timerRang(for: end) } }

    // MARK: Transactions

    /// Prepares for the arrivals of a transaction; says once of a sink that its outbox is full, or is no more.
    func beginTransaction(fullSinks: Set<String>) {
        let before = state.withLock { state in
            defer { state.fullSinks = fullSinks }
            return state.fullSinks
        }
        guard fullSinks != before else { return }
        for sink in fullSinks.subtracting(before).sorted() {
            logger.error("outbox full: pushes for this sink are refused", metadata: ["sink.name": "\(sink)"])
        }
        for sink in before.subtracting(fullSinks).sorted() {
            logger.notice("outbox has room again: pushes are accepted", metadata: ["sink.name": "\(sink)"])
        }
    }

    /// Decides about an arrival that the journal does not know.
    func admit(_ push: IncomingPush, now: Duration) -> Bool {
        state.withLock { state in
            let refusal = refusal(of: push, now: now, &state)
            if let refusal { state.refusals.append(refusal) } else { state.admitted.append(push) }
            return refusal == nil
        }
    }

    private func refusal(of push: IncomingPush, now: Duration, _ state: inout State) -> Refusal? {
        if !state.fullSinks.isEmpty, !state.fullSinks.isDisjoint(with: outbox.sinks(taking: push.topic)) {
            return .outboxFull
        }
        if state.isDraining { return .leaving }
        switch state.admission.admit(push, now: now) {
        case .admitted: return nil
        case .full(let room): return .full(room)
        case .tooFast: return .tooFast
        }
    }

    /// The transaction did not happen: those that were let in are out again.
    func rollBack() {
        state.withLock { state in
            for push in state.admitted { state.admission.release(Departure(push)) }
            state.admitted = []
        }
    }

    // MARK: Afterwards

    /// Returns the answer to the next arrival that was not let in, or `nil` if it waits for room and is answered later.
    ///
    /// An arrival that has waited long enough had its try in this turn, and does not wait on.
    func answer(to offer: ArrivalOffer, now: Duration) -> Acceptance? {
        state.withLock { state in
            switch state.refusals.popFirst() {
            case .tooFast?: return .deviceBusy
            case .leaving?, .outboxFull?, nil: return .unavailable
            case .full(let room)?:
                guard patience > .zero, now < offer.end else { return room.excuse }
                let arrival = WaitingArrival(
                    push: offer.push,
                    place: offer.place,
                    answer: offer.answer,
                    room: room,
                    end: offer.end,
                    number: offer.number
                )
                state.waiting.take(arrival)
                return nil
            }
        }
    }

    /// Makes room, and returns whether somebody who waited for it may have found some.
    func release(_ departures: [Departure]) -> Bool {
        state.withLock { state in
            for departure in departures { state.admission.release(departure) }
            guard !state.waiting.isEmpty else { return false }
            // A topic has room by the departures of others, too.
            let rooms = state.waiting.topics.map { (topic: $0, count: state.admission.room(for: $0)) }
            for departure in departures {
                state.waiting.wake(.device(departure.deviceToken))
                state.waiting.wake(.host)
            }
            for room in rooms {
                for _ in 0..<min(room.count, state.waiting.count(for: .topic(room.topic))) {
                    state.waiting.wake(.topic(room.topic))
                }
            }
            return !state.waiting.woken.isEmpty
        }
    }
}

extension Admission.Room {
    /// The answer to a sender who found no room, or waited for it in vain.
    fileprivate var excuse: Acceptance {
        switch self {
        case .device: .deviceBusy
        case .topic, .host: .unavailable
        }
    }
}
