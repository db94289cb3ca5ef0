// SPDX-License-Identifier: Apache-2.0

/// The process that worked on a notification.
package struct WorkerUse: Sendable, Equatable {
    package var pid: Int32
    /// True if the process was started for this notification.
    package var fresh: Bool
    package var peakMemoryByteCount: UInt64?
    /// The confinement of the process: the profile's letter and the number of system-call filters; `nil` before that is
    /// known.
    package var sandbox: String?

    package init(pid: Int32, fresh: Bool, peakMemoryByteCount: UInt64?, sandbox: String? = nil) {
        self.sandbox = sandbox
        self.pid = pid
        self.fresh = fresh
        self.peakMemoryByteCount = peakMemoryByteCount
    }
}
