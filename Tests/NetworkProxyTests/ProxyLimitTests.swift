// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import Locking
import NetworkProxy
import TestClock
import Testing

/// The events that end a connection, and the resources that a hostile extension cannot use up.
@Suite(.timeLimit(.minutes(10))) struct ProxyLimitTests {
    private func connect(_ host: String) -> String { "CONNECT \(host) HTTP/1.1\r\n\r\n" }

    // MARK: The end of a request

    @Test func `a connection ends with the request in which it was opened`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            // The next one does not keep it alive.
            proxy.proxy.requestBegan(2, worker: 1)
            proxy.proxy.requestEnded(1, worker: 1)
            #expect(try await client.readToEnd() == "")
            #expect(try await peer.readToEnd() == "")
            _ = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
        }
    }

    @Test func `a connection opened during two requests ends with the second`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            proxy.proxy.requestBegan(2, worker: 1)
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            proxy.proxy.requestEnded(1, worker: 1)
            try await client.write("still here\n")
            #expect(try await peer.read(until: "\n") == "still here\n")
            proxy.proxy.requestEnded(2, worker: 1)
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test func `a connection that has said nothing is the next request's`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let (early, silent) = (try proxy.connect(), try proxy.connect())
            // Behind them in the queue: the proxy has taken all in when this one is answered.
            _ = try await proxy.answer(to: "x\r\n\r\n")
            proxy.proxy.requestEnded(1, worker: 1)
            try await proxy.hasTurned()
            // Between two requests there is no network.
            try await early.write(connect("127.0.0.1:\(host.port)"))
            let refusal = ProxyHarness.refusal("403 Forbidden", "no notification is being worked on")
            #expect(try await early.readToEnd() == refusal)
            proxy.proxy.requestBegan(2, worker: 1)
            try await silent.write(connect("127.0.0.1:\(host.port)"))
            #expect(try await silent.read(until: "\r\n\r\n") == ProxyHarness.established)
        }
    }

    @Test func `a look-up under way ends with its request`() async throws {
        let resolver = SilentResolver()
        try await withProxy(hosts: ["a.example"], resolver: resolver) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("a.example:443"))
            await resolver.wasAsked.wait()
            proxy.proxy.requestEnded(1, worker: 1)
            #expect(try await client.readToEnd() == "")
        }
    }

    @Test func `a worker that is gone takes its listener and connections along`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            proxy.proxy.closed(worker: 1)
            #expect(try await client.readToEnd() == "")
            #expect(try await peer.readToEnd() == "")
        }
    }

    // MARK: Time

    @Test func `a head that takes ten seconds takes too long`() async throws {
        try await withProxy(hosts: []) { proxy in
            let slow = try proxy.connect()
            try await slow.write("CONNECT a.example:443 HTTP/1.1\r\n")
            await proxy.clock.sleeper(until: .seconds(10))
            proxy.clock.advance(to: .seconds(10))
            #expect(try await slow.readToEnd() == "")
        }
    }

    @Test func `a look-up that takes ten seconds is a gateway timeout`() async throws {
        let resolver = SilentResolver()
        try await withProxy(hosts: ["a.example"], resolver: resolver) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("a.example:443"))
            await resolver.wasAsked.wait()
            proxy.clock.advance(to: .seconds(10))
            let refusal = ProxyHarness.refusal("504 Gateway Timeout", "the host does not answer in time")
            #expect(try await client.readToEnd() == refusal)
        }
    }

    /// A listener whose queue is full: the kernel drops what wants to connect, as a dead host does.
    private func deafListener(_ host: String, port: UInt16) throws -> [TestSocket] {
        let listener = try TestSocket.listening(on: host, port: port, backlog: 0)
        let connection = try TestSocket.connected(to: port, host: host)
        while !listener.hasVisitor { sched_yield() }
        return [listener, connection]
    }

    @Test func `an address that is silent for a quarter of a second is not waited for alone`() async throws {
        let host = try TestSocket.listening()
        let deaf = try deafListener("127.0.0.2", port: host.port)
        let resolver = FakeResolver(["a.example": ["127.0.0.2", "127.0.0.1"]])
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)", "127.0.0.2:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("a.example:\(host.port)"))
            await proxy.clock.sleeper(until: .milliseconds(250))
            #expect(!host.hasVisitor)
            proxy.clock.advance(to: .milliseconds(250))
            #expect(try await client.read(until: "\r\n\r\n") == ProxyHarness.established)
            _ = try await host.accept()
        }
        withExtendedLifetime(deaf) {}
    }

    @Test func `of the addresses that are tried the slower ones are let go`() async throws {
        let host = try TestSocket.listening()
        let deaf = try deafListener("127.0.0.2", port: host.port)
        let resolver = FakeResolver(["a.example": ["127.0.0.2", "127.0.0.1"]])
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)", "127.0.0.2:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver, limits: { $0.sockets = 4 }) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("a.example:\(host.port)"))
            await proxy.clock.sleeper(until: .milliseconds(250))
            proxy.clock.advance(to: .milliseconds(250))
            #expect(try await client.read(until: "\r\n\r\n") == ProxyHarness.established)
            // Two ends for each of two tunnels, and nothing else.
            _ = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
        }
        withExtendedLifetime(deaf) {}
    }

    @Test func `of a name's addresses six are tried`() async throws {
        let host = try TestSocket.listening(on: "127.0.0.8")
        let places = (2...8).map { "127.0.0.\($0)" }
        let resolver = FakeResolver(["a.example": places, "b.example": Array(places.dropFirst())])
        let hosts = (places + ["a.example", "b.example"]).map { "\($0):\(host.port)" }
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            let refusal = ProxyHarness.refusal("502 Bad Gateway", "the host does not answer")
            let answer = try await proxy.answer(to: connect("a.example:\(host.port)"))
            #expect(answer == refusal)
            _ = try await proxy.tunnel(to: "b.example:\(host.port)")
        }
    }

    @Test func `an address that is silent for ten seconds is a gateway timeout`() async throws {
        let port = try TestSocket.listening().port
        let deaf = try deafListener("127.0.0.1", port: port)
        try await withProxy(hosts: ["127.0.0.1:\(port)"], limits: { $0.head = .seconds(60) }) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("127.0.0.1:\(port)"))
            await proxy.clock.sleeper(until: .seconds(10))
            proxy.clock.advance(to: .seconds(10))
            let refusal = ProxyHarness.refusal("504 Gateway Timeout", "the host does not answer in time")
            #expect(try await client.readToEnd() == refusal)
        }
        withExtendedLifetime(deaf) {}
    }

    @Test func `an address that refuses gives way to the next at once`() async throws {
        let host = try TestSocket.listening()
        let resolver = FakeResolver(["a.example": ["127.0.0.2", "127.0.0.1"]])
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)", "127.0.0.2:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            _ = try await proxy.tunnel(to: "a.example:\(host.port)")
        }
    }

    @Test func `connections that their request's end meets on their way in leave no trace`() async throws {
        try await withProxy(hosts: [], request: nil) { proxy in
            for request in UInt64(1)...500 {
                proxy.proxy.requestBegan(request, worker: 1)
                let client = try proxy.connect()
                proxy.proxy.requestEnded(request, worker: 1)
                withExtendedLifetime(client) {}
            }
            try await proxy.hasTurned()
            // It still takes connections in.
            let answer = try await proxy.answer(to: "x\r\n\r\n")
            #expect(answer == ProxyHarness.refusal("400 Bad Request", "malformed request"))
        }
    }

    // MARK: Amounts

    @Test func `the ninth connection of a request waits for nobody`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            var tunnels: [TestSocket] = []
            for _ in 0..<8 { tunnels.append(try await proxy.tunnel(to: "127.0.0.1:\(host.port)")) }
            let refusal = ProxyHarness.refusal("403 Forbidden", "too many connections")
            let answer = try await proxy.answer(to: connect("127.0.0.1:\(host.port)"))
            #expect(answer == refusal)
            // A second request brings room of its own.
            proxy.proxy.requestBegan(2, worker: 1)
            tunnels.append(try await proxy.tunnel(to: "127.0.0.1:\(host.port)"))
        }
    }

    @Test func `a request has so many connections in all`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.connectionsInAll = 3 }) { proxy in
            for _ in 0..<3 {
                let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
                let peer = try await host.accept()
                client.endWriting()
                peer.endWriting()
                #expect(try await client.readToEnd() == "")
            }
            let refusal = ProxyHarness.refusal("403 Forbidden", "too many connections")
            let answer = try await proxy.answer(to: connect("127.0.0.1:\(host.port)"))
            #expect(answer == refusal)
        }
    }

    @Test func `what comes down is counted over all connections, and cut off`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.downByteCount = 300_000 }) { proxy in
            for expected in [200_000, 100_000] {
                let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
                let peer = try await host.accept()
                async let sent: Void = peer.writeAndEnd([UInt8](repeating: 1, count: 200_000))
                let received = try await client.readBytesToEnd().count
                try await sent
                #expect(expected == 200_000 ? received == expected : received <= expected)
            }
        }
    }

    @Test func `what goes up is counted and cut off`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.upByteCount = 100_000 }) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            async let sent = client.write([UInt8](repeating: 1, count: 4 << 20))
            let received = try await peer.readBytesToEnd()
            _ = try await sent
            #expect(received.count <= 100_000)
            await proxy.proxy.end()
            #expect(proxy.log.lines.contains { $0.hasPrefix("warning: network limit reached network.host=127.0.0.1") })
        }
    }

    @Test func `who does not read is not read for`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            let whole = [UInt8](repeating: 1, count: 48 << 20)
            let sent = try await peer.write(whole, patience: 1)
            // Kernel buffers of two connections, and little of the proxy's own.
            #expect(sent < 16 << 20)
            peer.endWriting()
            #expect(try await client.readBytesToEnd().count == sent)
        }
    }

    @Test func `an app looks one name up at a time, whatever becomes of its workers`() async throws {
        let resolver = SilentResolver()
        let apps = ["com.example.chat", "com.example.mail"]
        try await withProxy(hosts: ["*.example.com"], apps: apps, resolver: resolver) { proxy in
            let first = try proxy.connect()
            try await first.write(connect("a.example.com:443"))
            await resolver.wasAsked.wait()
            proxy.proxy.closed(worker: 1)
            #expect(try await first.readToEnd() == "")

            let listener = try proxy.open(2, of: "com.example.chat")
            let second = try TestSocket.connected(to: listener.port)
            try await second.write(connect("b.example.com:443"))
            let other = try proxy.open(3, of: "com.example.mail")
            let third = try TestSocket.connected(to: other.port)
            try await third.write(connect("c.example.com:443"))
            await resolver.wasAsked.wait()
            #expect(resolver.asked == ["a.example.com", "c.example.com"])

            // What nobody waits for any more is not looked up.
            let fourth = try TestSocket.connected(to: listener.port)
            try await fourth.write("x\r\n\r\n")
            _ = try await fourth.readToEnd()
            proxy.proxy.requestEnded(2, worker: 2)
            #expect(try await second.readToEnd() == "")
            let last = try proxy.open(4, of: "com.example.chat")
            let fifth = try TestSocket.connected(to: last.port)
            try await fifth.write(connect("d.example.com:443"))
            let sixth = try TestSocket.connected(to: last.port)
            try await sixth.write("x\r\n\r\n")
            _ = try await sixth.readToEnd()
            #expect(resolver.asked.count == 2)
            resolver.answer()
            await resolver.wasAsked.wait()
            #expect(resolver.asked == ["a.example.com", "c.example.com", "d.example.com"])
        }
    }

    @Test func `a flood of connections stays in the kernel's queue until the next request`() async throws {
        try await withProxy(hosts: [], request: nil, limits: { $0.connectionsInAll = 4 }) { proxy in
            proxy.proxy.requestBegan(1, worker: 1)
            // Of a request that began beside the first connection the count would begin anew behind that one.
            let other = try proxy.open(2, of: "com.example.mail")
            let neighbour = try TestSocket.connected(to: other.port)
            try await neighbour.write("x\r\n\r\n")
            _ = try await neighbour.readToEnd()
            let refusal = ProxyHarness.refusal("403 Forbidden", "not in NetworkHosts")
            for _ in 0..<8 {
                let answer = try await proxy.answer(to: connect("a.example:443"))
                #expect(answer == refusal)
            }
            let waiting = try proxy.connect()
            try await waiting.write(connect("a.example:443"))
            proxy.proxy.requestBegan(3, worker: 1)
            #expect(try await waiting.readToEnd() == refusal)
            // Eight refusals of the first request and one of the second were worth a line.
            await proxy.proxy.end()
            #expect(proxy.log.lines.count { $0.contains("a.example") } == 9, "\(proxy.log.lines)")
        }
    }

    @Test func `so many silent connections are taken in, and the rest waits`() async throws {
        try await withProxy(hosts: [], limits: { $0.connections = 2 }) { proxy in
            // Two for the request, and as many before one says what it wants.
            var silent: [TestSocket] = []
            for _ in 0..<4 { silent.append(try proxy.connect()) }
            let waiting = try proxy.connect()
            try await waiting.write("x\r\n\r\n")
            let other = try proxy.open(2, of: "com.example.mail")
            for _ in 0..<2 {
                let neighbour = try TestSocket.connected(to: other.port)
                try await neighbour.write("x\r\n\r\n")
                _ = try await neighbour.readToEnd()
            }
            #expect(!waiting.hasVisitor)
            silent.removeFirst()
            #expect(try await waiting.readToEnd() == ProxyHarness.refusal("400 Bad Request", "malformed request"))
        }
    }

    @Test func `more refusals than a request may have connections stay in the kernel's queue`() async throws {
        // Of a request that began beside the first connection the count would begin anew behind that one.
        try await withProxy(hosts: [], request: nil, limits: { $0.connectionsInAll = 4 }) { proxy in
            for _ in 0..<8 { _ = try await proxy.answer(to: "x\r\n\r\n") }
            let waiting = try proxy.connect()
            try await waiting.write("x\r\n\r\n")
            let other = try proxy.open(2, of: "com.example.mail")
            for _ in 0..<2 {
                let neighbour = try TestSocket.connected(to: other.port)
                try await neighbour.write("x\r\n\r\n")
                _ = try await neighbour.readToEnd()
            }
            #expect(!waiting.hasVisitor)
        }
    }

    @Test func `of a request eight refusals are logged`() async throws {
        try await withProxy(hosts: []) { proxy in
            for _ in 0..<10 { _ = try await proxy.answer(to: "x\r\n\r\n") }
            await proxy.proxy.end()
            #expect(proxy.log.lines.count == 8)
        }
    }

    @Test func `what comes behind the head of a tunnel is counted`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.upByteCount = 1000 }) { proxy in
            let client = try proxy.connect()
            let head = connect("127.0.0.1:\(host.port)")
            try await client.write(head + String(repeating: "x", count: 1000))
            _ = try await client.readToEnd()
            let peer = try await host.accept()
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test func `what an ended request has left is nobody's`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.upByteCount = 1000 }) { proxy in
            proxy.proxy.requestBegan(2, worker: 1)
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            proxy.proxy.requestEnded(1, worker: 1)
            try await proxy.hasTurned()
            try await client.write([UInt8](repeating: 1, count: 1500))
            #expect(try await peer.readBytesToEnd().count <= 1000)
        }
    }

    @Test func `a refused client that stays is cut off after a second`() async throws {
        try await withProxy(hosts: [], limits: { $0.head = .seconds(60) }) { proxy in
            let client = try proxy.connect()
            try await client.write("x\r\n\r\n")
            #expect(try await client.readToEnd() == ProxyHarness.refusal("400 Bad Request", "malformed request"))
            await proxy.clock.sleeper(until: .seconds(1))
            proxy.clock.advance(to: .seconds(1))
            // What is still sent is answered by a reset.
            #expect(try await client.isCutOff())
        }
    }

    // MARK: Files

    @Test func `a file of a host that is not listed has no name in the log, no line too many and no file`() async throws
    {
        try await withProxy(hosts: ["a.example"]) { proxy in
            let made = Locked(0)
            let file = SealedFile(
                identifier: "a",
                url: "https://canary.example/1",
                type: nil,
                name: nil,
                byteCount: 1,
                sealedByteCount: 50,
                number: .init(payload: 1, index: 0)
            )
            let makeNone = { @Sendable () -> HeldFile? in
                made.withLock { $0 += 1 }
                return nil
            }
            for _ in 0..<10 {
                await #expect(throws: AttachmentRefusal.notListed) {
                    try await proxy.proxy.fetch(file, for: "com.example.chat", into: makeNone, deadline: .seconds(9))
                }
            }
            let line = "info: network refused network.reason=notListed push.topic=com.example.chat"
            #expect(proxy.log.lines == [String](repeating: line, count: 8))
            #expect(made.withLock { $0 } == 0)
        }
    }

    // MARK: Descriptors

    @Test func `nothing stays open`() async {
        await #expect(processExitsWith: .success) {
            let before = descriptorCount()
            for _ in 0..<3 {
                try await withProxy(hosts: ["http://127.0.0.1:1", "a.example"]) { proxy in
                    for _ in 0..<20 {
                        _ = try await proxy.answer(to: "x\r\n\r\n")
                        _ = try await proxy.answer(to: "GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
                        _ = try await proxy.answer(to: "CONNECT a.example:443 HTTP/1.1\r\n\r\n")
                        _ = try proxy.connect()
                    }
                }
            }
            // The thread of the last proxy closes its own a moment after it was told to end.
            let patience = ContinuousClock.now + .seconds(20)
            while descriptorCount() > before, ContinuousClock.now < patience { try await Task.turn() }
            // Fewer are no leak: the dispatch library looks into /proc for a moment when it begins.
            #expect(descriptorCount() <= before)
        }
    }
}

/// Without timers: the dispatch library makes itself one whenever it likes.
private func descriptorCount() -> Int {
    let links = (0..<1024).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return links.count { $0 != "anon_inode:[timerfd]" }
}
