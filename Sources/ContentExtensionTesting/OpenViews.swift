// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationServiceTesting

/// The right to show a view in this process, which one view has at a time: UIKit has one screen and one clock.
@MainActor enum OpenViews {
    private struct Waiter {
        let id: UUID
        let opener: Int?
        let continuation: CheckedContinuation<Void, any Error>
    }

    private static var isTaken = false
    /// The task that has the right; `nil` for a function outside of tasks.
    private static var opener: Int?
    private static var waiters: [Waiter] = []

    /// Waits for the right.
    ///
    /// Throws `ViewProblem` when the same task has it already, which would wait for itself; `CancellationError`.
    static func enter() async throws {
        let task = withUnsafeCurrentTask { $0?.hashValue }
        guard isTaken else {
            (isTaken, opener) = (true, task)
            return
        }
        if let task, task == opener {
            throw ViewProblem(
                "the test has a view open already, and a process shows one at a time",
                hint: "close() it before the next one is shown"
            )
        }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiters.append(Waiter(id: id, opener: task, continuation: continuation))
                // A cancellation that came before the waiter was added has found nobody to tell.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            Task { @MainActor in cancel(id) }
        }
    }

    /// Gives the right to who waits longest.
    static func leave() {
        guard !waiters.isEmpty else {
            (isTaken, opener) = (false, nil)
            return
        }
        let next = waiters.removeFirst()
        opener = next.opener
        next.continuation.resume()
    }

    private static func cancel(_ id: UUID) {
        guard let place = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: place).continuation.resume(throwing: CancellationError())
    }
}
