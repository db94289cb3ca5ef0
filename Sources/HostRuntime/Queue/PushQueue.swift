// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Accepted pushes between the answer to their sender and their outcome: on the disk, and some of them in memory.
///
/// A push is accepted once its journal has it, on the disk; what is known already is answered again and not run again.
/// It belongs to the lane of its device token and topic: first accepted, first started, one at a time; lanes run beside
/// each other. Bounds: `QueueLimits`; for room a sender waits a while. What a host had accepted and not concluded when
/// it ended is concluded by the next one, under the same numbers.
///
/// Three parts do the work: `JournalWriter` has the thread and its transactions, `AdmissionDesk` decides who is let in,
/// `PushLanes` starts and ends pushes.
package final class PushQueue: PushAcceptor {
    package let journal: any PushJournal
    private let desk: AdmissionDesk
    private let lanes: PushLanes
    private let health: JournalHealth
    private let writer: JournalWriter
    private let clock: HostClock

    /// Makes a queue that refuses pushes while too much waits for a remote sink to which `outbox` routes their topic.
    package init(
        journal: any PushJournal,
        limits: QueueLimits = QueueLimits(),
        outbox: any Outbox,
        clock: HostClock,
        deadlines: DeadlineQueue,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger
    ) {
        self.journal = journal
        self.clock = clock
        let desk = AdmissionDesk(limits: limits, outbox: outbox, logger: logger)
        self.desk = desk
        lanes = PushLanes(limits: limits, unfinished: { desk.count })
        health = JournalHealth(logger: logger)
        writer = JournalWriter(
            journal: journal,
            desk: desk,
            lanes: lanes,
            health: health,
            limits: limits,
            clock: clock,
            deadlines: deadlines,
            metrics: metrics.journal
        )
    }

    // MARK: Pushes come in

    package func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        writer.put(.arrivals(ArrivalBatch(pushes: batch, answer: answer)))
    }

    /// Pushes without an outcome, on the disk.
    package var count: Int { desk.count }

    /// True while the disk works: false from a failure until the journal can be written and read again.
    package var isStoring: Bool { !health.isFailing }

    // MARK: Pushes are concluded

    /// Concludes pushes until `drain()` and the end of what was accepted before it; their ends are on the disk then.
    ///
    /// `conclude` is awaited push by push within a lane; `nil` leaves the push in the journal, for the next process.
    /// Cancelling the task abandons what waits: drain instead.
    package func run(_ conclude: @escaping @Sendable (IncomingPush) async -> Conclusion?) async {
        await lanes.run(conclude, ended: writer.ended)
        await writer.flush()
    }

    /// Calls `action` after each transaction that put records into an outbox, on the journal's thread.
    package func onRecordsStored(_ action: @escaping @Sendable () -> Void) {
        writer.onRecordsStored(action)
    }

    /// Returns when the settlements are on the disk.
    ///
    /// The call waits while the disk fails, unless the queue drains: then the records go again in the next process.
    package func settle(_ settlements: [Settlement]) async {
        await withCheckedContinuation { done in writer.put(.settlements(settlements, done: done)) }
    }

    // MARK: Beside the pushes

    /// Counts what a former process had accepted and not concluded; it starts with `run`.
    ///
    /// Called once, before anything is accepted; blocks on the disk.
    package func takeUp() throws(JournalError) -> Int {
        let unfinished = try journal.unfinished()
        desk.takeUp(unfinished, now: clock.now)
        lanes.takeUp(unfinished)
        writer.put(.loads(Set(unfinished.map(\.topic))))
        return unfinished.count
    }

    /// Lets the journal look after itself, and a failing disk prove itself, until the task is cancelled.
    package func maintain() async {
        var next = clock.now
        while !Task.isCancelled {
            next = max(next + .seconds(1), clock.now)
            try? await clock.sleep(until: next)
            writer.put(.maintenance)
        }
    }

    // MARK: Ends

    /// Refuses new pushes from now on, and those that wait for room; `run` returns when the accepted ones have
    /// concluded.
    package func drain() {
        desk.drain()
        lanes.drain()
        lanes.finishIfOver()
        writer.put(.change)
    }

    /// Refuses new pushes and starts none any more: `run` returns when those at work have concluded, and what waits
    /// stays in the journal.
    package func leave() {
        desk.drain()
        lanes.leave()
        lanes.finishIfOver()
        writer.put(.change)
    }

    /// Writes the settlements that came since `run` returned; the journal may be closed then, and nothing is written
    /// any more.
    package func end() async { await writer.end() }
}
