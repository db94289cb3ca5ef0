// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging

/// A journal without a disk that keeps the promises of a real one, and fails when it is told to.
final class MemoryJournal: PushJournal {
    struct State {
        var nextNumber: Int64 = 1
        var waiting: [IncomingPush] = []
        var seen: [String: String] = [:]
        var failure: JournalError?
        /// The error of reading alone; `nil` while reading succeeds.
        var readFailure: JournalError?
        var commits: [JournalWork] = []
        var maintenanceCount = 0
        var fullSinks: Set<String> = []
    }

    let name = "00c0ffee"
    private let state: Locked<State>
    private let committed: @Sendable (JournalWork, [Arrival]) -> Void

    /// Begins with what a former process accepted; `committed` is called after each transaction.
    init(
        former: [IncomingPush] = [],
        committed: @escaping @Sendable (JournalWork, [Arrival]) -> Void = { _, _ in }
    ) {
        self.committed = committed
        var state = State()
        for push in former {
            var push = push
            let number = push.number ?? state.nextNumber
            push.number = number
            push.delivery = DeliveryName(store: name, count: number)
            state.nextNumber = number + 1
            state.waiting.append(push)
        }
        self.state = Locked(state)
    }

    func delivery(of number: Int64) -> DeliveryName? { DeliveryName(store: name, count: number) }

    func change<Result>(_ change: (inout State) -> Result) -> Result { state.withLock(change) }

    func commit(_ work: JournalWork, admit: (IncomingPush) -> Bool) throws(JournalError) -> [Arrival] {
        // Not under the lock: `admit` takes others.
        var copy = state.withLock { $0 }
        var arrivals: [Arrival] = []
        for push in work.arrivals {
            let key = push.deviceToken + push.topic + push.id
            if let id = copy.seen[key] {
                arrivals.append(.repeated(id: id))
            } else if admit(push) {
                copy.seen[key] = push.id
                var push = push
                push.number = copy.nextNumber
                push.delivery = delivery(of: copy.nextNumber)
                copy.nextNumber += 1
                copy.waiting.append(push)
                arrivals.append(.stored(number: copy.nextNumber - 1))
            } else {
                arrivals.append(.turnedAway)
            }
        }
        let done = Set(work.conclusions.map(\.number))
        copy.waiting.removeAll { done.contains($0.number ?? 0) }
        copy.commits.append(work)
        let failure = state.withLock { state -> JournalError? in
            if let failure = state.failure { return failure }
            state = copy
            return nil
        }
        if let failure { throw failure }
        committed(work, arrivals)
        return arrivals
    }

    func unfinished() throws(JournalError) -> [UnfinishedPush] {
        state.withLock { state in
            state.waiting.map { push in
                UnfinishedPush(
                    number: push.number ?? 0,
                    topic: push.topic,
                    deviceToken: push.deviceToken,
                    byteCount: push.payloadByteCount
                )
            }
        }
    }

    func pushes(of topic: String, after number: Int64, limit: Int) throws(JournalError) -> [IncomingPush] {
        let (pushes, failure) = state.withLock { state in
            let pushes = state.waiting.filter { $0.topic == topic && ($0.number ?? 0) > number }
            return (Array(pushes.prefix(limit)), state.readFailure)
        }
        if let failure { throw failure }
        return pushes
    }

    func raise(to number: Int64) throws(JournalError) {
        state.withLock { $0.nextNumber = max($0.nextNumber, number) }
    }

    func maintain() throws(JournalError) -> Bool {
        let failure = state.withLock { state in
            state.maintenanceCount += 1
            return state.failure
        }
        if let failure { throw failure }
        return false
    }

    func fullSinks(records: Int, byteCount: Int) -> Set<String> { state.withLock(\.fullSinks) }

    func due(for sink: String, limit: Int) throws(JournalError) -> [OutboxRecord] { [] }

    func waiting(
        for sink: String,
        except: Set<Int64>,
        limit: Int,
        byteCount: Int
    ) throws(JournalError) -> [OutboxRecord] { [] }

    func leastOpen(for sink: String) throws(JournalError) -> Int64? { nil }
}

/// A queue over a journal in memory, while its deadlines run.
func withQueue<Result>(
    limits: QueueLimits = .impatient(),
    journal: MemoryJournal = MemoryJournal(),
    clock: HostClock = HostClock(ContinuousClock()),
    _ body: (PushQueue) async throws -> Result
) async rethrows -> Result {
    let deadlines = DeadlineQueue(clock: clock)
    let queue = PushQueue(
        .journal(journal),
        limits: limits,
        outbox: FakeRoutes { $0 == "chat" ? ["chat", "archive"] : ["archive"] },
        clock: clock,
        deadlines: deadlines,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    let running = Task { await deadlines.run() }
    defer { running.cancel() }
    return try await body(queue)
}

extension QueueLimits {
    /// Nobody waits for room.
    static func impatient(pushes: Int = 1000, byteCount: Int = 1 << 20, perDevice: Int = 1000) -> QueueLimits {
        var limits = QueueLimits()
        limits.pushes = pushes
        limits.byteCount = byteCount
        limits.pushesPerDevice = perDevice
        limits.patience = .zero
        limits.burst = 100_000
        return limits
    }
}

extension PushQueue {
    /// Takes up what a journal has from a former process, and returns how much that is.
    func takeUp(from journal: MemoryJournal) throws(JournalError) -> Int {
        let unfinished = try journal.unfinished()
        takeUp(unfinished)
        return unfinished.count
    }

    /// Accepts a batch and returns the answers to its senders, in order; `answered` is called with each answer first.
    func verdicts(
        _ batch: [IncomingPush],
        answered: @escaping @Sendable (Acceptance) -> Void = { _ in }
    ) async -> [Acceptance] {
        guard !batch.isEmpty else { return [] }
        let (stream, answers) = AsyncStream<(Int, [Acceptance])>.makeStream()
        accept(batch) { place, some in
            for answer in some { answered(answer) }
            answers.yield((place, some))
        }
        var all = [Acceptance?](repeating: nil, count: batch.count)
        for await (place, some) in stream {
            for (index, acceptance) in zip(place..., some) { all[index] = acceptance }
            if all.allSatisfy({ $0 != nil }) { break }
        }
        return all.map { $0 ?? .unavailable }
    }

    /// Returns when every accepted push has concluded, on the disk.
    func emptied() async {
        while count > 0, !Task.isCancelled { await Task.yield() }
    }
}

extension Conclusion {
    /// Makes the conclusion of a push for which no remote sink waits.
    init(of push: IncomingPush) {
        self.init(number: push.number ?? 0, record: nil, deviceToken: push.deviceToken, sinks: [])
    }
}
