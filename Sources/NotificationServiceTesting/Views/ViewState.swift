// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
package import SceneModel

/// The state of a view as its tests see it, and those who wait for another one.
package final class ViewState: Sendable {
    /// A moment of the view.
    package struct Moment: Sendable {
        package var tree = SceneTree()
        package var calls: [String] = []
        package var ended: String?
        /// The steps that were taken in; `nil` before the first scene.
        package var step: Int?
        /// The steps that were not possible, with the reasons.
        package var problems: [Int: ViewProblem] = [:]
        /// True once nothing follows.
        package var isOver = false

        package init() {}

        /// True once no scene follows.
        var hasEnded: Bool { isOver || ended != nil }
    }

    private struct Waiter {
        let isMet: @Sendable (Moment) -> Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var moment = Moment()
        var waiters: [UUID: Waiter] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// The view as it is now.
    package var current: Moment { state.withLock { $0.moment } }

    /// Changes the view, and wakes who has waited for that.
    package func change(_ body: (inout Moment) -> Void) {
        let (moment, waiters) = state.withLock { state in
            body(&state.moment)
            return (state.moment, state.waiters)
        }
        // A condition may look at the view again.
        for (id, waiter) in waiters where waiter.isMet(moment) {
            let met = state.withLock { $0.waiters.removeValue(forKey: id) }
            met?.continuation.resume()
        }
    }

    /// Returns once the view is as wanted.
    ///
    /// Throws `CancellationError`.
    package func wait(until isMet: @escaping @Sendable (Moment) -> Bool) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { $0.waiters[id] = Waiter(isMet: isMet, continuation: continuation) }
                // A cancellation that came before the waiter was added has found nobody to tell.
                if Task.isCancelled { return cancel(id) }
                // A change that came before the waiter was added has not asked its condition, and a view that is as
                // wanted may never change again: the condition is asked of the view as it is now.
                change { _ in }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UUID) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
