// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

/// A process whose end can be waited for, whoever started it.
final class WatchedProcess: Sendable {
    private let descriptor: CInt

    /// Opens a descriptor of the process; `nil` when there is no such process any more.
    init?(_ pid: pid_t) {
        descriptor = linux_pidfd_open(pid)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Tells whether the process ends before the deadline, reaped or not; returns as soon as it has ended.
    func ends(before deadline: ContinuousClock.Instant) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                let patience = max(.zero, deadline - .now) / .milliseconds(1)
                var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&end, 1, Int32(patience.rounded(.up))) == 1)
            }
        }
    }
}
