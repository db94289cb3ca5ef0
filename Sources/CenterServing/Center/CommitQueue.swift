// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
private import Dispatch
private import Locking

/// The way of work to the store: what comes while one transaction is on its way to the disk is the next transaction.
///
/// A slow disk so makes transactions larger, and rows cheaper. The queue is as long as what its callers wait for: each
/// waits for its own work, and each has a bound of its own.
final class CommitQueue: Sendable {
    /// Pieces of work in one transaction, but for a caller that brings more at once.
    static let limit = 1024

    private struct Entry {
        let work: [CenterWork]
        let answer: CheckedContinuation<Result<[WorkResult], DatabaseFailure>, Never>
    }

    private struct State {
        var entries: [Entry] = []
        /// The writing thread has been told, and takes what is there when it comes to it.
        var isAwaited = false
        /// The counters of the apps that the configuration names.
        var topics: [String: TopicCounts] = [:]
    }

    private let store: CenterStore
    private let clock: CenterClock
    private let metrics: CenterMetrics
    private let state = Locked(State())
    /// The one thread that writes.
    private let writer = DispatchQueue(label: "center.writer")

    init(_ store: CenterStore, _ clock: CenterClock, _ metrics: CenterMetrics) {
        self.store = store
        self.clock = clock
        self.metrics = metrics
    }

    /// Has these apps counted by their topics from now on, and all others together.
    func name(_ topics: [String: TopicCounts]) { state.withLock { $0.topics = topics } }

    /// Does all of it in one transaction with others, and returns when it is on the disk.
    ///
    /// A cancelled task changes nothing: what was handed over is done. A failure means that none of it was.
    func commit(_ work: [CenterWork]) async throws(DatabaseFailure) -> [WorkResult] {
        guard !work.isEmpty else { return [] }
        return try await withCheckedContinuation { answer in
            let isFirst = state.withLock { state in
                state.entries.append(Entry(work: work, answer: answer))
                defer { state.isAwaited = true }
                return !state.isAwaited
            }
            if isFirst { writer.async { self.write() } }
        }.get()
    }

    /// Has the store do something else that writes, between two transactions.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (CenterStore) throws(DatabaseFailure) -> Value
    ) async throws(DatabaseFailure) -> Value {
        try await withCheckedContinuation { answer in
            writer.async { [store] in
                answer.resume(returning: Result { () throws(DatabaseFailure) in try body(store) })
            }
        }.get()
    }

    /// Does work in a transaction of its own and counts it, on the thread that writes.
    func commitNow(_ work: [CenterWork]) throws(DatabaseFailure) -> [WorkResult] {
        try commit(work, counting: state.withLock(\.topics))
    }

    private func commit(
        _ work: [CenterWork],
        counting topics: [String: TopicCounts]
    ) throws(DatabaseFailure) -> [WorkResult] {
        let start = clock.measure()
        let results = try store.commit(work, at: clock.wall())
        metrics.store.committed(work.count, in: clock.measure() - start)
        WorkTally(metrics: metrics, topics: topics).count(work, results)
        return results
    }

    private func write() {
        let (entries, topics) = takeEntries()
        let work = entries.flatMap(\.work)
        let committed = Result { () throws(DatabaseFailure) in try commit(work, counting: topics) }
        switch committed {
        case .success(let results):
            var rest = results[...]
            for entry in entries {
                entry.answer.resume(returning: .success(Array(rest.prefix(entry.work.count))))
                rest = rest.dropFirst(entry.work.count)
            }
        case .failure(let failure):
            for entry in entries { entry.answer.resume(returning: .failure(failure)) }
        }
        let hasMore = state.withLock { state in
            state.isAwaited = !state.entries.isEmpty
            return state.isAwaited
        }
        if hasMore { writer.async { self.write() } }
    }

    private func takeEntries() -> ([Entry], topics: [String: TopicCounts]) {
        state.withLock { state in
            var count = 0
            var size = 0
            while count < state.entries.count, count == 0 || size + state.entries[count].work.count <= Self.limit {
                size += state.entries[count].work.count
                count += 1
            }
            defer { state.entries.removeFirst(count) }
            return (Array(state.entries[..<count]), state.topics)
        }
    }
}
