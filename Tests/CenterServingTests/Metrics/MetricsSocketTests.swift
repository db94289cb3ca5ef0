// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import Locking
import Testing

@testable import CenterServing

/// The socket that tells what the centre counts: to its own user, and nothing else.
@Suite(.timeLimit(.minutes(2)))
struct MetricsSocketTests {
    private static let limit = 4

    /// Serves the counts and the API of an owner while the body runs, and ends.
    private func serving(_ body: (_ metrics: String, _ api: String, Bench) async throws -> Void) async throws {
        let bench = try Bench()
        try await bench.center.adopt(owner: CenterOwner.only)
        let apis = OwnerAPIs(bench.center, clock: ContinuousClock())
        let (path, http) = (bench.folder + "/metrics.sock", bench.folder + "/http.sock")
        let servers = [
            (
                APIServer(apis, metricsAt: path, clock: ContinuousClock()),
                APIConnections(limit: Self.limit, strangers: Self.limit)
            ),
            (APIServer(apis, owner: bench.me, path: http, clock: ContinuousClock()), APIConnections()),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (server, connections) in servers {
                let started = Signal()
                group.addTask { try await server.run(connections) { _ in started.raise() } }
                await started.wait()
            }
            defer { for (_, connections) in servers { connections.close() } }
            try await body(path, http, bench)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Sends bytes and returns all that comes until the server closes.
    private func converse(_ path: String, _ request: String, _ more: String = "") async throws -> String {
        let peer = try UnixStream(connectingTo: path)
        return await withCheckedContinuation { answer in
            Thread.detachNewThread {
                peer.send(Array("\(request) HTTP/1.1\r\nhost: nestbox\r\nconnection: close\r\n\(more)\r\n".utf8))
                answer.resume(returning: peer.readToEnd())
            }
        }
    }

    @Test func `the counts are there for whoever runs the centre, as Prometheus reads them`() async throws {
        try await serving { path, _, bench in
            try await bench.deliver([Bench.record(1, title: "canary")])
            let answer = try await converse(path, "GET /metrics")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            #expect(answer.contains("\nnestbox_center_stored 1\n"))
            #expect(!answer.contains("canary"))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let head = try await converse(path, "HEAD /metrics")
            #expect(head.hasPrefix("HTTP/1.1 200 ") && head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        ("GET /v1", "404"), ("GET /v1/front", "404"), ("GET /v1/events", "404"), ("GET /", "404"),
        ("GET /metrics/", "404"), ("POST /v1/app/com.example.chat/attachments", "404"), ("POST /metrics", "405"),
    ])
    func `nothing else is there, of no owner`(request: String, status: String) async throws {
        try await serving { path, _, _ in
            let answer = try await converse(path, request)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test func `an owner's socket does not have the counts of all`() async throws {
        try await serving { _, http, _ in
            let answer = try await converse(http, "GET /metrics")
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `connections that say nothing give way to one that asks`() async throws {
        try await serving { path, _, _ in
            // As many as have a place stay; each of the others came when one before it had gone.
            let silent = try (0..<3 * Self.limit).map { _ in try UnixStream(connectingTo: path) }
            await withTaskGroup(of: Void.self) { group in
                for peer in silent { group.addTask { await Self.untilEnd(of: peer) } }
                for _ in 0..<2 * Self.limit { await group.next() }
                // All of them have come, so that whoever asks now is the last one.
                let answer = try? await converse(path, "GET /metrics")
                #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
                for peer in silent { peer.end() }
            }
        }
    }

    /// Waits on a thread of its own until the server closes.
    private static func untilEnd(of peer: UnixStream) async {
        await withCheckedContinuation { ended in
            Thread.detachNewThread {
                _ = peer.readToEnd()
                ended.resume()
            }
        }
    }

    @Test func `requests are counted by their part of the API and their status, whatever a caller makes up`()
        async throws
    {
        try await serving { _, http, bench in
            for request in ["GET /v1", "GET /v1/front", "GET /v1/canary", "GET /canary", "POST /v1/front"] {
                _ = try await converse(http, request)
            }
            _ = try await converse(http, "POST /v1/app/com.example.chat/attachments", "content-length: 0\r\n")
            #expect(
                bench.samples("nestbox_center_http_requests_total") == [
                    #"{route="about",status="200"} 1"#, #"{route="front",status="200"} 1"#,
                    #"{route="front",status="405"} 1"#, #"{route="other",status="404"} 2"#,
                    #"{route="other",status="422"} 1"#,
                ]
            )
            #expect(
                bench.samples("nestbox_center_refused_total") == [
                    #"{reason="attachment"} 1"#, #"{reason="method"} 1"#, #"{reason="notFound"} 1"#,
                ]
            )
            #expect(!bench.center.metrics.text.contains("canary"))
        }
    }
}
