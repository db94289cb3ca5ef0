// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import NotificationServiceTesting

/// The right to show a view in this process, which one view has at a time: UIKit has one screen and one clock.
enum OpenViews {
    private struct Waiter {
        let id: UUID
        let opener: Int?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var isTaken = false
        /// The task that has the right; `nil` for a function outside of tasks.
        var opener: Int?
        var waiters: [Waiter] = []
    }

    private static let state = Locked(State())

    /// Waits for the right.
    ///
    /// Throws `ViewProblem` when the same task has it already, which would wait for itself; `CancellationError`.
    static func enter() async throws {
        let opener = withUnsafeCurrentTask { $0?.hashValue }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let answer: Result<Void, any Error>? = state.withLock { state in
                    guard state.isTaken else {
                        (state.isTaken, state.opener) = (true, opener)
                        return .success(())
                    }
                    if let opener, state.opener == opener { return .failure(own) }
                    state.waiters.append(Waiter(id: id, opener: opener, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
                // Cancelled before there was somebody to tell.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// The view that has the right is about to end: whoever comes meanwhile waits, also the task that opened it.
    ///
    /// The task may have ended as well, and another one can have its place in memory then.
    static func endsSoon() { state.withLock { $0.opener = nil } }

    /// Gives the right to who waits longest.
    static func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                (state.isTaken, state.opener) = (false, nil)
                return nil
            }
            let next = state.waiters.removeFirst()
            state.opener = next.opener
            return next
        }
        next?.continuation.resume()
    }

    private static let own = ViewProblem(
        "the test has a view open already, and a process shows one at a time",
        hint: "close() it before the next one is shown"
    )

    private static func cancel(_ id: UUID) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
