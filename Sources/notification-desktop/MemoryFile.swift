// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Bytes in memory that have a path for another program, and are no file of any disk.
///
/// The path is that of a descriptor of this process, so that the bytes go with it, however it ends. Source:
/// memfd_create(2), proc_pid_fd(5).
final class MemoryFile: Sendable {
    let descriptor: CInt

    /// Keeps bytes; `nil` means that the system has no memory for them.
    ///
    /// `isSealed` means that nobody can change them any more, so that whoever reads them may trust what was judged.
    init?(_ name: String, _ bytes: [UInt8], isSealed: Bool = false) {
        descriptor = linux_memory_file(name)
        guard descriptor >= 0 else { return nil }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return nil }
            rest = rest.dropFirst(count)
        }
        guard isSealed else { return }
        guard linux_seal_memory(descriptor) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var path: String { "/proc/\(getpid())/fd/\(descriptor)" }
}
