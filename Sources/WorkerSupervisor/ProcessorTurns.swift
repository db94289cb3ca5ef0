// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Glibc

/// The order in which processes get the processor.
///
/// A start costs milliseconds of processor time, and an extension may use as much as it likes; what a notification
/// needs of the host and of a worker that is warm is a tenth of that, and waits for the end of a turn of whoever runs.
/// So the host takes short turns, and so does a worker once it has completed a request and as long as it needs little:
/// the kernel lets them in at once, and everybody's share stays the same.
package enum ProcessorTurns {
    private static let length = Duration.microseconds(100)
    /// The processor time between two looks above which a worker has long turns until the next: of two workers with
    /// short ones, neither lets the other in before the kernel's tick, which comes every few milliseconds.
    static let longestUse = Duration.milliseconds(1)

    /// Puts this process, for which every notification waits, before whatever it has started.
    ///
    /// Only as root, without a nice value of the operator's, and as the leader of a session, as a service is: a command
    /// at a terminal shares its own with what else runs there. Call it before the process confines itself, which takes
    /// the right away.
    package static func comeFirst() {
        guard linux_session_nice_is_ours() else { return }
        _ = linux_set_session_nice(getpid(), LAUNCHER_HOST_NICE)
    }

    /// For the threads of this process and those they make later.
    ///
    /// Call it after the launcher was started, which would hand it on to what it starts.
    package static func shorten() { shorten(of: 0) }

    static func shorten(of process: Int32) {
        // Refused or unknown, notifications take as long as they did.
        _ = linux_set_turns(process, UInt64(length.components.attoseconds / 1_000_000_000))
    }

    /// The kernel's own length again: whoever takes a short turn then need not wait for the end of this one's.
    static func lengthen(of process: Int32) {
        _ = linux_set_turns(process, 0)
    }
}
