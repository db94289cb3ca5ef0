// SPDX-License-Identifier: Apache-2.0

/// The end of a push, on its way to the journal.
struct PushEnding: Sendable {
    let conclusion: Conclusion
    let topic: String
    let byteCount: Int
}

/// The work that waits for the journal's thread, and the instant at which the thread looks for it next.
///
/// The thread looks when something is due. A transaction costs waits, system calls and wake-ups however little it
/// writes, so what comes right after one is gathered for the length of a pause; an idle queue writes at once.
struct Inbox {
    /// Something to do for the thread; each kind says how soon.
    enum Item {
        case arrivals(ArrivalBatch)
        case ending(PushEnding)
        case settlements([Settlement], done: CheckedContinuation<Void, Never>)
        case flush(CheckedContinuation<Void, Never>)
        /// Topics of which something is on the disk only.
        case loads(Set<String>)
        case maintenance
        /// Maintenance that has more to do, for when there is nothing else.
        case moreMaintenance
        /// Arrivals that waited for room have found some.
        case room
        /// Something has changed that only a turn can answer: a drain began, or a patience ended.
        case change
    }

    private enum Urgency {
        case now
        /// The turn begins when the pause after the last transaction is over.
        case afterPause
        /// Nobody waits for the turn.
        case atLeisure
    }

    enum Step {
        case none
        case look
        case setTimer(Duration)
    }

    /// The work of one turn.
    struct Turn {
        var batches: [ArrivalBatch] = []
        var endings: [PushEnding] = []
        var settlements: [(all: [Settlement], done: CheckedContinuation<Void, Never>)] = []
        var flushes: [CheckedContinuation<Void, Never>] = []
        var loads: Set<String> = []
        var isMaintenanceDue = false
    }

    /// Arrivals of one transaction, more or less: whole batches are taken.
    private static let arrivalsPerCommit = 256
    /// Conclusions that are worth a transaction without anything else.
    private static let conclusionsPerCommit = 64
    private static let leisure: Duration = .milliseconds(10)

    private var batches = Backlog<ArrivalBatch>()
    private var conclusions: [PushEnding] = []
    private var settlements: [(all: [Settlement], done: CheckedContinuation<Void, Never>)] = []
    private var flushes: [CheckedContinuation<Void, Never>] = []
    private var loads: Set<String> = []
    private var isMaintenanceDue = false

    private var arrivalCount = 0
    /// The instant at which there is something to do; `nil` means never yet.
    private var due: Duration?
    /// The instant at which the first timer rings.
    private var timer: Duration?
    private var pauseEnd: Duration = .zero
    /// True while the thread looks, or is about to.
    private var isLooking = false

    /// Takes something to do, and says when the thread has to look.
    mutating func put(_ item: Item, at now: Duration) -> Step {
        switch item {
        case .arrivals(let batch):
            batches.append(batch)
            arrivalCount += batch.pushes.count
            return want(.afterPause, at: now)
        case .ending(let ending):
            conclusions.append(ending)
            return want(.atLeisure, at: now)
        case .settlements(let all, let done):
            settlements.append((all, done))
            return want(.afterPause, at: now)
        case .flush(let done):
            flushes.append(done)
            return want(.now, at: now)
        case .loads(let topics):
            loads.formUnion(topics)
            return want(.now, at: now)
        case .maintenance:
            isMaintenanceDue = true
            return want(.now, at: now)
        case .moreMaintenance:
            isMaintenanceDue = batches.isEmpty
            return want(.atLeisure, at: now)
        case .room: return want(.afterPause, at: now)
        case .change: return want(.now, at: now)
        }
    }

    /// Takes back what a turn could not write, before all that came meanwhile; it is tried again with what comes next.
    mutating func putBack(
        _ endings: [PushEnding],
        _ settled: [(all: [Settlement], done: CheckedContinuation<Void, Never>)]
    ) {
        conclusions = endings + conclusions
        settlements = settled + settlements
    }

    mutating func dropEndings() { conclusions = [] }

    // MARK: When

    private var isFull: Bool {
        arrivalCount >= Self.arrivalsPerCommit || conclusions.count >= Self.conclusionsPerCommit
    }

    private mutating func want(_ urgency: Urgency, at now: Duration) -> Step {
        let instant =
            switch urgency {
            case _ where isFull: now
            case .now: now
            case .afterPause: max(now, pauseEnd)
            case .atLeisure: max(now + Self.leisure, pauseEnd)
            }
        due = min(due ?? instant, instant)
        return isLooking ? .none : nextStep(at: now)
    }

    mutating func timerRang(at now: Duration, for instant: Duration) -> Step {
        if timer == instant { timer = nil }
        return isLooking ? .none : nextStep(at: now)
    }

    private mutating func nextStep(at now: Duration) -> Step {
        guard let due else { return .none }
        if due <= now {
            isLooking = true
            return .look
        }
        guard timer.map({ due < $0 }) ?? true else { return .none }
        timer = due
        return .setTimer(due)
    }

    // MARK: What

    /// The thread looks; without a turn it stops looking and takes the step.
    ///
    /// Work that must not be lost stays where it is while the disk fails, until the next try.
    mutating func look(at now: Duration, isFailing: Bool) -> (Turn?, Step) {
        guard let instant = due, instant <= now else {
            isLooking = false
            return (nil, nextStep(at: now))
        }
        due = nil
        return (take(isFailing: isFailing, at: now), .none)
    }

    private mutating func take(isFailing: Bool, at now: Duration) -> Turn {
        var turn = Turn()
        var count = 0
        while count < Self.arrivalsPerCommit, let batch = batches.popFirst() {
            turn.batches.append(batch)
            count += batch.pushes.count
        }
        arrivalCount -= count
        if !batches.isEmpty { due = now }
        swap(&turn.flushes, &flushes)
        swap(&turn.loads, &loads)
        swap(&turn.isMaintenanceDue, &isMaintenanceDue)
        guard !isFailing || turn.isMaintenanceDue else { return turn }
        swap(&turn.settlements, &settlements)
        swap(&turn.endings, &conclusions)
        return turn
    }

    /// A transaction ended: the next one waits for company.
    mutating func pause(until instant: Duration) {
        pauseEnd = instant
        if !isFull, flushes.isEmpty, let due { self.due = max(due, instant) }
    }
}
