// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The events that end a connection of an extension that a host serves, after which nothing stays open.
@Suite(.timeLimit(.minutes(10)))
struct NetworkEndTests {
    private func serve(
        _ lines: [String] = [],
        _ body: (RunningHost, WebServer) async throws -> Void
    ) async throws {
        try await serve(lines) { host, server, _ in try await body(host, server) }
    }

    private func serve(
        _ lines: [String] = [],
        withKeys: Bool = false,
        _ body: (RunningHost, WebServer, TemporaryFolder) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let lines = lines + (withKeys ? try await TestKeys(in: folder).configuration : [])
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            try await WebServer.with(folder) { server in
                let bundle = try folder.makeBundle(
                    "Fetching",
                    program: Programs.fetchingExtension,
                    attributes: """
                        <key>NetworkHosts</key><array><string>http://127.0.0.1:\(server.port)</string>
                        <string>127.0.0.1:\(server.tlsPort)</string></array>
                        """
                )
                try await RunningHost.with(folder, app: ["extension: \(bundle)"] + lines) { host in
                    try await body(host, server, folder)
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

    /// Descriptors of the host while it has one worker that served and its spare; nil while others come or go.
    private func restingCount(of host: RunningHost) -> Int? {
        guard host.descendants(named: "Fetching").count == 2 else { return nil }
        return (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process)/fd"))?.count
    }

    /// The first count that lasts for a while.
    private func atRest(_ host: RunningHost) async -> Int? {
        var (count, sameCount) = (restingCount(of: host), 0)
        let isStill = await comesTrue {
            let next = restingCount(of: host)
            sameCount = next == count && next != nil ? sameCount + 1 : 0
            count = next
            return sameCount == 20
        }
        return isStill ? count : nil
    }

    /// Waits until it is so, at most a minute.
    private func comesTrue(_ condition: () async throws -> Bool) async rethrows -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if try await condition() { return true }
            await Task.yield()
        }
        return false
    }

    @Test func `a connection dies with its worker, and the next one is served`() async throws {
        try await serve(["budget: 15s", "grace: 1s"]) { host, server in
            let place = "http://127.0.0.1:\(server.port)"
            #expect(fetched(try await host.deliver(push(place + "/a"))) == ["200 hello /a"])
            let before = try #require(await atRest(host))
            for _ in 0..<3 {
                let record = try await host.deliver(push(place + "/half/x"))
                #expect(record?.reason == "budgetExceeded")
                #expect(try await comesTrue { try await server.openCount == 0 })
                #expect(fetched(try await host.deliver(push(place + "/b"))) == ["200 hello /b"])
            }
            #expect(await comesTrue { restingCount(of: host).map { $0 <= before } ?? false })
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

    /// The host's authorities did not sign this server: it is reached, and not believed.
    @Test func `sealed files that cannot be had leave nothing open`() async throws {
        try await serve(withKeys: true) { host, server, folder in
            let recipient = try await CommandResult.run(
                Programs.sealPayload,
                ["keygen", "-y", folder.path + "/recipient.key"]
            )
            let key = recipient.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let file = try folder.write("picture", to: "picture")
            let entry = try await CommandResult.run(
                Programs.sealPayload,
                ["attach", file, "--type", "image/png", "--url", "https://127.0.0.1:\(server.tlsPort)/picture"]
            )
            let content = #"{"title":"t","attachments":[\#(entry.output)]}"#
            var before = 0
            for round in 0..<6 {
                let body = try await CommandResult.run(
                    Programs.sealPayload,
                    ["-r", key, "--topic", "com.example.chat"],
                    input: content
                )
                let record = try await host.deliver(body.output)
                #expect(record?.outcome == "modified")
                #expect(record?.object["refusedAttachments"]?.array?.first?.object?["reason"] == "notFetched")
                if round == 0 { before = try #require(await atRest(host)) }
            }
            #expect(await comesTrue { restingCount(of: host).map { $0 <= before } ?? false })
        }
    }

    @Test func `more than 64 MiB do not come down for one notification`() async throws {
        try await serve(["scratch: 128MB"]) { host, server in
            let place = "http://127.0.0.1:\(server.port)"
            let record = try await host.deliver(push("download:\(place)/bytes/\(65 << 20)", place + "/a"))
            #expect(record?.outcome == "modified")
            #expect(fetched(record) == ["URLError", "URLError"])
            #expect(await host.note(containing: "network limit reached") != nil)
            let next = try await host.deliver(push("download:\(place)/bytes/\(3 << 20)"))
            #expect(fetched(next) == ["200 \(3 << 20) bytes"])
        }
    }
}
