// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The number of system-call filters that stand on a process, as the kernel counts them.
///
/// Source: proc_pid_status(5), `Seccomp_filters`; Linux 5.9.
enum FilterCount {
    /// The count of this process; `nil` means that the kernel does not tell.
    static var ofThisProcess: Int? {
        let file = Descriptor(unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC))
        return file.raw < 0 ? nil : read(file.raw)
    }

    /// Reads an open /proc/PID/status; nil when the process is gone.
    static func read(_ descriptor: CInt) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? parse(String(decoding: buffer.prefix(count), as: UTF8.self)) : nil
    }

    static func parse(_ status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Seccomp_filters:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }
}
