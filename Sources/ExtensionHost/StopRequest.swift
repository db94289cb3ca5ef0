// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking

/// Why the host stops; the first reason counts.
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
    }

    private let state = Locked<Reason?>(nil)
    private let signal = Signal()

    var reason: Reason? { state.withLock { $0 } }

    func request(_ reason: Reason) {
        state.withLock { $0 = $0 ?? reason }
        signal.raise()
    }

    /// Returns once a stop was requested.
    func wait() async {
        while reason == nil, !Task.isCancelled { await signal.wait() }
    }
}
