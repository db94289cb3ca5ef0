// SPDX-License-Identifier: Apache-2.0

/// A flag one task waits for and anyone may raise; a raise before the wait is not lost.
///
/// Unlike a stream it survives the cancellation of a wait, so that waiting can be raced against a clock.
package final class Signal: Sendable {
    private enum State {
        case lowered
        case raised
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Locked(State.lowered)

    package init() {}

    package func raise() {
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

    /// True if a wait would return at once.
    package var isRaised: Bool {
        state.withLock { state in
            if case .raised = state { true } else { false }
        }
    }

    /// Returns when the flag is or becomes raised, and lowers it; returns without it when cancelled.
    ///
    /// One waiter at a time: a second one would be the last that anybody hears of the first.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    if case .raised = state {
                        state = .lowered
                        return true
                    }
                    if case .waiting = state { preconditionFailure("a signal has one waiter at a time") }
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
