// SPDX-License-Identifier: Apache-2.0

private import Dispatch

/// Runs jobs one after the other, in the order in which they were handed in, on a thread that may block.
///
/// A serial `DispatchQueue`, for jobs that come with each push. `DispatchQueue.async` allocates a small piece of memory
/// for each job, and on Linux each thread of the pool keeps up to 1,024 of those that it ran. They were allocated among
/// the pieces of pushes, so each keeps a page that a host at rest could give back: 1.8 MB after 40,000 connections.
/// Here a dispatch source wakes the queue, which allocates nothing. The owner bounds the jobs that wait. What waits
/// when the last reference is gone runs all the same.
package final class SerialWork: Sendable {
    // SAFETY: any thread may wake or cancel a dispatch source.
    @safe private struct Source: @unchecked Sendable {
        let wakes: any DispatchSourceUserDataOr
    }

    private let queue: DispatchQueue
    private let source: Source
    private let waiting = Locked<[@Sendable () -> Void]>([])

    package init(name: String) {
        queue = DispatchQueue(label: name)
        source = Source(wakes: DispatchSource.makeUserDataOrSource(queue: queue))
        source.wakes.setEventHandler { [waiting] in Self.runAll(waiting) }
        source.wakes.activate()
    }

    deinit {
        // A cancelled source forgets that it was woken.
        queue.async { [waiting] in Self.runAll(waiting) }
        source.wakes.cancel()
    }

    /// Runs `job` behind those that wait.
    package func run(_ job: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(job)
            return waiting.count == 1
        }
        if isFirst { source.wakes.or(data: 1) }
    }

    /// Returns the result of `work`, which runs behind the jobs that wait.
    package func result<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in
            run { caller.resume(returning: work()) }
        }
    }

    private static func runAll(_ waiting: Locked<[@Sendable () -> Void]>) {
        let jobs = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for job in jobs { job() }
    }
}
