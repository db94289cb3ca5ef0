// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Glibc

struct SystemFailure: Error {
    let error: Int32
}

struct Unexpected: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A descriptor that closes itself, at the latest with its last reference.
final class Descriptor: Equatable {
    private(set) var number: Int32

    init(_ number: Int32) { self.number = number }

    init(checking number: Int32) throws {
        guard number >= 0 else { throw SystemFailure(error: errno) }
        self.number = number
    }

    deinit { close() }

    static func == (left: Descriptor, right: Descriptor) -> Bool { left === right }

    static func packetPair() throws -> (Descriptor, Descriptor) {
        var pair: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw SystemFailure(error: errno) }
        return (Descriptor(pair[0]), Descriptor(pair[1]))
    }

    /// Read end and write end.
    static func pipe() throws -> (Descriptor, Descriptor) {
        var pair: [Int32] = [-1, -1]
        guard Glibc.pipe(&pair) == 0 else { throw SystemFailure(error: errno) }
        for end in pair where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 {
            throw SystemFailure(error: errno)
        }
        return (Descriptor(pair[0]), Descriptor(pair[1]))
    }

    /// Lets whoever waits on this socket fail with EAGAIN after some time: nothing that a worker does may stop a test.
    func limitWaiting(seconds: Int) throws {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            guard setsockopt(number, SOL_SOCKET, option, &limit, size) == 0 else { throw SystemFailure(error: errno) }
        }
    }

    func close() {
        if number >= 0 {
            Glibc.close(number)
        }
        number = -1
    }

    /// Everything until end-of-file.
    func text() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(number, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }
}

/// The programs built beside the tests.
enum Products {
    static func path(of name: String) -> String {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// The folder of the Swift libraries that this process runs with.
enum SwiftRuntime {
    static let folder: String = {
        guard let name = linux_file_of_symbol("swift_retain") else { return "/usr/lib" }
        return URL(fileURLWithPath: String(cString: name)).deletingLastPathComponent().path
    }()
}

/// A bundle folder in a temporary folder that only its owner may enter.
///
/// Other programs write its files: a descriptor open for writing in this process would be inherited for a moment by
/// whatever another test starts, and the kernel refuses to execute a file that somebody may write (ETXTBSY).
final class Bundle {
    let path: String
    private let parent: String

    /// Copies these built programs into it.
    init(_ products: [String] = ["launcher-probe"]) throws {
        var template = Array("/tmp/launcher-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemFailure(error: errno) }
        parent = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = parent + "/X.appex"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        chmod(path, 0o755)
        for product in products {
            try run(["cp", Products.path(of: product), path + "/" + product])
            chmod(path + "/" + product, 0o755)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: parent) }

    /// Writes a file and returns its path.
    @discardableResult
    func add(_ name: String, _ text: String, mode: mode_t = 0o755) throws -> String {
        let file = path + "/" + name
        try run(["sh", "-c", #"printf %s "$1" >"$2""#, "sh", text, file])
        chmod(file, mode)
        return file
    }

    /// Lets every user of the machine reach it, as an operator of profile C must.
    func openToAll() { chmod(parent, 0o755) }

    /// Gives the folder above and everything in the bundle to another user.
    func give(to user: uid_t) {
        chown(parent, user, user)
        chown(path, user, user)
    }
}

/// Kills a child that has not ended within 20 s; it is left to be reaped.
func endWithin20Seconds(_ pid: pid_t) {
    let process = Descriptor(linux_pidfd_open(pid))
    var end = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
    if poll(&end, 1, 20_000) != 1 { kill(pid, SIGKILL) }
}

/// Runs a program to its end.
func run(_ command: [String]) throws {
    var status: Int32 = 0
    let (unused, other) = try Descriptor.pipe()
    waitpid(try startProcess(command, descriptorThree: other), &status, 0)
    unused.close()
    guard status == 0 else { throw Unexpected("\(command[0]) ended with \(status)") }
}

/// Starts a program with nothing but `/dev/null`, our standard error and one more descriptor, number 3.
func startProcess(_ command: [String], descriptorThree: Descriptor) throws -> pid_t {
    // Above 3 first: a descriptor that already is number 3 would keep close-on-exec.
    let source = try Descriptor(checking: fcntl(descriptorThree.number, F_DUPFD_CLOEXEC, 10))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, source.number, 3)
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { arguments.forEach { free($0) } }
    arguments.append(nil)
    var pid: pid_t = 0
    let error = withExtendedLifetime(source) {
        posix_spawnp(&pid, command[0], &actions, nil, &arguments, environ)
    }
    guard error == 0 else { throw SystemFailure(error: error) }
    return pid
}
