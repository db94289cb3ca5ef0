// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Attempt {
    private static let absent: Set = ["ENOENT"]
    private static let denied: Set = ["EACCES"]
    private static let refused: Set = ["EPERM"]
    private static let readOnly: Set = ["EROFS"]
    /// The answer of the kernel to a command of fcntl that it does not know.
    private static let unknown: Set = ["EINVAL"]
    private static let killed: Set = ["SYS"]

    static func named(_ what: String) throws -> Attempt {
        guard let attempt = (all + mutual + grants).first(where: { $0.what == what }) else {
            throw Unexpected("no attempt \(what)")
        }
        return attempt
    }

    /// Rows of the table of attempts that need no host, under stage 1 alone.
    static let all: [Attempt] = files + processes + programs + resources + kernel

    private static let files: [Attempt] = [
        Attempt(1, "read /etc/passwd", .view, absent, without: denied) { _ in "read /etc/passwd" },
        Attempt(1, "read ../../etc/shadow", .view, absent, without: denied) { _ in "read ../../etc/shadow" },
        Attempt(1, "read a key file", .view, absent, without: denied) { "read \($0.key)" },
        Attempt(2, "climb from every folder and descriptor", .view, absent, without: denied) { _ in
            "climb /etc/passwd"
        },
        Attempt(3, "create in /", .view, readOnly, without: denied) { _ in "create /" }.both(readOnly),
        Attempt(3, "create in /usr/lib", .view, readOnly, without: denied) { _ in "create /usr/lib" }.both(readOnly),
        Attempt(3, "create in the bundle", .view, readOnly, without: denied) { "create \($0.folder)" }.both(readOnly),
        Attempt(3, "create in /tmp", .view, absent, without: denied) { _ in "create /tmp" }.both(readOnly),
        Attempt(3, "write to a file of its bundle", .view, readOnly, without: denied) { "change \($0.folder)/data" }
            .both(readOnly),
        Attempt(3, "remove, rename, make folders, chmod", readOnly) { "rearrange \($0.program)" },
        Attempt(3, "link, mknod, chown, truncate", refused) { "link \($0.program)" }.both(killed),
        // Beside them, in Swift: what the main queue and its run loop make for themselves, as far as they have come.
        Attempt(24, "find descriptors", ["0,1,2,3,"]) { _ in "descriptors" }
            .inSwift(Set((3...7).map { last in (0...last).map { "\($0)," }.joined() })),
        Attempt(25, "list processes", .view, ["alone"], without: ["others"]) { _ in "processes" },
        Attempt(25, "read core_pattern", .view, absent, without: ["done"]) { _ in
            "read /proc/sys/kernel/core_pattern"
        },
        Attempt(25, "write core_pattern", .view, absent, without: denied) { _ in
            "change /proc/sys/kernel/core_pattern"
        }.both(readOnly),
        Attempt(25, "reach /proc/1/root", .view, absent, without: denied) { _ in "read /proc/1/root/etc/passwd" },
        Attempt(26, "TIOCSTI and other requests", ["ENOTTY"]) { _ in "control" },
    ]

    private static let processes: [Attempt] = [
        Attempt(6, "kill the parent", refused) { "signal \($0.launcher.pid)" }.both(killed),
        Attempt(6, "kill everybody", refused) { _ in "signal -1" }.both(killed),
        Attempt(6, "kill a bystander", refused) { "signal \($0.bystander)" }.both(killed),
        Attempt(6, "kill a bystander by other calls", refused) { "signal-otherwise \($0.bystander)" }.both(killed),
        Attempt(6, "kill a bystander's thread", .view, refused) { "signal-thread \($0.bystander)" },
        Attempt(6, "let the socket kill a bystander", refused) { "signal-by-socket \($0.bystander)" }.both(unknown),
        Attempt(6, "hold a lease, watch a folder", refused) { "lease \($0.program)" }.both(unknown),
        Attempt(7, "trace, read memory, take descriptors", refused) { "spy \($0.launcher.pid)" }.both(killed),
        Attempt(7, "write its own memory as a file", .view, readOnly, without: denied) { _ in "change /proc/self/mem" }
            .both(readOnly),
        Attempt(7, "read the parent's environment", .view, absent, without: denied) {
            "read /proc/\($0.launcher.pid)/environ"
        },
        Attempt(7, "read the parent's memory", .view, absent, without: denied) { "read /proc/\($0.launcher.pid)/mem" },
        Attempt(7, "read the parent's arguments", .view, absent, without: ["done"]) {
            "read /proc/\($0.launcher.pid)/cmdline"
        },
        Attempt(8, "unshare, clone, setns", refused) { _ in "namespaces" }.both(killed),
        Attempt(8, "namespaces for a thread", refused) { _ in "namespaces-as-thread" },
        Attempt(8, "clone3", ["ENOSYS"]) { _ in "clone3" },
        Attempt(28, "act in a thread of the loader's time", .view, ["EPERM", "ENOENT"], without: ["EPERM", "EACCES"]) {
            _ in "early-thread"
        }.both(killed),
    ]

    private static let programs: [Attempt] = [
        Attempt(10, "execute a program of the host", refused) { _ in "execute /bin/true" }.both(killed),
        Attempt(10, "execute its own file", refused) { "execute \($0.program)" }.both(killed),
        Attempt(10, "execute the loader", refused) { _ in "execute /lib64/ld-linux-x86-64.so.2" }.both(killed),
        Attempt(10, "execveat of its own file", killed) { "execute-at \($0.program)" },
        Attempt(10, "execveat of the loader", killed) { _ in "execute-at /lib64/ld-linux-x86-64.so.2" },
        Attempt(10, "make a program in memory", refused) { _ in "execute-memory" }.both(killed),
        Attempt(11, "fork, vfork", refused) { _ in "fork" }.both(killed),
        Attempt(22, "memory that is written and executed", denied) { _ in "new-code" },
    ]

    private static let resources: [Attempt] = [
        Attempt(12, "2000 threads", Set((2...64).map(String.init)), without: Set((2...1000).map(String.init))) { _ in
            "threads"
        }.inB(Set((2...1000).map(String.init))),
        Attempt(13, "descriptors without end", ["EMFILE", "64"]) { _ in "descriptors-without-end" },
        Attempt(14, "256 MB, private", ["ENOMEM"]) { _ in "private-memory" },
        // Another thread of a Swift process that needs memory while there is none ends it.
        Attempt(14, "256 MB, many small", ["ENOMEM"]) { _ in "many-small" }
            .inSwift(["ENOMEM", "signal-4", "signal-5", "signal-6", "signal-11"]),
        Attempt(14, "256 MB, huge pages", ["ENOMEM"]) { _ in "huge-pages" },
        Attempt(14, "256 MB, shared anonymous", ["ENOMEM"]) { _ in "shared-memory" },
        Attempt(13, "a thread with its own", refused) { _ in "descriptors-as-thread" },
        Attempt(14, "256 MB, a stack that grows", ["ENOMEM"]) { _ in "growing-stack" },
        Attempt(14, "256 MB, a stack that is moved", ["ENOMEM"]) { _ in "moved-stack" },
        Attempt(14, "page tables without pages", ["ENOMEM"]) { _ in "page-tables" },
        Attempt(15, "stop itself", .view, ["done"], without: ["stopped"]) { _ in "stop" },
        Attempt(23, "raise limits, change the parent's", refused) { "limits \($0.launcher.pid)" }.both(killed),
        Attempt(23, "schedule the parent", refused) { "scheduling \($0.launcher.pid)" }.both(killed),
        Attempt(23, "slow the parent down", ["done"]) { "priority \($0.launcher.pid)" },
        Attempt(23, "become root", refused) { _ in "privileges" }.both(killed),
        Attempt(23, "outlive the parent, be dumpable", refused) { _ in "attributes" }.both(killed),
        Attempt(23, "keep a capability", .view, ["0"], without: Set((0...64).map(String.init))) { _ in
            "capabilities"
        }.both(killed),
    ]

    private static let kernel: [Attempt] = [
        Attempt(4, "sockets of every family", ["EAFNOSUPPORT"]) { _ in "sockets" },
        Attempt(4, "a pair of sockets", refused) { _ in "socket-pair" },
        Attempt(4, "ask its socket for the host", ["ENOPROTOOPT"]) { _ in "peer" }.both(killed),
        Attempt(20, "filters for others, or a thread", refused) { _ in "own-filter" }.both(killed),
        Attempt(5, "connect, bind, listen, accept on its own", refused) { _ in "other-ends" }.both(killed),
        Attempt(9, "mounts, chroot, handles", refused) { _ in "mounts" }.both(killed),
        Attempt(20, "io_uring, bpf, perf, keys, SysV, ...", refused) { _ in "interfaces" }.both(killed),
        Attempt(20, "calls that are younger than the list", ["ENOSYS"]) { _ in "young-calls" }.both(killed),
        Attempt(21, "int 0x80", killed) { _ in "old-numbering" },
        Attempt(21, "x32", killed) { _ in "x32-numbering" },
        Attempt(29, "be an ordinary program", ["done"]) { _ in "ordinary" },
    ]

    /// The attempts of one app's worker on another app.
    static let mutual: [Attempt] = [
        Attempt(30, "read another app's bundle", .view, absent, without: denied) {
            "read \($0.otherBundle.path)/secret"
        }
    ]

    /// The attempts on what a scratch folder or the network gives, and on what they do not give.
    static let grants: [Attempt] = [
        Attempt(3, "write, rename and remove in scratch", .view, ["done"]) { "use-scratch \($0.scratch)" }.with(
            .scratch
        ),
        Attempt(3, "write 100 MB to scratch", .view, ["ENOSPC"], without: ["100", "MB"]) { "fill \($0.scratch)" }
            .with(.scratch),
        Attempt(3, "create beside scratch", .view, readOnly, without: denied) { _ in "create /usr/lib" }.with(.scratch),
        Attempt(3, "create in the bundle, with scratch", .view, readOnly, without: denied) { "create \($0.folder)" }
            .with(.scratch),
        Attempt(3, "files of other users, links in scratch", .view, refused) { "identities \($0.scratch)" }
            .with(.scratch),
        Attempt(3, "modes in scratch", .view, ["done", "none"]) { "modes \($0.scratch)" }.with(.scratch),
        Attempt(3, "modes and times of its bundle", .view, ["unchanged"]) { "properties \($0.folder)/data" }
            .with(.scratch),
        Attempt(3, "a fifo in scratch", .view, refused) { "devices \($0.scratch)" }.with(.scratch).both(killed),
        Attempt(10, "execute a file of scratch", .view, refused) { "run-written-code \($0.scratch)" }.with(.scratch)
            .both(killed),
        // Without mounts there is no folder without code; what it could run so is what it is already.
        Attempt(22, "load code from scratch", .view, refused, without: ["done"]) { "load-written-code \($0.scratch)" }
            .with(.scratch).both(denied),
        Attempt(4, "sockets, with scratch", ["EAFNOSUPPORT"]) { _ in "sockets" }.with(.scratch),
        Attempt(4, "all sockets but TCP, with network", .view, ["EAFNOSUPPORT"]) { _ in "other-sockets" }
            .with(.network),
        Attempt(4, "dangerous options of a socket", .view, ["ENOPROTOOPT"]) { _ in "options" }.with(.network),
        Attempt(5, "connect to the host's own listener", .view, denied) { "connect \($0.listener.port)" }
            .with(.network),
        Attempt(5, "serve, with network", .view, refused) { _ in "serve" }.with(.network).both(killed),
    ]
}
