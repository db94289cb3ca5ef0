// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime

extension WorkerProcess {
    /// Tells whether the process ended without being killed.
    ///
    /// A process that closed its socket may have been ending already when it was killed for that: the kernel then keeps
    /// to the end that was under way.
    func endedByItself(_ exit: ProcessExit) -> Bool {
        killCause == nil || killCause == .silence && exit.signal != SIGKILL
    }

    /// Returns the failure with which an open request of the process ends.
    func failure(after exit: ProcessExit) -> ExtensionFailure {
        switch killCause {
        case .silence where !endedByItself(exit), .violation: .protocolViolation
        case .budget: .budgetExceeded
        case .start: .launchFailed
        case .memory: .memoryLimitExceeded
        case .storage: .crashed(signal: SIGKILL)
        case .silence, .hang, .retired, nil:
            exit.failure(
                memoryLimitByteCount: site.configuration.memoryLimitByteCount,
                fileByteCount: fileByteCount
            )
        }
    }

    // MARK: Turns of the processor

    /// Short turns and the weight of everybody are earned by a completion.
    func earnTurns(through launcher: Launcher) {
        // A launcher that has no room for the message gets it at the next completion.
        guard usage.hasShortTurns == nil, killCause == nil else { return }
        // First, because it writes back the weight that it has read, and the launcher changes that in its own time.
        shortenTurns()
        guard usage.isLowered || raisePriority(through: launcher) else { return }
        usage.earnedTurns(used: processorTime)
    }

    /// Short turns are for those that need little.
    func takeTurns(used: Duration) {
        guard let isShort = usage.turns(used: used) else { return }
        if isShort { shortenTurns() } else { lengthenTurns() }
    }
}
