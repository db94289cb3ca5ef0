// SPDX-License-Identifier: Apache-2.0

private import Dispatch
internal import Locking
package import Logging

/// Accepted pushes between the answer to their sender and their outcome: on the disk, and some of them in memory.
///
/// A push is accepted once its journal has it, on the disk; what is known already is answered again and not run again.
/// It belongs to the lane of its device token and topic: first accepted, first started, one at a time; lanes run beside
/// each other. Bounds: `QueueLimits`; for room a sender waits a while. What a host had accepted and not concluded when
/// it ended is concluded by the next one, under the same numbers.
///
/// One thread writes: it gathers what is to be written while the disk is busy, and writes it as one transaction. While
/// the disk fails new pushes are turned away at once, and the rest is tried again every second; a journal that is damaged
/// is left as it is, for a person.
package final class PushQueue: PushAcceptor {
    struct Ending: Sendable {
        let conclusion: Conclusion
        let topic: String
        let byteCount: Int
    }

    struct State {
        var admission: Admission
        var board: LaneBoard
        var isDraining = false
        /// What waits stays on the disk.
        var isLeaving = false
        /// Numbers up to this are of former processes.
        var lastOfFormerProcess: Int64 = 0
        var isFailing = false
        /// And will until another process opens a sound journal: this one is not written any more.
        var isDamaged = false
        var fullSinks: Set<String> = []
        /// Everything is written, and the journal may be closed.
        var hasEnded = false
    }

    package let journal: any PushJournal
    let limits: QueueLimits
    let clock: HostClock
    let deadlines: DeadlineQueue
    let metrics: JournalMetrics
    let logger: Logger
    let outbox: any Outbox
    let state: Locked<State>
    let inbox = Locked(Inbox())
    /// Told after each transaction that put records into an outbox.
    let recordsStored = Locked<@Sendable () -> Void>({})
    /// The thread's own.
    let waiting = Locked(WaitingRoom())
    private let thread = DispatchQueue(label: "journal")
    private let started: AsyncStream<IncomingPush>
    private let starter: AsyncStream<IncomingPush>.Continuation

    /// While too much waits in `outbox` for a remote sink, pushes of the topics that it takes are refused.
    package init(
        journal: any PushJournal,
        limits: QueueLimits = QueueLimits(),
        outbox: any Outbox,
        clock: HostClock,
        deadlines: DeadlineQueue,
        metrics: Metrics = Metrics(),
        logger: Logger
    ) {
        self.journal = journal
        self.limits = limits
        self.outbox = outbox
        self.clock = clock
        self.deadlines = deadlines
        self.metrics = metrics.journal
        self.logger = logger
        state = Locked(State(admission: Admission(limits: limits), board: LaneBoard(limits: limits)))
        // Bounded by the lanes that may be at work.
        (started, starter) = AsyncStream.makeStream()
    }

    // MARK: Pushes come in

    package func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        ask(.afterPause) { $0.append(ArrivalBatch(pushes: batch, answer: answer)) }
    }

    /// Pushes without an outcome, on the disk.
    package var count: Int { state.withLock { $0.admission.pushes } }

    /// The disk took the last transaction.
    package var isStoring: Bool { state.withLock { !$0.isFailing } }

    // MARK: Pushes are concluded

    /// Concludes pushes until `drain()` and the end of what was accepted before it; their ends are on the disk then.
    ///
    /// `conclude` is awaited push by push within a lane; nil leaves the push in the journal, for the next process.
    /// Cancelling the task abandons what waits: drain instead.
    package func run(_ conclude: @escaping @Sendable (IncomingPush) async -> Conclusion?) async {
        await withDiscardingTaskGroup { group in
            for await first in started {
                group.addTask { await self.run(from: first, conclude) }
            }
        }
        await flush()
    }

    /// Returns when what was handed in before is on the disk, or when the disk fails.
    private func flush() async {
        await withCheckedContinuation { done in ask(.now) { $0.flushes.append(done) } }
    }

    private func run(from first: IncomingPush, _ conclude: @Sendable (IncomingPush) async -> Conclusion?) async {
        var next: IncomingPush? = first
        while let push = next {
            let conclusion = await conclude(push)
            next = finish(push, conclusion)
        }
    }

    /// Takes a concluded push out of memory and returns the next that starts.
    private func finish(_ push: IncomingPush, _ conclusion: Conclusion?) -> IncomingPush? {
        let (next, wantsLoad, isOver) = state.withLock { state -> (IncomingPush?, Bool, Bool) in
            let next = state.board.finished(push, startsNext: !state.isLeaving)
            return (next, !state.isLeaving && state.board.wantsLoad(push.topic), state.isOver)
        }
        if let conclusion {
            let ending = Ending(conclusion: conclusion, topic: push.topic, byteCount: push.payloadByteCount)
            ask(.atLeisure) { $0.conclusions.append(ending) }
        }
        if wantsLoad { ask(.now) { $0.loads.insert(push.topic) } }
        if isOver { starter.finish() }
        return next
    }

    /// `action` is called after each transaction that put records into an outbox, on the journal's thread.
    package func onRecordsStored(_ action: @escaping @Sendable () -> Void) {
        recordsStored.withLock { $0 = action }
    }

    /// Returns when it is on the disk; while the disk fails, it waits, unless the queue drains: then the records go
    /// again in the next process.
    package func settle(_ settlements: [Settlement]) async {
        await withCheckedContinuation { done in ask(.afterPause) { $0.settlements.append((settlements, done)) } }
    }

    // MARK: Beside the pushes

    /// Counts what a former process had accepted and not concluded; it starts with `run`.
    ///
    /// Called once, before anything is accepted; blocks on the disk.
    package func takeUp() throws(JournalError) -> Int {
        let unfinished = try journal.unfinished()
        let now = clock.now
        state.withLock { state in
            for push in unfinished {
                state.admission.takeUp(push, now: now)
                state.board.takeUp(topic: push.topic)
            }
            state.lastOfFormerProcess = unfinished.last?.number ?? 0
        }
        ask(.now) { $0.loads = Set(unfinished.map(\.topic)) }
        return unfinished.count
    }

    /// Lets the journal look after itself, and a failing disk prove itself, until the task is cancelled.
    package func maintain() async {
        var next = clock.now
        while !Task.isCancelled {
            next = max(next + .seconds(1), clock.now)
            try? await clock.sleep(until: next)
            ask(.now) { $0.isMaintenanceDue = true }
        }
    }

    // MARK: Ends

    /// Refuses new pushes from now on, and those that wait for room; `run` returns when the accepted ones have concluded.
    package func drain() {
        state.withLock { $0.isDraining = true }
        finishIfOver()
        ask(.now) { _ in }
    }

    /// Refuses new pushes and starts none any more: `run` returns when those at work have concluded, and what waits
    /// stays in the journal.
    package func leave() {
        state.withLock { state in
            state.isDraining = true
            state.isLeaving = true
        }
        finishIfOver()
        ask(.now) { _ in }
    }

    /// Writes the settlements that came since `run` returned; the journal may be closed then, and nothing is written
    /// any more.
    package func end() async {
        await flush()
        state.withLock { $0.hasEnded = true }
        // What came between the two is refused before this returns.
        await flush()
    }

    // MARK: The thread

    func start(_ pushes: [IncomingPush]) {
        for push in pushes { starter.yield(push) }
    }

    func finishIfOver() {
        if state.withLock(\.isOver) { starter.finish() }
    }

    func ask(_ urgency: Inbox.Urgency, _ change: (inout Inbox) -> Void) {
        let now = clock.now
        take(
            inbox.withLock { inbox in
                change(&inbox)
                return inbox.want(urgency, at: now)
            }
        )
    }

    func take(_ step: Inbox.Step) {
        switch step {
        case .none: break
        case .look: thread.async { [self] in work() }
        case .setTimer(let instant):
            deadlines.schedule(at: instant) { [self] in
                let now = clock.now
                take(inbox.withLock { $0.timerRang(at: now, for: instant) })
            }
        }
    }
}

extension PushQueue.State {
    /// Nothing starts any more and nothing is at work.
    var isOver: Bool {
        isDraining && board.lanesAtWork == 0 && (isLeaving || (board.loaded == 0 && admission.pushes == 0))
    }
}
