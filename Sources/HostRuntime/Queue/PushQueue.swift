// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Accepted pushes between the answer to their sender and their outcome: stored, and some of them in memory.
///
/// A push is accepted once a store has it; what is known already is answered again and not run again. It belongs to the
/// lane of its device token and topic: first accepted, first started, one at a time; lanes run beside each other.
/// Bounds: `QueueLimits`; for room a sender waits a while.
///
/// A host alone has a journal, where pushes come in and end in one transaction: what it had accepted and not concluded
/// when it ended is concluded by the next one, under the same numbers. A host among others stores pushes for all of
/// them, and concludes what comes to it: `announce`, `release` and `cutOff` say what that is.
///
/// Three parts do the work: `JournalWriter` has a thread and its transactions, `AdmissionDesk` decides who is let in,
/// `PushLanes` starts and ends pushes.
package final class PushQueue: PushAcceptor {
    private let arrivals: JournalWriter
    private let ends: JournalWriter
    private let desk: AdmissionDesk
    private let lanes: PushLanes
    private let clock: HostClock
    private let unfinished: @Sendable () -> Int

    /// The stores of a queue's pushes.
    package enum Stores: Sendable {
        /// The pushes come in and end in one, of a host alone.
        case journal(any PushJournal)
        /// The pushes come in at one, for all hosts, and are read and end at another.
        ///
        /// A push that is stored is not counted here any more: of the limits, that of a device's rate holds for
        /// arrivals, and those of memory for what is loaded. The intake refuses what there is no room for elsewhere.
        case shared(intake: any PushWriting, ledger: any PushLedger)
    }

    /// Makes a queue, which refuses pushes while too much waits for a remote sink to which `outbox` routes their topic.
    package init(
        _ stores: Stores,
        limits: QueueLimits = QueueLimits(),
        outbox: any Outbox,
        clock: HostClock,
        deadlines: DeadlineQueue,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger
    ) {
        let desk = AdmissionDesk(limits: limits, outbox: outbox, logger: logger)
        let unfinished: @Sendable () -> Int =
            switch stores {
            case .journal: { desk.count }
            case .shared(_, let ledger): { ledger.count }
            }
        let lanes = PushLanes(limits: limits, unfinished: unfinished)
        func writer(
            _ store: any PushWriting,
            _ kind: JournalHealth.Store,
            reader: (any PushReading)? = nil,
            desk: AdmissionDesk? = nil
        ) -> JournalWriter {
            JournalWriter(
                store: store,
                reader: reader,
                desk: desk,
                lanes: lanes,
                health: JournalHealth(of: kind, logger: logger),
                limits: limits,
                clock: clock,
                deadlines: deadlines,
                metrics: metrics.journal
            )
        }
        switch stores {
        case .journal(let journal):
            arrivals = writer(journal, .journal, reader: journal, desk: desk)
            ends = arrivals
        case .shared(let intake, let ledger):
            arrivals = writer(intake, .intake, desk: desk)
            ends = writer(ledger, .ledger, reader: ledger)
        }
        self.desk = desk
        self.lanes = lanes
        self.clock = clock
        self.unfinished = unfinished
    }

    /// Each writer once.
    private var writers: [JournalWriter] { arrivals === ends ? [ends] : [arrivals, ends] }

    // MARK: Pushes come in

    package func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        arrivals.put(.arrivals(ArrivalBatch(pushes: batch, answer: answer)))
    }

    /// Pushes without an outcome: all of them, or those that this host has loaded, if it is one among others.
    package var count: Int { unfinished() }

    /// True while the stores work: false from a failure until what failed can be written and read again.
    package var isStoring: Bool { writers.allSatisfy { !$0.isFailing } }

    // MARK: Pushes are concluded

    /// Concludes pushes until `drain()` and the end of what was accepted before it; their ends are on the disk then.
    ///
    /// `conclude` is awaited push by push within a lane; `nil` leaves the push in the journal, for the next process.
    /// Cancelling the task abandons what waits: drain instead.
    package func run(_ conclude: @escaping @Sendable (IncomingPush) async -> Conclusion?) async {
        await lanes.run(conclude, ended: ends.ended)
        await ends.flush()
    }

    /// Calls `action` after each transaction that put records into an outbox, on the journal's thread.
    package func onRecordsStored(_ action: @escaping @Sendable () -> Void) {
        ends.onRecordsStored(action)
    }

    /// Returns when the settlements are on the disk.
    ///
    /// The call waits while the disk fails, unless the queue drains: then the records go again in the next process.
    package func settle(_ settlements: [Settlement]) async {
        await withCheckedContinuation { done in ends.put(.settlements(settlements, done: done)) }
    }

    // MARK: Beside the pushes

    /// Counts what a former process had accepted and not concluded; it starts with `run`.
    ///
    /// Called once, before anything is accepted, with all of it in the order of its numbers.
    package func takeUp(_ unfinished: [UnfinishedPush]) {
        desk.takeUp(unfinished, now: clock.now)
        lanes.takeUp(unfinished)
        ends.put(.loads(Set(unfinished.map(\.topic))))
    }

    /// Loads pushes of these topics when there is room: the ledger has some.
    package func announce(_ topics: Set<String>) {
        lanes.announce(topics)
        ends.put(.loads(topics))
    }

    /// Takes out what waits of a partition, and returns it; what is at work of it goes on.
    ///
    /// The ledger gives no more of the partition.
    package func release(_ partition: Int16) -> [IncomingPush] { lanes.release(partition) }

    /// Cancels what is at work, forgets what waits, and returns when nothing is at work; then pushes may be announced
    /// anew.
    ///
    /// Ends that are not written by then are dropped. The ledger gives nothing until this returns.
    package func cutOff() async {
        await lanes.cutOff()
        // A load that had begun before is over then, and what it was given is nobody's; nor are ends that were not
        // written.
        await ends.flush()
        ends.dropEndings()
    }

    /// Calls `abandon` whenever `cutOff` has cancelled what is at work, to end what does not hear of that.
    package func onCutOff(_ abandon: @escaping @Sendable () async -> Void) { lanes.onCutOff(abandon) }

    /// Lets the journal look after itself, and a failing disk prove itself, until the task is cancelled.
    package func maintain() async {
        var next = clock.now
        while !Task.isCancelled {
            next = max(next + .seconds(1), clock.now)
            try? await clock.sleep(until: next)
            for writer in writers { writer.put(.maintenance) }
        }
    }

    // MARK: Ends

    /// Refuses new pushes from now on, and those that wait for room; `run` returns when the accepted ones have
    /// concluded.
    package func drain() {
        desk.drain()
        lanes.drain()
        lookAgain()
    }

    /// Refuses new pushes and starts none any more: `run` returns when those at work have concluded, and what waits
    /// stays in the journal.
    package func leave() {
        desk.drain()
        lanes.leave()
        lookAgain()
    }

    /// Starts no push any more, and stores what comes until `drain` or `leave`: the next process concludes it.
    package func startNoMore() {
        lanes.startNoMore()
        lookAgain()
    }

    private func lookAgain() {
        lanes.finishIfOver()
        for writer in writers { writer.put(.change) }
    }

    /// Writes the settlements that came since `run` returned; the journal may be closed then, and nothing is written
    /// any more.
    package func end() async {
        for writer in writers { await writer.end() }
    }
}
