// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import Logging
import NotificationPayload
import Testing

@testable import Ingress

struct NDJSONSocketTests {
    private static let accepted = #"{"id":"\#(Fixture.id)","status":200}"#

    private static func line(
        _ headers: String = #"{"apns-id":"\#(Fixture.id)"}"#,
        token: String = Fixture.token
    )
        -> String
    {
        #"{"token":"\#(token)","headers":\#(headers),"payload":\#(Fixture.body)}"# + "\n"
    }

    /// Serves a socket in a folder of its own while `body` runs, then drains it.
    private static func serve<Result>(
        _ acceptor: any PushAcceptor = RecordingAcceptor(),
        clientLimit: Int = 4,
        users: Set<UInt32> = [geteuid()],
        metrics: HostMetrics = HostMetrics(),
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await withFolder { folder in
            let path = folder + "/run/ingress.sock"
            var socket = try ListeningSocket(path: path)
            socket.users = users
            let ingress = NDJSONSocketIngress(
                socket: socket,
                tokens: Fixture.tokens,
                firstToken: { $0 == Fixture.topic ? Fixture.token : nil },
                acceptor: acceptor,
                metrics: metrics,
                logger: Fixture.silentLogger,
                clientLimit: clientLimit
            )
            let serving = Task { try await ingress.run() }
            do {
                let result = try await body(path)
                serving.cancel()
                try await serving.value
                return result
            } catch {
                serving.cancel()
                throw error
            }
        }
    }

