// SPDX-License-Identifier: Apache-2.0

private import Locking
package import Logging

/// Hands the records that wait for one remote sink over, at least once, each device's in the order of its pushes.
///
/// Each sink has a sender of its own, so that a slow one holds nobody. Nothing is kept here but what is under way: the
/// journal remembers. A record's name is the same at each attempt, so the other side can drop
/// a repeat, which comes after a crash between its answer and the settlement.
package final class OutboxSender: Sendable {
    package typealias Settle = @Sendable ([Settlement]) async -> Void

    private struct State: ~Copyable {
        var schedule: OutboxSchedule
        /// The instant at which a drain ends: what is due is sent until then, and nothing after; nil without a drain.
        var end: Duration?
    }

    private let sink: any RemoteSink
    private let journal: any OutboxReading
    private let settle: Settle
    private let targetGone: @Sendable (String) async -> Void
    private let clock: HostClock
    private let random: @Sendable () -> Double
    private let metrics: OutboxMetrics
    private let logger: Logger
    private let state: Locked<State>
    private let news = Signal()
    /// The thread that asks the journal, which blocks.
    private let reader: SerialWork

    /// Makes one; `run` starts it.
    ///
    /// `settle` returns when the settlements are on the disk. `targetGone` is told the device token whose target no
    /// longer exists; its record is a dead letter. There are at most `concurrency` attempts at once, each for another
    /// device. `random` is in 0..<1.
    package init(
        sink: any RemoteSink,
        journal: any OutboxReading,
        settle: @escaping Settle,
        targetGone: @escaping @Sendable (String) async -> Void = { _ in },
        concurrency: Int = 8,
        policy: RetryPolicy = RetryPolicy(),
        clock: HostClock,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        metrics: HostMetrics = HostMetrics(),
        logger: Logger
    ) {
        self.sink = sink
        self.journal = journal
        self.settle = settle
        self.targetGone = targetGone
        self.clock = clock
        self.random = random
        self.metrics = metrics.outbox
        var logger = logger
        logger[metadataKey: "sink.name"] = "\(sink.name)"
        self.logger = logger
        state = Locked(State(schedule: OutboxSchedule(concurrency: max(1, concurrency), policy: policy)))
        reader = SerialWork(name: "outbox.\(sink.name)")
    }

    package var name: String { sink.name }

    /// Records were added to the journal: look now.
    package func wake() {
        news.raise()
    }

    /// From now on `run` returns as soon as nothing is due and nothing under way, and after `limit` at the latest.
    ///
    /// Nothing is waited for that is to be tried again later: the journal has it.
    package func drain(within limit: Duration) {
        let end = clock.now + limit
        state.withLock { $0.end = min($0.end ?? end, end) }
        news.raise()
    }

    /// Sends until `drain` or until the task is cancelled.
    ///
    /// An attempt under way at the end is cancelled; the record goes again in the next run, under the same name.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                // Judged before the look: what is let go during it has a next one to look for.
                let (end, wasIdle) = state.withLock { ($0.end, $0.schedule.inFlightCount == 0) }
                let records = await look()
                for record in records { group.addTask { await self.attempt(record) } }
                let now = clock.now
                if let end, now >= end || (wasIdle && records.isEmpty) { break }
                let next = state.withLock { $0.schedule.nextLook(at: now) }
                await clock.sleep(until: end.map { min($0, next) } ?? next, orUntil: news)
            }
            group.cancelAll()
        }
    }

    /// Takes from the journal what can go now.
    private func look() async -> [OutboxRecord] {
        let now = clock.now
        guard let limit = state.withLock({ $0.schedule.beginLook(at: now) }) else { return [] }
        switch await due(limit) {
        case .success(let due):
            return state.withLock { $0.schedule.start(due) }
        case .failure(let error):
            logger.error("outbox not readable", metadata: ["error": "\(error)"])
            state.withLock { $0.schedule.pause(at: now) }
            return []
        }
    }

    private func due(_ limit: Int) async -> Result<[OutboxRecord], JournalError> {
        await reader.result { [journal, sink] in
            Result { () throws(JournalError) in try journal.due(for: sink.name, limit: limit) }
        }
    }

    private func attempt(_ record: OutboxRecord) async {
        defer { news.raise() }
        let label = LabelValue(configured: sink.name)
        let start = clock.now
        metrics.inFlight.with(label).add(1)
        let sending = await sink.send(record)
        metrics.inFlight.with(label).add(-1)
        let now = clock.now
        metrics.attemptSeconds.with(label).observe(now - start)
        if Task.isCancelled, case .failed = sending {
            state.withLock { $0.schedule.release(record, retryAfter: nil, at: now) }
            return
        }
        let random = random()
        let (verdict, turn) = state.withLock { $0.schedule.ended(record, sending, at: now, random: random) }
        note(record, sending, verdict, turn)
        await settle([Settlement(sink: sink.name, number: record.number, verdict: verdict)])
        if case .gone = sending { await targetGone(record.deviceToken) }
        var wait: Duration?
        if case .retry(let after, _) = verdict { wait = after }
        let settled = clock.now
        state.withLock { $0.schedule.release(record, retryAfter: wait, at: settled) }
    }
}

// What is counted and said of an attempt.
extension OutboxSender {
    private func note(
        _ record: OutboxRecord,
        _ sending: Sending,
        _ verdict: Settlement.Verdict,
        _ turn: OutboxSchedule.Turn?
    ) {
        metrics.attempts.with(LabelValue(configured: sink.name), Self.result(sending, verdict)).increment()
        var metadata: Logger.Metadata = [
            "push.delivery": "\(record.delivery)", "attempt": "\(record.attempts + 1)",
        ]
        switch verdict {
        case .delivered: logger.trace("record taken", metadata: metadata)
        case .retry(let wait, let reason):
            metadata["reason"] = "\(reason)"
            metadata["wait"] = "\(wait)"
            logger.debug("record not taken", metadata: metadata)
        case .dead(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("record given up", metadata: metadata)
        }
        switch turn {
        case .failing: logger.warning("sink is failing", metadata: metadata)
        case .recovered: logger.notice("sink takes records again", metadata: metadata)
        case nil: break
        }
    }

    private static func result(_ sending: Sending, _ verdict: Settlement.Verdict) -> LabelValue {
        switch sending {
        case .delivered: "delivered"
        case .refused: "refused"
        case .gone: "gone"
        case .failed:
            if case .dead = verdict { "givenUp" } else { "failed" }
        }
    }
}
