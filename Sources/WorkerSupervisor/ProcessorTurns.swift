// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Who waits for the processor behind whom.
///
/// A start costs ten milliseconds of processor time, all of it loading; what a notification needs of the host and of a
/// worker that is ready is a hundredth of that, and waits for the end of a turn of whoever runs. So the host and its
/// ready workers take short turns: the kernel lets them in at once, and everybody's share stays the same.
package enum ProcessorTurns {
    private static let length = Duration.microseconds(100)

    /// For the threads of this process and those they make later.
    ///
    /// Call it after the launcher was started, which would hand it on to what it starts.
    package static func shorten() { shorten(of: 0) }

    static func shorten(of process: Int32) {
        // Refused or unknown, notifications take as long as they did.
        _ = linux_set_turns(process, UInt64(length.components.attoseconds / 1_000_000_000))
    }
}
