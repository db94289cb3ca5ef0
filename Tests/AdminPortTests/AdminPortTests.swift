// SPDX-License-Identifier: Apache-2.0

import AdminPort
import Foundation
import HostRuntime
import Logging
import NotificationPayload
import TestClock
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AdminPortTests {
    private static let token = "0123456789abcdef-admin"

    private struct FakeActivity: ActivityReporting {
        var activity: HostActivity {
            get async {
                var counts = ExtensionCounts()
                counts.given = 7
                var workers = HostActivity.Workers()
                workers.ready = 2
                return HostActivity(apps: ["com.example.chat": counts], workers: workers, waiting: 1)
            }
        }
    }

    private let metrics = HostMetrics()
    private let readiness = Readiness(keepsState: true)
    private let clock = ManualClock()
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "admin-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    private func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
        let path = folder + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private func port(
        _ address: AdminPort.Address,
        token: AdminToken?,
        lifetime: Duration = .seconds(60)
    ) throws -> AdminPort {
        let status = HostStatus(
            metrics: metrics,
            readiness: readiness,
            activity: FakeActivity(),
            clock: HostClock(clock)
        )
        return try AdminPort(
            address: address,
            token: token,
            status: status,
            lifetime: lifetime,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Runs a port, gives its place to `body`, and ends it.
    private func running(
        _ address: AdminPort.Address = .tcp(host: "127.0.0.1", port: 0),
        token: AdminToken? = nil,
        lifetime: Duration = .seconds(60),
        body: (AdminClient) async throws -> Void
    ) async throws {
        var token = token
        if case .tcp = address, token == nil { token = try AdminToken(file: file("token", Self.token + "\n")) }
        let port = try port(address, token: token, lifetime: lifetime)
        let (started, continuation) = AsyncStream.makeStream(of: Int?.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await port.run { continuation.yield($0) } }
            var numbers = started.makeAsyncIterator()
            let number = try #require(await numbers.next())
            switch address {
            case .tcp(let host, _):
                try await body(AdminClient(.tcp(host: host, port: try #require(number)), token: nil))
            case .socket: try await body(AdminClient(address, token: nil))
            }
            group.cancelAll()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func get(_ client: AdminClient, _ path: String, token: String? = nil) throws -> AdminClient.Answer {
        try client.with(token: token.map { Array($0.utf8) }).get(path)
    }

    @Test func `health answers anybody, readiness says why senders should not come`() async throws {
        try await running { client async throws in
            #expect(try get(client, "/health") == .init(status: 200, body: "{\"state\":\"alive\"}\n"))
            let starting = "{\"state\":\"starting\",\"keepsState\":true}\n"
            #expect(try get(client, "/ready") == .init(status: 503, body: starting))
            readiness.become(.ready)
            #expect(
                try get(client, "/ready") == .init(status: 200, body: "{\"state\":\"ready\",\"keepsState\":true}\n")
            )
            readiness.watch { .journalFailing }
            let failing = "{\"state\":\"journal-failing\",\"keepsState\":true}\n"
            #expect(try get(client, "/ready") == .init(status: 503, body: failing))
            readiness.watch { nil }
            #expect(try get(client, "/ready").status == 200)
            readiness.become(.draining)
            readiness.become(.ready)
            let draining = "{\"state\":\"draining\",\"keepsState\":true}\n"
            #expect(try get(client, "/ready") == .init(status: 503, body: draining))
        }
    }

    @Test func `numbers want the token, and nothing else will do`() async throws {
        try await running { client async throws in
            for path in ["/status", "/metrics"] {
                #expect(try get(client, path).status == 401)
                for wrong in ["", "0123456789abcdef-admim", Self.token + "x", String(Self.token.dropLast())] {
                    #expect(try get(client, path, token: wrong).status == 401)
                }
                #expect(try get(client, path, token: Self.token).status == 200)
            }
        }
    }

    @Test func `other paths and methods are none`() async throws {
        try await running { client async throws in
            #expect(try get(client, "/", token: Self.token).status == 404)
            #expect(try get(client, "/status/", token: Self.token).status == 404)
            #expect(try get(client, "/admin", token: Self.token).status == 404)
            #expect(try client.with(token: Array(Self.token.utf8)).request("POST", "/status").status == 405)
            #expect(try client.with(token: nil).request("HEAD", "/health") == .init(status: 200, body: ""))
        }
    }

    /// Everything that comes on a new connection until its end, without the dates.
    private func exchange(_ client: AdminClient, _ said: String) throws -> String {
        let connection = try client.open()
        defer { close(connection) }
        #expect(send(connection, said, said.utf8.count, Int32(MSG_NOSIGNAL)) == said.utf8.count)
        var (bytes, buffer, count) = ([UInt8](), [UInt8](repeating: 0, count: 4096), 1)
        while count > 0 {
            count = recv(connection, &buffer, buffer.count, 0)
            #expect(count >= 0, "the server closes in time")
            if count > 0 { bytes += buffer[..<count] }
        }
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        return text.replacing(
            /Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9:]{8} GMT\n/,
            with: ""
        )
    }

    @Test func `a connection has one answer after the other, and ends when its client asks for that`() async throws {
        try await running { client async throws in
            let said = try exchange(
                client,
                "GET /health HTTP/1.1\r\nhost: a\r\n\r\nPOST /ready HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}"
                    + "GET http://a/metrics HTTP/1.1\r\nhost: a\r\nauthorization: Basic a\r\n\r\n"
                    + "HEAD /health?a=b HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\nGET /health HTTP/1.1\r\nhost: a\r\n\r\n"
            )
            #expect(
                said == """
                    HTTP/1.1 200 OK
                    Cache-Control: no-store
                    Content-Type: application/json
                    Content-Length: 18

                    {"state":"alive"}
                    HTTP/1.1 405 Method Not Allowed
                    Allow: GET, HEAD
                    Cache-Control: no-store
                    Content-Length: 0

                    HTTP/1.1 401 Unauthorized
                    WWW-Authenticate: Bearer
                    Cache-Control: no-store
                    Content-Length: 0

                    HTTP/1.1 200 OK
                    Cache-Control: no-store
                    Content-Type: application/json
                    Content-Length: 18
                    Connection: close


                    """
            )
        }
    }

    @Test func `what is no HTTP, or too much of it, is answered and ends the connection`() async throws {
        let refusal = "HTTP/1.1 400 Bad Request\nConnection: close\nContent-Length: 0\n\n"
        try await running { client async throws in
            #expect(try exchange(client, "no HTTP\r\n\r\n") == refusal)
            let long = String(repeating: "a", count: 9 << 10)
            #expect(try exchange(client, "GET /health HTTP/1.1\r\nhost: a\r\nx: \(long)\r\n\r\n") == refusal)
            // RFC 9112, section 3.2.
            for hosts in ["", "host: a\r\nhost: a\r\n"] {
                #expect(try exchange(client, "GET /health HTTP/1.1\r\n\(hosts)\r\n") == refusal)
            }
            #expect(try exchange(client, "GET /health HTTP/1.0\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\n"))
        }
    }

    @Test(arguments: ["CONNECT / HTTP/1.1\r\n", "GET /health HTTP/1.1\r\nconnection: upgrade\r\nupgrade: x\r\n"])
    func `nothing is read behind a request that would change the protocol`(_ head: String) async throws {
        try await running { client async throws in
            let connection = try client.open()
            defer { close(connection) }
            let said = head + "host: a\r\n\r\n"
            #expect(send(connection, said, said.utf8.count, Int32(MSG_NOSIGNAL)) == said.utf8.count)
            // The answer is there, so that what follows is not read with the head.
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            #expect(recv(connection, &buffer, buffer.count, 0) > 0)
            // More than the buffers of two sockets: as long as somebody reads, there is room again.
            var (sent, idle) = (0, 0)
            while sent < 256 << 20, idle < 20 {
                let count = send(connection, buffer, buffer.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                if count > 0 {
                    (sent, idle) = (sent + count, 0)
                    continue
                }
                var room = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
                if poll(&room, 1, 100) == 1, errno != EAGAIN { break }
                idle += 1
            }
            #expect(sent < 64 << 20)
        }
    }

    @Test func `status tells what waits, and of whom`() async throws {
        metrics.pushes.backlog.set(3)
        metrics.pushes.backlogBytes.set(2048)
        metrics.pushes.backlogOldest.set(.milliseconds(1500))
        metrics.journal.synchronous.set(2)
        metrics.journal.bytes.compute { 4096 }
        metrics.outbox.records.with("hook").set(5)
        metrics.outbox.deadLetters.with("hook").set(1)
        metrics.ingress.connections.with("h2").add(2)
        readiness.become(.ready)
        try await running { client async throws in
            clock.advance(to: .seconds(90))
            let object = try JSONObject(parsing: Array(get(client, "/status", token: Self.token).body.utf8).span)
            #expect(object["state"] == "ready")
            #expect(object["uptimeSeconds"] == 90)
            #expect(object["backlog"] == ["pushes": 3, "bytes": 2048, "oldestMilliseconds": 1500])
            #expect(object["journal"] == ["bytes": 4096, "synchronous": 2])
            #expect(object["outboxes"] == [["sink": "hook", "records": 5, "inFlight": 0, "deadLetters": 1]])
            #expect(object["connections"] == ["h2": 2])
            #expect(
                object["workers"] == ["starting": 0, "ready": 2, "serving": 0, "retiring": 0, "waiting": 1]
            )
            #expect(object["apps"]?.object?["com.example.chat"]?.object?["given"] == 7)
        }
    }

    @Test func `metrics are what Prometheus reads`() async throws {
        metrics.ingress.unregisteredAnswers.increment()
        try await running { client async throws in
            let lines = try get(client, "/metrics", token: Self.token).body.split(separator: "\n")
            #expect(lines.contains("# TYPE nestbox_unregistered_answers_total counter"))
            #expect(lines.contains("nestbox_unregistered_answers_total 1"))
            #expect(lines.contains(#"nestbox_workers{state="ready"} 2"#))
            #expect(lines.contains(#"nestbox_extension_events_total{app="com.example.chat",event="given"} 7"#))
            let names = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " && $0 != "{" } }
            #expect(names.allSatisfy { $0.hasPrefix("nestbox_") })
        }
    }

    @Test func `a socket is its user's alone, wants no token, and is gone afterwards`() async throws {
        let path = folder + "/admin.sock"
        try await running(.socket(path: path)) { client async throws in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try get(client, "/metrics").status == 200)
            let busy = AdminPortError("admin socket \"\(path)\" is in use by another host")
            let second = try port(.socket(path: path), token: nil)
            await #expect(throws: busy) { try await second.run() }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Half a request, and another that was accepted just now.
    @Test func `open connections do not keep it, nor does it fall over them`() async throws {
        for _ in 0..<20 {
            try await running { client in
                let half = try client.open()
                defer { close(half) }
                _ = send(half, "GET", 3, Int32(MSG_NOSIGNAL))
                #expect(try get(client, "/health").status == 200)
                close(try client.open())
            }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
    }

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nhost: a\r\n", "GET /health HTTP/1.1\r\nhost: a\r\n\r\n"])
    func `200 slow peers do not silence it`(_ said: String) async throws {
        let path = folder + "/admin.sock"
        try await running(.socket(path: path)) { client in
            var slow: [Int32] = []
            defer { for peer in slow { close(peer) } }
            for _ in 0..<200 {
                let peer = try client.open()
                slow.append(peer)
                _ = send(peer, said, said.utf8.count, Int32(MSG_NOSIGNAL))
            }
            for _ in 0..<5 { #expect(try get(client, "/status").status == 200) }
        }
    }

    @Test func `a connection ends in time, whatever is said on it`() async throws {
        var text = ""
        // Of a short life nothing may be left for the answer; a longer one shows it.
        for lifetime in [50, 1000, 8000] where text.isEmpty {
            try await running(lifetime: .milliseconds(lifetime)) { client in
                let connection = try client.open()
                defer { close(connection) }
                let request = "GET /health HTTP/1.1\r\nhost: nestbox\r\n\r\n"
                _ = send(connection, request, request.utf8.count, Int32(MSG_NOSIGNAL))
                var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
                var (count, error) = (0, Int32(0))
                repeat {
                    count = recv(connection, &buffer, buffer.count, 0)
                    error = errno
                    if count > 0 { bytes += buffer[..<count] }
                } while count > 0
                #expect(count == 0 || error == ECONNRESET, "the server closes, not our own patience")
                text = String(decoding: bytes, as: UTF8.self)
            }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a socket in a folder that others can enter is refused`() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        let path = folder + "/admin.sock"
        let refusal = AdminPortError(
            "the folder of admin socket \"\(path)\" is open to other users",
            hint: "chmod 700 \(folder)"
        )
        let port = try port(.socket(path: path), token: nil)
        await #expect(throws: refusal) { try await port.run() }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `a token file of others, or one that holds none, is refused`() throws {
        let open = try file("open", Self.token, mode: 0o640)
        #expect(
            throws: AdminPortError("token file \"\(open)\" is open to other users", hint: "chmod 600 \(open)")
        ) { try AdminToken(file: open) }
        for text in ["", "short\n", "0123456789abcdef 0123456789abcdef", String(repeating: "a", count: 257)] {
            let path = try file("token", text)
            let refusal = AdminPortError(
                "token file \"\(path)\" does not hold 16 to 256 printable characters",
                hint: "openssl rand -hex 32 > \(path)"
            )
            #expect(throws: refusal) { try AdminToken(file: path) }
        }
        #expect(throws: AdminPortError("token file \"/none\" is not readable: No such file or directory")) {
            try AdminToken(file: "/none")
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func `TCP without a token does not start`() throws {
        #expect(throws: AdminPortError("the admin port needs a token")) {
            try port(.tcp(host: "127.0.0.1", port: 0), token: nil)
        }
    }
}
