// SPDX-License-Identifier: Apache-2.0

private import Locking

/// A flag that anybody raises and one task waits for; a raise before the wait is not lost.
final class Wakening: Sendable {
    private enum State {
        case lowered, raised
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Locked(State.lowered)

    func raise() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .lowered
                return continuation
            }
            state = .raised
            return nil
        }
        waiter?.resume()
    }

    /// Returns when the flag is or becomes raised, and lowers it; returns without it when cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .raised = state {
                        state = .lowered
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let continuation) = state else { return nil }
                state = .lowered
                return continuation
            }
            waiter?.resume()
        }
    }
}
