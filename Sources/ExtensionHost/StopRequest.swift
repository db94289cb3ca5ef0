// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking

/// The request to stop the host, with a reason that the first request sets.
///
/// A fault replaces a reason that is no fault; of two faults the first counts.
final class StopRequest: Sendable {
    enum Reason {
        /// Told to by a signal.
        case terminated
        /// At the end of what it was to read.
        case drained
        /// The same, but some lines were refused.
        case refused
        case launcherLost
        case failed(CommandError)

        /// Something accepted may be without its record, however the stop began.
        fileprivate var isFault: Bool {
            switch self {
            case .launcherLost, .failed: true
            case .terminated, .drained, .refused: false
            }
        }
    }

    private struct State {
        var reason: Reason?
        /// A signal came, first or not.
        var isTerminated = false
        var terminated: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let signal = Signal()

    var reason: Reason? { state.withLock { $0.reason } }

    func request(_ reason: Reason) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            let counts = state.reason.map { reason.isFault && !$0.isFault } ?? true
            if counts { state.reason = reason }
            guard case .terminated = reason else { return nil }
            state.isTerminated = true
            return state.terminated.take()
        }
        action?()
        signal.raise()
    }

    /// Returns once a stop was requested.
    func wait() async {
        while reason == nil, !Task.isCancelled { await signal.wait() }
    }

    /// Calls `action` once when a signal tells the host to stop, whatever else stops it; at once if one has come.
    func onTerminated(_ action: @escaping @Sendable () -> Void) {
        let isTerminated = state.withLock { state in
            if !state.isTerminated { state.terminated = action }
            return state.isTerminated
        }
        if isTerminated { action() }
    }
}
