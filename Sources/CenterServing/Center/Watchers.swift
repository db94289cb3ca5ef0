// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// Deliveries to apps, each with a signal of its own that there may be something to hand over.
///
/// The deliveries are of what has no number in an owner's series: a response that went back to the store, or a silent
/// push.
final class Watchers: Sendable {
    private struct State {
        var signals: [Int: (key: InstallationKey?, signal: Signal)] = [:]
        var last = 0
    }

    private let state = Locked(State())

    /// Runs the body with a signal that `raise()` raises meanwhile, and `raise(_:)` with this app.
    func withSignal<Value>(
        of key: InstallationKey? = nil,
        _ body: (Signal) async throws -> Value
    ) async rethrows -> Value {
        let signal = Signal()
        let number = state.withLock { state in
            state.last += 1
            state.signals[state.last] = (key, signal)
            return state.last
        }
        defer { state.withLock { $0.signals[number] = nil } }
        return try await body(signal)
    }

    func raise() {
        for (_, signal) in state.withLock({ Array($0.signals.values) }) { signal.raise() }
    }

    /// Raises the signals of one app.
    func raise(_ key: InstallationKey) {
        for (_, signal) in state.withLock({ state in state.signals.values.filter { $0.key == key } }) { signal.raise() }
    }
}
