// SPDX-License-Identifier: Apache-2.0

// Confines itself with the host's own code, then tries what it may not from every kind of thread, one line each.
//
// Usage: confinement-probe early|late WRITABLE KEY [READABLE…]
//        confinement-probe connect|closed WRITABLE PORT
import Dispatch
import Foundation
import HostConfinement

@main
struct ConfinementProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        let (folder, key) = (arguments[2], arguments[3])
        if arguments[1] == "connect" || arguments[1] == "closed" { return connect(arguments) }
        if arguments[1] == "late" { await Task.detached {}.value }
        let readable = HostConfinement.systemFiles + arguments.dropFirst(4)
        do {
            try HostConfinement(writableFolders: [folder], readable: readable, ports: [0]).enter(hiding: [key])
        } catch {
            print("refused", error)
            exit(1)
        }
        let attempts = Attempts(folder: folder, key: key)
        attempts.run(on: "main")
        await Task.detached { attempts.run(on: "task") }.value
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                attempts.run(on: "queue")
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                attempts.run(on: "thread")
                continuation.resume()
            }
        }
    }
}

extension ConfinementProbe {
    /// Confines itself to a port to connect to, or to none, and connects to that one and to another.
    private static func connect(_ arguments: [String]) {
        guard let port = UInt16(arguments[3]) else { exit(2) }
        let ports = arguments[1] == "connect" ? [port] : []
        do {
            try HostConfinement(writableFolders: [arguments[2]], connections: ports).enter(hiding: [])
        } catch {
            print("refused", error)
            exit(1)
        }
        print("the port: \(outcome(of: port)), another: \(outcome(of: 3129))")
    }

    private static func outcome(of port: UInt16) -> String {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let result = LoopbackAddress(port).with { Glibc.connect(socket, $0, $1) }
        return result < 0 ? String(cString: strerror(errno)) : "done"
    }
}

/// A port of 127.0.0.1 as calls of the kernel take it.
struct LoopbackAddress {
    private var address = sockaddr_in()

    init(_ port: UInt16) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    }

    func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// Attempts at files, programs and sockets that the host has no use for, and at the few that it needs.
struct Attempts: Sendable {
    let folder: String
    let key: String

    func run(on thread: String) {
        let file = "\(folder)/\(thread)"
        report(thread, "read key", opened(key))
        report(thread, "read key by process", opened("/proc/self/root" + key))
        report(thread, "read password file", opened("/etc/passwd"))
        report(thread, "list root", opened("/", O_RDONLY | O_DIRECTORY))
        report(thread, "make outside", opened("\(folder)-other", O_WRONLY | O_CREAT))
        report(thread, "make inside", opened(file, O_WRONLY | O_CREAT))
        report(thread, "move inside", rename(file, file + "-moved"))
        report(thread, "remove inside", unlink(file + "-moved"))
        report(thread, "link inside", symlink("/", "\(folder)/link"))
        report(thread, "read hosts", opened("/etc/hosts"))
        report(thread, "execute", execute("/bin/true"))
        report(thread, "listen on any port", listening(on: 0))
        report(thread, "listen on a chosen port", listening(on: 3129))
        report(thread, "new privileges", hasNewPrivileges ? 0 : -1, EPERM)
    }

    /// `result` is negative when the attempt failed.
    private func report(_ thread: String, _ attempt: String, _ result: Int32, _ error: Int32 = errno) {
        let outcome = result < 0 ? String(cString: strerror(error)) : "done"
        print("\(thread): \(attempt): \(outcome)")
        fflush(nil)
    }

    private func opened(_ path: String, _ flags: Int32 = O_RDONLY) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
        return descriptor
    }

    private func execute(_ program: String) -> Int32 {
        var pid: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
        errno = posix_spawn(&pid, program, nil, nil, &arguments, nil)
        guard errno == 0 else { return -1 }
        return waitpid(pid, nil, 0)
    }

    private func listening(on port: UInt16) -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return LoopbackAddress(port).with { bind(socket, $0, $1) }
    }

    private var hasNewPrivileges: Bool {
        let status = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)) ?? ""
        return !status.contains("NoNewPrivs:\t1")
    }
}
