// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

/// Limits small enough that a test meets them; a duration of zero acts at once.
struct APNsLimitsTests {
    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `a stream without an end is answered IdleTimeout`(_ transport: Transport) async throws {
        try await withIngress(transport, limits: { $0.request = .zero }) { _, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                let stream = try await client.open(PushRequest().with("apns-id", Fixture.id))
                let response = try await client.response(to: stream)
                #expect(response.status == 400)
                #expect(response.body == #"{"reason":"IdleTimeout"}"#)
                #expect(response.headers["apns-id"] == Fixture.id)
                try await client.wait(for: "RST_STREAM 0")
                // The connection and its other streams go on.
                #expect(try await client.response(to: try await client.send(PushRequest())).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a hundred half-open streams are all answered`() async throws {
        try await withIngress(limits: { $0.request = .milliseconds(20) }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                var streams = [try await client.open(PushRequest())]
                for _ in 1..<100 {
                    streams.append(try await client.open(PushRequest()))
                    let whole = try await client.send(PushRequest())
                    #expect(try await client.response(to: whole).status == 200)
                }
                for stream in streams {
                    #expect(try await client.response(to: stream).body == RefusalReason.idleTimeout.json)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 a request without an end is answered and closed`() async throws {
        try await withIngress(.http1, limits: { $0.request = .zero }) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(client.head(of: PushRequest(), contentLength: 10) + "{")
                let response = try await client.response()
                #expect(response.status == 400)
                #expect(response.body == #"{"reason":"IdleTimeout"}"#)
                #expect(response.headers["connection"] == "close")
                #expect(try await client.waitForEnd() == "")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a connection that says nothing is closed`(_ transport: Transport) async throws {
        try await withIngress(transport, limits: { $0.firstBytes = .zero }) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let rest = try await client.waitForEnd()
                #expect(rest == "")
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a connection that proves nothing in its time is told so`() async throws {
        var log: [String] = []
        // Of a short time nothing may be left once the protocol is known.
        for patience in [50, 1000, 8000] where log.isEmpty {
            try await withIngress(limits: { $0.unproven = .milliseconds(patience) }) { _, address in
                try? await HTTP2Client.connect(to: address) { client in
                    _ = try? await client.send(PushRequest(path: "/"))
                    try? await client.waitForEnd()
                    log = client.log.filter { $0 != "404" }
                }
            }
        }
        #expect(log.first == #"GOAWAY 0 {"reason":"IdleTimeout"}"#)
    }

    @Test(.timeLimit(.minutes(5))) func `a connection that was idle is told so`() async throws {
        try await withIngress(limits: { $0.idle = .zero }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                #expect(try await client.response(to: try await client.send(PushRequest())).status == 200)
                try await client.waitForEnd()
                #expect(client.log.dropFirst().first == #"GOAWAY 0 {"reason":"IdleTimeout"}"#)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `too many refusals end the connection`() async throws {
        try await withIngress(limits: { $0.refusalsPerHalfMinute = 3 }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                let streams = try await client.send((0..<4).map { _ in PushRequest(body: "") })
                for stream in streams { #expect(try await client.response(to: stream).status == 400) }
                try await client.waitForEnd()
                #expect(client.log.contains(#"GOAWAY 0 {"reason":"TooManyRequests"}"#))
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `too many resets end the connection`() async throws {
        try await withIngress(limits: { $0.resetsPerHalfMinute = 10 }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                // The eleventh ends the connection: nothing is sent after it.
                for _ in 0..<11 {
                    let stream = try await client.open(PushRequest())
                    try await client.reset(stream)
                }
                try await client.waitForEnd()
                // ENHANCE_YOUR_CALM
                #expect(client.log.contains("GOAWAY 11 "))
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a peer that reads no answers is sent away`() async throws {
        try await withIngress(
            .http1,
            limits: {
                $0.unreadAnswers = .milliseconds(20)
                $0.refusalsPerHalfMinute = .max
            },
            { _, address in
                try await HTTP1Client.connect(to: address, receiveBuffer: 4096) { client in
                    let requests = String(repeating: "GET / HTTP/1.1\r\n\r\n", count: 500)
                    await #expect(throws: (any Error).self) {
                        while true { try await client.send(requests) }
                    }
                }
            }
        )
    }

    @Test(.timeLimit(.minutes(5))) func `full of unanswered bodies it reads no further, and goes on later`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.heldByteCount = 0 }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                let first = try await client.send(PushRequest())
                await acceptor.waitForPushes(1)
                let second = try await client.send(PushRequest())
                acceptor.release()
                #expect(try await client.response(to: first).status == 200)
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.response(to: second).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `full of one connection's bodies it still reads another's`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.heldByteCount = 0 }) { _, address in
            try await HTTP2Client.connect(to: address) { greedy in
                let held = try await greedy.send(PushRequest())
                await acceptor.waitForPushes(1)
                try await HTTP2Client.connect(to: address) { client in
                    let push = try await client.send(PushRequest())
                    await acceptor.waitForPushes(1)
                    acceptor.release()
                    #expect(try await client.response(to: push).status == 200)
                }
                #expect(try await greedy.response(to: held).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a stream reset by its sender while it waits harms nobody`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                let streams = try await client.send([PushRequest(), PushRequest()])
                await acceptor.waitForPushes(2)
                try await client.reset(streams[0])
                let third = try await client.send(PushRequest())
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.response(to: streams[1]).status == 200)
                #expect(try await client.response(to: third).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a client gone before its answer harms nobody`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                try await client.send(PushRequest())
                await acceptor.waitForPushes(1)
            }
            acceptor.release()
            try await HTTP2Client.connect(to: address) { client in
                let stream = try await client.send(PushRequest())
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.response(to: stream).status == 200)
            }
        }
    }
}
