// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The system calls of a process that holds keys and reads other people's bytes; any other kills it.
///
/// One more is answered without the kernel: a wake of other threads, of which there are none. Swift and BoringSSL end
/// each of their first times with one, and some first time of a message nobody thought of may come after the self-test.
/// Over the filter that it was started under. No memory is taken: what a push needs lies in the heap's reserve, and a
/// process that leaves the reserve ends. Source: docs/trusted-processes.md, "The opener".
enum CallFilter {
    /// The socket; standard error and the end; the clock, where the kernel has no page for it.
    private static let calls = [SYS_recvmsg, SYS_sendmsg, SYS_write, SYS_exit_group, SYS_exit, SYS_clock_gettime]
    /// The calls that record opened payloads on the disk.
    private static let replayCalls = [SYS_pwrite64, SYS_fdatasync, SYS_ftruncate]

    static func load(hasReplayFiles: Bool) throws(Ending) {
        guard !linux_is_sanitized() else { return }
        let list = hasReplayFiles ? calls + replayCalls : calls
        let result = unsafe linux_load_allow_list(list.map { Int32($0) }, list.count)
        guard result == 0 else { throw .unusable("cannot confine itself: \(ReplayState.name(-result))") }
    }
}
