// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import Locking
import TestClock
import Testing

@testable import CenterServing

/// The server on its socket, and peers that send what no client of ours sends.
@Suite(.timeLimit(.minutes(2)))
struct APIServerTests {
    /// Serves a bench with one owner while the body runs, and ends.
    private func serving(_ body: (_ path: String, Bench) async throws -> Void) async throws {
        let bench = try Bench()
        try await bench.center.adopt(owner: CenterOwner.only)
        let path = bench.folder + "/http.sock"
        let connections = APIConnections()
        let apis = OwnerAPIs(bench.center, clock: ContinuousClock())
        let server = APIServer(apis, owner: bench.me, path: path, clock: ContinuousClock())
        let started = Signal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(connections) { _ in started.raise() } }
            await started.wait()
            do { try await body(path, bench) } catch {
                connections.close()
                throw error
            }
            connections.close()
            try await group.waitForAll()
        }
        #expect(connections.count == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Sends bytes and returns all that comes until the server closes.
    private func converse(_ path: String, _ bytes: [UInt8]) async throws -> String {
        let peer = try UnixStream(connectingTo: path)
        return await withCheckedContinuation { answer in
            Thread.detachNewThread {
                peer.send(bytes)
                answer.resume(returning: peer.readToEnd())
            }
        }
    }

    private func converse(_ path: String, _ text: String) async throws -> String {
        try await converse(path, Array(text.utf8))
    }

    private static func statuses(_ answers: String) -> [String] {
        answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test func `requests behind one another are answered in their order, until one asks for the end`() async throws {
        try await serving { path, _ in
            let get = "GET /v1 HTTP/1.1\r\nhost: a\r\n\r\n"
            let last = "GET /v1/nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
            let answers = try await converse(path, get + get + last + get)
            #expect(Self.statuses(answers) == ["200", "200", "404"])
        }
    }

    @Test(arguments: [
        ("GET /v1 HTTP/1.1\r\n\r\n", "400"),
        ("GET /v1 HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "400"),
        ("\u{16}\u{3}\u{1} no http at all\r\n\r\n", "400"),
        ("GET /v1 HTTP/1.1\r\nhost: a\r\nx: " + String(repeating: "y", count: 20_000) + "\r\n\r\n", "400"),
        ("CONNECT /v1 HTTP/1.1\r\nhost: a\r\n\r\n" + String(repeating: "z", count: 100_000), "405"),
        ("GET /v1 HTTP/1.1\r\nhost: a\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\nPRI * HTTP/2.0\r\n\r\n", "200"),
        ("GET /v1 HTTP/1.0\r\n\r\n", "200"),
    ])
    func `what is no conversation of HTTP 1 1 has one answer, and the connection ends`(
        sent: String,
        status: String
    ) async throws {
        try await serving { path, _ in
            let answers = try await converse(path, sent)
            #expect(Self.statuses(answers) == [status])
            // The next peer is served.
            let next = "GET /v1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
            let further = try await converse(path, next)
            #expect(Self.statuses(further) == ["200"])
        }
    }

    @Test func `a body over its bound is refused before it has come`() async throws {
        try await serving { path, _ in
            let head =
                "PUT /v1/seen HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\n\r\n"
            let answers = try await converse(path, head + String(repeating: "a", count: APIConversation.bodyLimit + 1))
            #expect(Self.statuses(answers) == ["413"])
        }
    }

    @Test func `a watcher that goes is let go, and one that stays hears of the end`() async throws {
        try await serving { path, bench in
            let head = Array("GET /v1/events HTTP/1.1\r\nhost: a\r\n\r\n".utf8)
            do {
                let gone = try UnixStream(connectingTo: path)
                gone.send(head)
                while bench.center.watcherCount < 1 { try await Task.turn() }
            }
            while bench.center.watcherCount > 0 { try await Task.turn() }
            let stays = try UnixStream(connectingTo: path)
            stays.send(head)
            while bench.center.watcherCount < 1 { try await Task.turn() }
        }
    }

    @Test func `two hundred watchers hear of one change each`() async throws {
        try await serving { path, bench in
            let watchers = try (0..<200).map { _ in try UnixStream(connectingTo: path) }
            for watcher in watchers { watcher.send(Array("GET /v1/events HTTP/1.1\r\nhost: a\r\n\r\n".utf8)) }
            while bench.center.watcherCount < 200 { try await Task.turn() }
            _ = try await bench.center.perform([.setPermission(try bench.chat, Permission())])
            for watcher in watchers { #expect(watcher.read(until: "event: app\n").hasSuffix("event: app\n")) }
        }
    }

    // MARK: Files

    private func post(
        _ body: [UInt8],
        _ topic: String = Bench.topic,
        length: Int? = nil,
        _ more: String = ""
    ) -> [UInt8] {
        let head = "POST /v1/app/\(topic)/attachments HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\(more)"
        return Array("\(head)content-length: \(length ?? body.count)\r\n\r\n".utf8) + body
    }

    @Test func `a file longer than any other body goes to the disk, and the next request is answered`() async throws {
        try await serving { path, bench in
            let body = BenchFiles.jpeg + [UInt8](repeating: 7, count: 1 << 20)
            let answers = try await converse(path, post(body, "com.example.chat", "expect: 100-continue\r\n"))
            #expect(Self.statuses(answers) == ["100", "201"])
            #expect(answers.contains("\"size\":\(body.count)"))
            #expect(try bench.keptFiles().count == 1)
        }
    }

    @Test(arguments: ["com.example.chat", "ab"])
    func `a body that is refused is read on for a while, so that its sender hears why`(topic: String) async throws {
        try await serving { path, _ in
            let status = topic == "ab" ? "404" : "413"
            for _ in 0..<20 {
                let body = [UInt8](repeating: 7, count: 200 << 10)
                let length = topic == "ab" ? body.count : 60 << 20
                let answers = try await converse(path, post(body, topic, length: length))
                #expect(Self.statuses(answers) == [status])
            }
        }
    }

    @Test func `a file that does not come whole, is empty or is too long leaves nothing`() async throws {
        try await serving { path, bench in
            let peer = try UnixStream(connectingTo: path)
            peer.send(post(BenchFiles.jpeg, length: 1000))
            while try bench.keptFiles().isEmpty { try await Task.turn() }
            peer.end()
            while try !bench.keptFiles().isEmpty { try await Task.turn() }
            #expect(Self.statuses(try await converse(path, post([]))) == ["422"])
            #expect(Self.statuses(try await converse(path, post([1], length: 60 << 20))) == ["413"])
            #expect(try bench.keptFiles().isEmpty)
        }
    }
}
