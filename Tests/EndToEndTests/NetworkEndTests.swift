// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

/// What ends a connection of an extension that a host serves, and what is left of it.
@Suite(.timeLimit(.minutes(2)))
struct NetworkEndTests {
    private func serve(
        _ lines: [String] = [],
        _ body: (RunningHost, WebServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            try await WebServer.with(folder) { server in
                let bundle = try folder.makeBundle(
                    "Fetching",
                    program: Programs.fetchingExtension,
                    attributes: "<key>NetworkHosts</key><array><string>http://127.0.0.1:\(server.port)</string></array>"
                )
                try await RunningHost.with(folder, app: ["extension: \(bundle)"] + lines) { host in
                    try await body(host, server)
                }
            }
        }
    }

    private func push(_ addresses: String...) -> String {
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"aps":{"alert":{"title":"t","body":"b"},"mutable-content":1},"fetch":[\#(list)]}"#
    }

    private func fetched(_ record: Record?) -> [String] {
        record?.payload?["fetched"]?.array?.compactMap(\.string) ?? []
    }

    private func socketCount(of process: Int32) -> Int {
        let descriptors = "/proc/\(process)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []).count { name in
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\(name)")
            return place?.hasPrefix("socket:") == true
        }
    }

    /// Waits until it is so, at most ten seconds.
    private func comesTrue(_ condition: () async throws -> Bool) async rethrows -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            await Task.yield()
        }
        return false
    }

    @Test func `a connection dies with its worker, and the next one is served`() async throws {
        try await serve(["budget: 2s", "grace: 1s"]) { host, server in
            let place = "http://127.0.0.1:\(server.port)"
            #expect(fetched(try await host.deliver(push(place + "/a"))) == ["200 hello /a"])
            let before = socketCount(of: host.process)
            for _ in 0..<3 {
                let record = try await host.deliver(push(place + "/half/x"))
                #expect(record?.reason == "budgetExceeded")
                #expect(try await comesTrue { try await server.openCount == 0 })
                #expect(fetched(try await host.deliver(push(place + "/b"))) == ["200 hello /b"])
            }
            #expect(await comesTrue { socketCount(of: host.process) == before })
            #expect(host.everythingNoted.contains("network used"))
            #expect(!host.everythingNoted.contains("/half"))
        }
    }

    @Test func `a connection left open dies with its notification`() async throws {
        try await serve { host, server in
            let place = "http://127.0.0.1:\(server.port)"
            let record = try await host.deliver(push("leave:\(place)/half/x", place + "/a"))
            #expect(record?.outcome == "modified")
            #expect(fetched(record) == ["left", "200 hello /a"])
            #expect(try await comesTrue { try await server.openCount == 0 })
            // It was the connection that ended, and not the worker.
            let next = try await host.deliver(push(place + "/b"))
            #expect(next?.workerProcess == record?.workerProcess)
            #expect(fetched(next) == ["200 hello /b"])
        }
    }

    @Test func `more than 64 MiB do not come down for one notification`() async throws {
        try await serve(["scratch: 128MB"]) { host, server in
            let place = "http://127.0.0.1:\(server.port)"
            let record = try await host.deliver(push("download:\(place)/bytes/\(65 << 20)", place + "/a"))
            #expect(record?.outcome == "modified")
            #expect(fetched(record) == ["URLError", "URLError"])
            #expect(host.everythingNoted.contains("network limit reached"))
            let next = try await host.deliver(push("download:\(place)/bytes/\(3 << 20)"))
            #expect(fetched(next) == ["200 \(3 << 20) bytes"])
        }
    }
}
