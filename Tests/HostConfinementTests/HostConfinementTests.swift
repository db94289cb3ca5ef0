// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostConfinement
import Testing

/// The host's own domain, entered by a small program with the host's code and tried from each of its threads.
@Suite(.timeLimit(.minutes(5)))
struct HostConfinementTests {
    private static let threads = ["main", "task", "queue", "thread"]

    @Test func `no thread opens a key, executes, or writes elsewhere`() throws {
        let probe = try Probe()
        let (lines, status) = try probe.run(["early", probe.state, probe.key])
        let denied = "Permission denied"
        let expected = [
            "read key: \(denied)", "read key by process: \(denied)", "read password file: \(denied)",
            "list root: \(denied)", "make outside: \(denied)", "make inside: done", "move inside: done",
            "remove inside: done", "link inside: \(denied)", "read hosts: done", "execute: \(denied)",
            "listen on any port: done", "listen on a chosen port: \(denied)",
            "new privileges: Operation not permitted",
        ]
        #expect(lines == Self.threads.flatMap { thread in expected.map { "\(thread): \($0)" } })
        #expect(status == 0)
    }

    @Test func `a process that may connect to one port connects to no other, and else to none`() throws {
        let probe = try Probe()
        let listener = try Listener()
        let (open, opened) = try probe.run(["connect", probe.state, "\(listener.port)"])
        #expect(open == ["the port: done, another: Permission denied"])
        #expect(opened == 0)
        let (closed, _) = try probe.run(["closed", probe.state, "\(listener.port)"])
        #expect(closed == ["the port: Permission denied, another: Permission denied"])
    }

    @Test func `a process with threads is not confined, and says so`() throws {
        let probe = try Probe()
        let (lines, status) = try probe.run(["late", probe.state, probe.key])
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("refused threads(Optional(") == true)
        #expect(status == 1)
    }

    @Test func `a key below what may be written is refused by name`() throws {
        let probe = try Probe()
        let key = probe.state + "/key"
        try Data().write(to: URL(fileURLWithPath: key))
        let (lines, _) = try probe.run(["early", probe.state, key])
        #expect(lines == ["refused withinReach(\"\(key)\", place: \"\(probe.state)\")"])
    }

    @Test func `a key below what may be read is refused, also through a link`() throws {
        let probe = try Probe()
        let link = probe.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: probe.folder + "/keys")
        let (lines, _) = try probe.run(["early", probe.state, probe.key, link])
        #expect(lines == ["refused withinReach(\"\(probe.key)\", place: \"\(link)\")"])
    }

    @Test func `a key that can be opened under another name ends the process`() throws {
        let probe = try Probe()
        let other = probe.folder + "/other"
        try FileManager.default.linkItem(atPath: probe.key, toPath: other)
        let (lines, status) = try probe.run(["early", probe.state, probe.key, other])
        #expect(lines == ["refused stillReadable(\"\(probe.key)\")"])
        #expect(status == 1)
    }
}

/// A port of 127.0.0.1 on which somebody listens.
private final class Listener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
                guard bind(descriptor, pointer, length) == 0, listen(descriptor, 8) == 0 else { return -1 }
                return getsockname(descriptor, pointer, &length)
            }
        }
        try #require(result == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

/// A folder with a state folder and a key in it, and the program that confines itself to the one.
private final class Probe {
    let folder: String
    var state: String { folder + "/state" }
    var key: String { folder + "/keys/key" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/confinement-\(UUID().uuidString)"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: folder + "/keys", withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: folder + "/keys/key"))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func run(_ arguments: [String]) throws -> (lines: [String], status: Int32) {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: test).deletingLastPathComponent()
            .appendingPathComponent("confinement-probe")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text.split(separator: "\n").map(String.init), process.terminationStatus)
    }
}
