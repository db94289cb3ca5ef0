// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The rights to files and listening ports that the host keeps once it runs; Landlock refuses all others for good.
///
/// A domain binds the calling thread and all that are started later, none that is older. So it is entered while the
/// process has one thread, after the start of what must stay free of it (the launcher: a process in a domain can
/// neither mount nor start one that can) and after the last look at a file that is not listed here.
/// Source: landlock(7); docs/trusted-processes.md, "The host".
package struct HostConfinement: Sendable, Equatable {
    /// Absolute paths of folders: everything below them may be read, written, made and removed, nothing executed.
    package var writableFolders: [String]
    /// Absolute paths of files, and of folders with all below them.
    package var readable: [String]
    /// Absolute paths of folders whose empty folders may be removed.
    package var tidiedFolders: [String]
    /// TCP ports to listen on; 0 is one that the kernel chooses.
    package var ports: [UInt16]
    /// TCP ports to connect to, at whatever address; `nil` means all.
    package var connections: [UInt16]?

    package init(
        writableFolders: [String],
        readable: [String] = HostConfinement.systemFiles,
        tidiedFolders: [String] = [],
        ports: [UInt16] = [],
        connections: [UInt16]? = nil
    ) {
        self.writableFolders = writableFolders
        self.readable = readable
        self.tidiedFolders = tidiedFolders
        self.ports = ports
        self.connections = connections
    }

    /// The paths that libraries read while a program runs: their own files, time zones, certificates, the resolver's
    /// files, counts of processors.
    package static let systemFiles = [
        "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache", "/usr/share/zoneinfo", "/etc/localtime",
        "/etc/ssl/certs", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/etc/ca-certificates",
        "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
        "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/run/systemd/resolve", "/proc",
        "/sys/devices/system", "/sys/fs/cgroup", "/dev/null", "/dev/random", "/dev/urandom",
    ]

    /// The kernel's Landlock; 0: it has none, and nothing can be entered.
    package static var version: Int { Int(linux_landlock_version()) }

    /// Enters the domain and proves it: none of `secrets`, paths of files that were readable, can be opened any more.
    ///
    /// Errors leave the process as it was or in the domain; it must end with each of them.
    package func enter(hiding secrets: [String]) throws(ConfinementError) {
        for secret in secrets { try checkOutside(secret) }
        let threads = ThreadCount.ofThisProcess
        guard threads == 1 else { throw .threads(threads) }
        let rules = linux_landlock_make(connections == nil ? 0 : 1)
        guard rules >= 0 else { throw .refused(-rules) }
        defer { close(rules) }
        for path in writableFolders { try allow(path, Self.everythingButExecuting, rules) }
        for path in readable { try allow(path, LINUX_FILES_READ.rawValue | LINUX_FILES_LIST.rawValue, rules) }
        for path in tidiedFolders { try allow(path, LINUX_FILES_REMOVE_FOLDER.rawValue, rules) }
        try allow("/dev/null", LINUX_FILES_WRITE.rawValue, rules)
        for port in ports { try check(linux_landlock_allow_listening(rules, port)) }
        for port in connections ?? [] { try check(linux_landlock_allow_connecting(rules, port)) }
        try check(linux_landlock_enter(rules))
        for secret in secrets where Self.canOpen(secret) { throw .stillReadable(secret) }
    }

    private static let everythingButExecuting =
        [
            LINUX_FILES_READ, LINUX_FILES_LIST, LINUX_FILES_WRITE, LINUX_FILES_TRUNCATE, LINUX_FILES_MAKE,
            LINUX_FILES_MAKE_SOCKET, LINUX_FILES_MAKE_FOLDER, LINUX_FILES_REMOVE, LINUX_FILES_REMOVE_FOLDER,
            LINUX_FILES_MOVE,
        ].reduce(0) { $0 | $1.rawValue }

    private func allow(_ path: String, _ files: UInt32, _ rules: CInt) throws(ConfinementError) {
        try check(unsafe linux_landlock_allow_path(rules, path, files))
    }

    private func check(_ result: CInt) throws(ConfinementError) {
        guard result >= 0 else { throw .refused(-result) }
    }

    /// By name, because the operator can do something about it; links are followed on both sides.
    private func checkOutside(_ secret: String) throws(ConfinementError) {
        let file = Self.resolved(secret)
        for place in writableFolders + readable {
            let resolved = Self.resolved(place)
            guard file != resolved, !file.hasPrefix(resolved + "/") else {
                throw .withinReach(secret, place: place)
            }
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func canOpen(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}

/// The reason for which the process is not confined as it should be.
package enum ConfinementError: Error, Equatable {
    /// The secret lies below what may be read.
    case withinReach(String, place: String)
    /// More than the one that would be bound; nil: the kernel does not tell.
    case threads(Int?)
    /// By the kernel, with its errno.
    case refused(Int32)
    /// A secret could be opened although the process is confined.
    case stillReadable(String)
}

/// The number of threads of a process, as the kernel counts them.
///
/// Source: proc_pid_status(5), `Threads`.
package enum ThreadCount {
    package static var ofThisProcess: Int? {
        let file = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let line = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("Threads:") }
        return line?.split(separator: "\t").last.flatMap { Int($0) }
    }
}
