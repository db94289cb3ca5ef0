// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A host that may have few descriptors, and strangers who would like to have more.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct DescriptorTests {
    private func withHost(
        limit: Int,
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        let prlimit = try #require(Programs.installed("prlimit"))
        try await TemporaryFolder.with { folder in
            let configuration = """
                listen: { apns: { port: 0, plaintext: true } }
                apps: [{ topic: com.example.chat, device-tokens: ["\(RunningHost.token)"] }]
                """
            let host = try await RunningHost(
                configuration: try folder.write(configuration, to: "host.yaml"),
                command: [prlimit, "--nofile=\(limit):\(limit)", Programs.extensionHost],
                options: []
            )
            defer { host.terminate() }
            try await body(host)
            host.terminate()
            #expect(await host.exitStatus == 0)
        }
    }

    @Test(arguments: [256, 512, 600, 1024, 4096])
    func `more connections than descriptors end no host and keep out no sender that was there`(
        limit: Int
    ) async throws {
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own)
        own.rlim_cur = own.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own)
        try await withHost(limit: limit) { host in
            let sender = try Connection(to: host.port)
            #expect(try sender.post(#"{"aps":{"alert":"before"}}"#) == 200)
            var strangers: [Connection] = []
            for number in 0..<(limit + 100) {
                strangers.append(try Connection(to: host.port))
                // All the while, and not only when everything is quiet again.
                if number % 100 == 0 { #expect(try sender.post(#"{"aps":{"alert":"\#(number)"}}"#) == 200) }
            }
            #expect(try sender.post(#"{"aps":{"alert":"after"}}"#) == 200)
            // Strangers have no more than half of what nobody needs: workers that come later have the rest.
            #expect(try openDescriptors(of: host) <= limit * 3 / 4)
            strangers = []
            // The host sees them leave in its own time.
            var status: Int?
            while status != 200 { status = try await host.post(#"{"aps":{"alert":"new"}}"#) }
        }
    }

    private func openDescriptors(of host: RunningHost) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process)/fd").count
    }

    @Test func `accepting pauses when no descriptor is left, and goes on when there is one`() async throws {
        let strace = try #require(Programs.installed("strace"))
        try await withHost(limit: 4096) { host in
            let sender = try Connection(to: host.port)
            #expect(try sender.post(#"{"aps":{"alert":"before"}}"#) == 200)
            // What no budget can foresee, for `accept` alone: without any descriptor libdispatch ends the host, as soon
            // as it wants to look into /proc, where it counts its threads each second while they have work.
            let trace = try FailingCalls(strace, of: host.process)
            await trace.isAttached()
            var strangers: [Connection] = []
            for _ in 0..<8 { strangers.append(try Connection(to: host.port)) }
            var times: [Double] = []
            while times.count < 10 {
                let time = await trace.nextFailure()
                try times.append(#require(time, "after \(times.count): \(trace.end(of: host))"))
            }
            #expect(try sender.post(#"{"aps":{"alert":"meanwhile"}}"#) == 200)
            // On the kernel's clock, so that a slow machine makes them longer; half of the pause is for its rounding.
            for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier > 0.05) }
            strangers = []
            // Right after a failure, so that no call is cut short.
            _ = await trace.nextFailure()
            trace.end()
            var status: Int?
            while status != 200 { status = try await host.post(#"{"aps":{"alert":"new"}}"#) }
        }
    }

    @Test(arguments: [90, 120])
    func `a limit that is too low is refused in words that name it`(limit: Int) async throws {
        let prlimit = try #require(Programs.installed("prlimit"))
        try await TemporaryFolder.with { folder in
            let configuration = """
                listen: { apns: { port: 0, plaintext: true } }
                apps: [{ topic: com.example.chat, device-tokens: ["\(RunningHost.token)"] }]
                """
            let file = try folder.write(configuration, to: "host.yaml")
            let result = try await CommandResult.run(
                prlimit,
                ["--nofile=\(limit):\(limit)", Programs.extensionHost, "serve", "--config", file]
            )
            #expect(result.status == 1)
            let start = "extension-host: error: the descriptor limit of \(limit) is too low for this configuration, "
            #expect(result.errors.hasPrefix(start + "which needs at least "), "\(result.errors)")
            #expect(result.errors.contains("\nextension-host: hint: raise the hard limit: \"LimitNOFILE=4096\""))
        }
    }
}

/// A connection of HTTP/1.1 that stays open; without a request it is a stranger's.
private final class Connection {
    private let descriptor: Int32

    init(to port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0, "the test itself has no descriptor left: errno \(errno)")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "errno \(errno)")
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the answer's status; nil when the host has closed the connection.
    func post(_ body: String) throws -> Int? {
        let request =
            "POST /3/device/\(RunningHost.token) HTTP/1.1\r\nhost: localhost\r\napns-topic: com.example.chat\r\n"
            + "content-length: \(body.utf8.count)\r\n\r\n\(body)"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return nil
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
        }
        return String(decoding: answer, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}

/// The calls by which another process accepts connections, which all fail for want of a descriptor until the end.
private final class FailingCalls {
    private let child = Process()
    private let lines: Mailbox<String>

    init(_ strace: String, of process: Int32) throws {
        // A child has the signals blocked that are blocked in this thread; strace ends at none of those.
        let unblock =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
        child.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        let calls = "accept4,accept"
        child.arguments = [
            "-c", unblock, strace, "-f", "-ttt", "-e", "trace=\(calls)", "-e", "inject=\(calls):error=EMFILE", "-p",
            "\(process)",
        ]
        let pipe = try ProcessStart.alone { [child] in
            let pipe = Pipe()
            child.standardError = pipe
            child.standardOutput = FileHandle.nullDevice
            child.standardInput = FileHandle.nullDevice
            try child.run()
            return pipe
        }
        lines = Mailbox<String>(lines: pipe.fileHandleForReading)
    }

    deinit { end() }

    func isAttached() async {
        while let line = await lines.take(), !line.contains("attached") {}
    }

    /// Waits for a connection that could not be accepted for want of a descriptor; returns the time of the failure in
    /// seconds since 1970, or `nil` when the trace ends.
    func nextFailure() async -> Double? {
        while let line = await lines.take() {
            guard line.contains("EMFILE") else { continue }
            return line.split(separator: " ").lazy.compactMap { Double($0) }.first { $0 > 1_000_000_000 }
        }
        return nil
    }

    func end() {
        if child.isRunning { child.terminate() }
    }

    /// The last words of the trace and the host, for whoever wonders why there is no further failure.
    func end(of host: RunningHost) -> String {
        let life = kill(host.process, 0) == 0 ? "lives" : "is gone"
        return "\(lines.everything.suffix(4)); the host \(life): \(host.everythingNoted.suffix(500))"
    }
}
