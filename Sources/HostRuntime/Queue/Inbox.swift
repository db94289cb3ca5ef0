// SPDX-License-Identifier: Apache-2.0

/// What the queue's thread finds when it looks, and when it looks next.
///
/// The thread looks when something is due. Transactions cost their fill in waits, system calls and wake-ups, so what
/// comes right after one waits for company, a pause long; an idle queue writes at once.
struct Inbox {
    /// How soon the thread is to look.
    enum Urgency {
        case now
        /// When the pause after the last transaction is over.
        case afterPause
        /// Nobody waits for it.
        case atLeisure
    }

    enum Step {
        case none
        case look
        case setTimer(Duration)
    }

    /// What one turn does.
    struct Turn {
        var batches: [ArrivalBatch] = []
        var endings: [PushQueue.Ending] = []
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

    private(set) var batches = Backlog<ArrivalBatch>()
    var conclusions: [PushQueue.Ending] = []
    var settlements: [(all: [Settlement], done: CheckedContinuation<Void, Never>)] = []
    var flushes: [CheckedContinuation<Void, Never>] = []
    /// Topics of which something is on the disk only.
    var loads: Set<String> = []
    var isMaintenanceDue = false

    private var arrivalCount = 0
    /// When there is something to do; nil: never yet.
    private var due: Duration?
    /// The first timer on its way.
    private var timer: Duration?
    private var pauseEnd: Duration = .zero
    /// The thread looks, or is about to.
    private var isLooking = false

    mutating func append(_ batch: ArrivalBatch) {
        batches.append(batch)
        arrivalCount += batch.pushes.count
    }

    // MARK: When

    private var isFull: Bool {
        arrivalCount >= Self.arrivalsPerCommit || conclusions.count >= Self.conclusionsPerCommit
    }

    /// Something was put in.
    mutating func want(_ urgency: Urgency, at now: Duration) -> Step {
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
    /// While the disk fails, what must not be lost stays where it is until the next try.
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
