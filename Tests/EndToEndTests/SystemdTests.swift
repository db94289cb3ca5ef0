// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The messages that the service manager gets from a host.
@Suite(.timeLimit(.minutes(10)))
struct SystemdTests {
    /// A socket of datagrams, as systemd has.
    private final class Listener: Sendable {
        let descriptor: Int32

        init(path: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let status = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0)
            // A host that says nothing is found out.
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// The next message, on a thread that may wait.
        func next() async -> String? {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in
                    var bytes = [UInt8](repeating: 0, count: 256)
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    continuation.resume(
                        returning: count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
                    )
                }
            }
        }
    }

    private static func host(
        _ folder: TemporaryFolder,
        _ environment: [String],
        _ body: (RunningHost) async throws -> Void
    ) async throws {
        let configuration = """
            listen: { apns: { port: 0, plaintext: true } }
            apps: [{ topic: com.example.chat }]

            """
        let host = try await RunningHost(
            configuration: try folder.write(configuration, to: "host.yaml"),
            command: ["/usr/bin/env"] + environment + [Programs.extensionHost]
        )
        defer { kill(host.process, SIGKILL) }
        try await body(host)
    }

    @Test func `it hears when the host serves, that it lives, and that it stops`() async throws {
        try await TemporaryFolder.with { folder in
            let listener = try Listener(path: folder.path + "/notify")
            let environment = ["NOTIFY_SOCKET=\(folder.path)/notify", "WATCHDOG_USEC=200000"]
            try await Self.host(folder, environment) { host in
                var heard: [String] = []
                func hear(_ message: String) async throws {
                    repeat { heard.append(try #require(await listener.next())) } while heard.last != message
                }
                try await hear("READY=1")
                // Again and again.
                for _ in 0..<4 { try await hear("WATCHDOG=1") }
                host.terminate()
                try await hear("STOPPING=1")
                #expect(await host.exitStatus == 0)
                #expect(Set(heard) == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
                #expect(heard.filter { $0 != "WATCHDOG=1" } == ["READY=1", "STOPPING=1"])
            }
        }
    }

    @Test func `a watchdog for another process is not this host's, and a socket that is gone holds nothing up`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let environment = ["NOTIFY_SOCKET=\(folder.path)/nobody", "WATCHDOG_USEC=1000", "WATCHDOG_PID=1"]
            try await Self.host(folder, environment) { host in
                let status = try await host.post(#"{"aps":{}}"#)
                #expect(status == 400)
                host.terminate()
                #expect(await host.exitStatus == 0)
            }
        }
    }
}
