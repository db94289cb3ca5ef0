// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Glibc
import HostRuntime

/// The end of a process, as wait(2) reports it.
package struct ProcessExit: Sendable, Equatable {
    /// CLD_EXITED, CLD_KILLED or CLD_DUMPED.
    package let code: Int32
    /// Exit status, or signal.
    package let status: Int32
    package let peakResidentByteCount: UInt64
    /// Processes of its cgroup that the kernel killed for the group's memory limit.
    package let groupKillCount: UInt32

    package init(code: Int32, status: Int32, peakResidentByteCount: UInt64, groupKillCount: UInt32 = 0) {
        self.code = code
        self.status = status
        self.peakResidentByteCount = peakResidentByteCount
        self.groupKillCount = groupKillCount
    }

    init(_ event: launcher_event) {
        self.init(
            code: event.code,
            status: event.status,
            peakResidentByteCount: event.peak_resident_bytes,
            groupKillCount: event.group_kills
        )
    }

    package var signal: Int32? { code == Int32(CLD_EXITED) ? nil : status }

    /// Signals of a program that ran out of its memory limit: an allocation failed and the program gave up.
    private static let memorySignals: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV]

    /// Returns the failure with which an open request of the process ends.
    ///
    /// `fileByteCount`: pages of shared files when it became ready, which the limit does not count; nil when nobody
    /// read them, and then nothing is said about memory.
    func failure(memoryLimitByteCount limit: UInt64, fileByteCount: UInt64?) -> ExtensionFailure {
        guard groupKillCount == 0 else { return .memoryLimitExceeded }
        guard let signal else { return .exitedEarly }
        guard let fileByteCount else { return .crashed(signal: signal) }
        let ownPeak = peakResidentByteCount - min(peakResidentByteCount, fileByteCount)
        if Self.memorySignals.contains(signal), ownPeak > limit / 10 * 9 { return .memoryLimitExceeded }
        return .crashed(signal: signal)
    }
}

extension ProcessExit: CustomStringConvertible {
    package var description: String {
        signal.map { "signal \($0)" } ?? "status \(status)"
    }
}
