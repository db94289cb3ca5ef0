// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// A continuation orders what another thread wrote before it resumed it, also if nobody awaited it yet.
///
/// The thread sanitizer alone can tell: without it these tests hold whatever the order.
struct ContinuationTests {
    @Test func `a checked continuation that is resumed first`() async {
        let box = await withCheckedContinuation { continuation in
            onAnotherThread { continuation.resume(returning: Box(7)) }
        }
        #expect(box.value == 7)
    }

    @Test func `a checked continuation that may throw and is resumed first`() async throws {
        let box = try await withCheckedThrowingContinuation { continuation in
            onAnotherThread { continuation.resume(returning: Box(7)) }
        }
        #expect(box.value == 7)
    }

    @Test func `a checked continuation that throws first`() async {
        let failure = await #expect(throws: Failure.self) {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                onAnotherThread { continuation.resume(throwing: Failure(box: Box(7))) }
            }
        }
        #expect(failure?.box.value == 7)
    }

    @Test func `an unsafe continuation that is resumed first`() async throws {
        let box = await withUnsafeContinuation { continuation in
            onAnotherThread { continuation.resume(returning: Box(7)) }
        }
        #expect(box.value == 7)
        let other = try await withUnsafeThrowingContinuation { continuation in
            onAnotherThread { continuation.resume(returning: Box(7)) }
        }
        #expect(other.value == 7)
    }

    /// Returns when `work` is done on a thread of its own, and orders nothing: neither a lock nor a join.
    private func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
        let done = Flag()
        Thread.detachNewThread {
            work()
            done.value.store(true, ordering: .relaxed)
        }
        while !done.value.load(ordering: .relaxed) { sched_yield() }
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    /// A value that nothing but the continuation orders.
    // SAFETY: one thread writes it and then resumes the continuation, behind which the other reads it.
    private final class Box: @unchecked Sendable {
        var value: Int

        init(_ value: Int) {
            self.value = value
        }
    }

    private struct Failure: Error {
        let box: Box
    }
}