    private static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = "/tmp/nestbox-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    @Test(.timeLimit(.minutes(5))) func `each line has one answer, in the order of the lines`() async throws {
        let acceptor = RecordingAcceptor()
        let answers = try await Self.serve(acceptor) { path in
            let client = try TestClient(path)
            client.send(
                Self.line() + "hello\n\n" + Self.line(token: "00") + Self.line()
                    + #"{"Simulator Target Bundle":"com.example.chat","aps":{},"apns":1}"#
            )
            client.finish()
            return await client.lines()
        }
        #expect(answers.count == 5)
        #expect(
            answers.prefix(4) == [
                Self.accepted, #"{"line":2,"status":400,"reason":"PayloadEmpty"}"#,
                #"{"id":"\#(Fixture.id)","status":400,"reason":"MissingTopic"}"#, Self.accepted,
            ]
        )
        #expect(answers.last?.hasSuffix(#"","status":200}"#) == true)
        #expect(acceptor.pushes.map(\.sender) == Array(repeating: .user(geteuid()), count: 3))
    }

    @Test(.timeLimit(.minutes(5))) func `a push has its answer when it is accepted, and not before`() async throws {
        let acceptor = HoldingAcceptor()
        try await Self.serve(acceptor) { path in
            let client = try TestClient(path)
            client.send("hello\n" + Self.line())
            await acceptor.waitForPushes(1)
            #expect(!client.hasInput)
            acceptor.release()
            client.finish()
            #expect(
                await client.lines() == [#"{"line":1,"status":400,"reason":"PayloadEmpty"}"#, Self.accepted]
            )
        }
    }

    @Test(.timeLimit(.minutes(5))) func `answers and connections are counted`() async throws {
        let metrics = HostMetrics()
        try await Self.serve(metrics: metrics) { path in
            let client = try TestClient(path)
            client.send(Self.line() + Self.line() + "hello\n")
            _ = await client.nextLine()
            #expect(metrics.ingress.connections.with("socket").value == 1)
            client.finish()
            _ = await client.lines()
        }
        let requests = metrics.ingress.requests
        #expect(requests.with("ndjson", LabelValue(200), "none").value == 2)
        #expect(requests.with("ndjson", LabelValue(400), LabelValue(known: "PayloadEmpty")).value == 1)
        #expect(metrics.ingress.connections.with("socket").value == 0)
    }

    @Test(.timeLimit(.minutes(5))) func `clients do not wait for each other`() async throws {
        let acceptor = HoldingAcceptor()
        try await Self.serve(acceptor) { path in
            let (slow, quick) = (try TestClient(path), try TestClient(path))
            slow.send(Self.line())
            await acceptor.waitForPushes(1)
            quick.send("hello\n")
            quick.finish()
            #expect(await quick.lines() == [#"{"line":1,"status":400,"reason":"PayloadEmpty"}"#])
            acceptor.release()
            slow.finish()
            #expect(await slow.lines() == [Self.accepted])
        }
    }

    @Test(.timeLimit(.minutes(5))) func `one client too many hears so and is let go while all others are at work`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await Self.serve(acceptor, clientLimit: 1) { path in
            let first = try TestClient(path)
            first.send(Self.line())
            await acceptor.waitForPushes(1)
            let second = try TestClient(path)
            #expect(await second.lines() == [#"{"status":503,"reason":"ServiceUnavailable"}"#])
            acceptor.release()
            first.finish()
            #expect(await first.lines() == [Self.accepted])
        }
    }

    @Test(.timeLimit(.minutes(5))) func `140 idle clients of one's own keep nobody out`() async throws {
        try await Self.serve(clientLimit: 64) { path in
            var idle: [TestClient] = []
            for index in 0..<140 {
                let client = try TestClient(path)
                // Half a line is no work.
                if index.isMultiple(of: 2) { client.send("{") }
                idle.append(client)
                // Those who have to leave are let go one by one: beyond as many again a client is refused.
                while idle.count(where: \.hasInput) < index - 63 {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            let working = try TestClient(path)
            working.send(Self.line())
            #expect(await working.nextLine() == Self.accepted)
            // The first have given their places away, and the half of a line has no answer.
            #expect(await idle[1].lines() == [])
            #expect(await idle[0].lines() == [])
            working.send(Self.line())
            #expect(await working.nextLine() == Self.accepted)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `drained, it answers what it has read and closes`() async throws {
        let acceptor = HoldingAcceptor()
        let client: TestClient = try await Self.serve(acceptor) { path in
            let client = try TestClient(path)
            client.send(Self.line())
            await acceptor.waitForPushes(1)
            defer { Thread.detachNewThread { acceptor.release() } }
            return client
        }
        #expect(await client.lines() == [Self.accepted])
    }

    @Test func `socket and folder are their user's alone, and the name goes with the host`() async throws {
        try await Self.withFolder { folder in
            let path = folder + "/run/ingress.sock"
            let socket = try ListeningSocket(path: path)
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder + "/run") == 0o700)
            #expect(try mode(path) == 0o600)
            #expect(socket.users == [geteuid()])
            socket.remove()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `with users that are listed, others reach the socket and the kernel tells who they are`() async throws {
        try await Self.withFolder { folder in
            let path = folder + "/run/ingress.sock"
            let socket = try ListeningSocket(path: path, users: [4711])
            defer { socket.remove() }
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder + "/run") == 0o711)
            #expect(try mode(path) == 0o666)
            #expect(socket.users == [geteuid(), 4711])
            var ends: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            #expect(ListeningSocket.user(at: ends[0]) == geteuid())
            for end in ends { close(end) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a user who is not listed is not heard, whatever the file says`() async throws {
        try await Self.serve(users: [geteuid() + 1]) { path in
            let client = try TestClient(path)
            #expect(await client.lines() == [])
        }
    }

    @Test func `a name that a killed host left is taken over, one that is in use is not`() async throws {
        try await Self.withFolder { folder in
            let path = folder + "/run/ingress.sock"
            let first = try ListeningSocket(path: path)
            #expect { try ListeningSocket(path: path) } throws: { error in
                let error = error as? IngressError
                return error?.code == .addressInUse
                    && error?.message == "cannot listen on \"\(path)\": the address is in use"
            }
            // A process that another test starts has a copy of it for a moment, which would listen on.
            shutdown(first.descriptor, Int32(SHUT_RDWR))
            close(first.descriptor)
            let second = try ListeningSocket(path: path)
            second.remove()
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            #expect { try ListeningSocket(path: path) } throws: { error in
                (error as? IngressError)?.message == "cannot listen on \"\(path)\": there is a file of that name"
            }
        }
    }

    @Test func `a folder that is open to others, or a path that is too long, is refused`() async throws {
        try await Self.withFolder { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            #expect { try ListeningSocket(path: folder + "/s") } throws: { error in
                let error = error as? IngressError
                return error?.message == "cannot listen on \"\(folder)/s\": \"\(folder)\" is open to other users"
                    && error?.hint == "chmod 700 \(folder)"
            }
            let path = folder + "/" + String(repeating: "a", count: 100)
            #expect { try ListeningSocket(path: path) } throws: { error in
                (error as? IngressError)?.message == "cannot listen on \"\(path)\": the path is too long"
            }
        }
    }
}

/// A client that writes and reads from any thread; closed with the value.
private final class TestClient: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// Sends all of it, unless the other side has closed the connection.
    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    var hasInput: Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0
    }

    /// Reads to the end of the connection; returns the lines that were left.
    func lines() async -> [String] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
                continuation.resume(
                    returning: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
                )
            }
        }
    }

    func nextLine() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }
}
