// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Suspends for a span of `ContinuousClock`; the task goes on where it prefers to run.
    ///
    /// For tasks that prefer the loop no other thread takes part. Throws `CancellationError` as soon as the task is
    /// cancelled. A span that is not positive is over at once.
    package func sleep(for span: Duration) async throws {
        guard span > .zero else { return try Task.checkCancellation() }
        let instant = ContinuousClock.now + span
        let id = withSleepers { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = withSleepers { sleepers in
                    // The handler below finds nothing before this, and what it would have done is done here.
                    guard !Task.isCancelled else { return true }
                    sleepers.add(.init(id: id, instant: instant, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            withSleepers { $0.remove(id) }?.continuation.resume(throwing: CancellationError())
        }
    }
}
