// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

struct APNsDrainTests {
    private let goodbye = #"GOAWAY 0 {"reason":"Shutdown"}"#

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `requests in flight get their answers`(_ transport: Transport) async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(transport, acceptor: acceptor, limits: { $0.beforeGoAway = .zero }) { ingress, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                let streams = try await client.send((0..<100).map { _ in PushRequest() })
                await acceptor.waitForPushes(100)
                async let drained: Void = ingress.drain()
                try await client.wait(for: goodbye)
                acceptor.release()
                for stream in streams { #expect(try await client.response(to: stream).status == 200) }
                try await client.waitForEnd()
                await drained
                // The second goes out with the end of the connection, which may overtake it.
                #expect((1...2).contains(client.log.filter { $0 == goodbye }.count))
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `answers that are near come before GOAWAY`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.beforeGoAway = .seconds(60) }) { ingress, address in
            try await HTTP2Client.connect(to: address) { idle in
                // The idle connection hears of the drain at once, and so tells when it has begun.
                _ = try await idle.send(PushRequest())
                await acceptor.waitForPushes(1)
                acceptor.release()
                try await idle.wait(for: "200")
                try await HTTP2Client.connect(to: address) { client in
                    let stream = try await client.send(PushRequest())
                    await acceptor.waitForPushes(1)
                    async let drained: Void = ingress.drain()
                    try await idle.wait(for: goodbye)
                    acceptor.release()
                    #expect(try await client.response(to: stream).status == 200)
                    try await client.waitForEnd()
                    #expect(client.log.prefix(2) == ["200", goodbye])
                    try await idle.waitForEnd()
                    await drained
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a body on its way when the drain begins is taken`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor) { ingress, address in
            try await HTTP2Client.connect(to: address) { client in
                let whole = try await client.send(PushRequest())
                let half = try await client.open(PushRequest())
                await acceptor.waitForPushes(1)
                async let drained: Void = ingress.drain()
                try await client.wait(for: goodbye)
                try await client.sendData(Fixture.body, on: half, endStream: true)
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.response(to: whole).status == 200)
                #expect(try await client.response(to: half).status == 200)
                try await client.waitForEnd()
                await drained
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `pushes that cross GOAWAY are answered, those beyond the last one are not processed`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.beforeGoAway = .zero }) { ingress, address in
            try await FrameClient.connect(to: address) { client in
                try await client.push(on: 1)
                await acceptor.waitForPushes(1)
                async let drained: Void = ingress.drain()
                let first = try await client.next(.goAway)
                #expect(first.integer() == 0x7fff_ffff)
                #expect(String(decoding: first.payload[8...], as: UTF8.self) == #"{"reason":"Shutdown"}"#)
                let ping = try await client.next(.ping)
                try await client.push(on: 3)
                await acceptor.waitForPushes(1)
                try await client.send(
                    .init(kind: .ping, flags: FrameClient.acknowledgement, stream: 0, payload: ping.payload)
                )
                #expect(try await client.next(.goAway).integer() == 3)
                try await client.push(on: 5)
                let reset = try await client.next(.reset)
                #expect(reset.stream == 5)
                #expect(reset.integer() == 7, "REFUSED_STREAM")
                acceptor.release()
                try await client.waitForEnd()
                await drained
                #expect(Set(client.frames.filter { $0.kind == .headers }.map(\.stream)) == [1, 3])
                #expect(client.frames.filter { $0.kind == .goAway }.map { $0.integer(at: 4) } == [0, 0])
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 a whole request is answered, and one that has begun`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await withIngress(.http1, acceptor: acceptor, limits: { $0.lastRequest = .zero }) { ingress, address in
            try await HTTP1Client.connect(to: address) { whole in
                try await whole.send(PushRequest())
                await acceptor.waitForPushes(1)
                try await HTTP1Client.connect(to: address) { half in
                    let request = PushRequest().with("expect", "100-continue")
                    try await half.send(half.head(of: request, contentLength: request.body.utf8.count))
                    #expect(try await half.response().status == 100)
                    try await HTTP1Client.connect(to: address) { idle in
                        try await idle.send(PushRequest(body: ""))
                        #expect(try await idle.response().status == 400)
                        async let drained: Void = ingress.drain()
                        #expect(try await idle.waitForEnd() == "")
                        try await half.send(request.body)
                        await acceptor.waitForPushes(1)
                        acceptor.release()
                        for client in [whole, half] {
                            let answered = try await client.response()
                            #expect(answered.status == 200)
                            #expect(answered.headers["connection"] == "close")
                            #expect(try await client.waitForEnd() == "")
                        }
                        await drained
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 a request that crosses the drain is taken, as the last one`()
        async throws
    {
        try await withIngress(.http1, limits: { $0.lastRequest = .seconds(60) }) { ingress, address in
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(PushRequest())
                #expect(try await client.response().status == 200)
                try await HTTP2Client.connect(to: address) { idle in
                    let stream = try await idle.send(PushRequest())
                    #expect(try await idle.response(to: stream).status == 200)
                    async let drained: Void = ingress.drain()
                    // The other connection hears of the drain at once, and so tells when it has begun.
                    try await idle.wait(for: goodbye)
                    try await client.send(PushRequest())
                    let taken = try await client.response()
                    #expect(taken.status == 200)
                    #expect(taken.headers["connection"] == "close")
                    #expect(try await client.waitForEnd() == "")
                    try await idle.waitForEnd()
                    await drained
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 what was read behind a request is refused before the end`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await withIngress(.http1, acceptor: acceptor, limits: { $0.lastRequest = .zero }) { ingress, address in
            try await HTTP1Client.connect(to: address) { client in
                let request = client.head(of: PushRequest(), contentLength: Fixture.body.utf8.count) + Fixture.body
                try await client.send(request + request + request + "POST /half")
                await acceptor.waitForPushes(1)
                try await HTTP1Client.connect(to: address) { idle in
                    try await idle.send(PushRequest(body: ""))
                    #expect(try await idle.response().status == 400)
                    async let drained: Void = ingress.drain()
                    #expect(try await idle.waitForEnd() == "")
                    acceptor.release()
                    let answers = [
                        try await client.response(), try await client.response(), try await client.response(),
                    ]
                    #expect(answers.map(\.status) == [200, 503, 503])
                    #expect(answers.map { $0.headers["connection"] } == [nil, nil, "close"])
                    #expect(answers[1].body == #"{"reason":"Shutdown"}"#)
                    #expect(answers[1].headers["retry-after"] == "5")
                    #expect(try await client.waitForEnd() == "")
                    await drained
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 what comes behind the last request of a drain is refused`()
        async throws
    {
        let held = HoldingAcceptor()
        try await withIngress(.http1, acceptor: held, limits: { $0.lastRequest = .seconds(60) }) { ingress, address in
            try await HTTP1Client.connect(to: address) { client in
                try await HTTP2Client.connect(to: address) { idle in
                    try await client.send(PushRequest(body: ""))
                    #expect(try await client.response().status == 400)
                    async let drained: Void = ingress.drain()
                    try await idle.wait(for: goodbye)
                    let request = client.head(of: PushRequest(), contentLength: Fixture.body.utf8.count) + Fixture.body
                    try await client.send(request + request)
                    await held.waitForPushes(1)
                    held.release()
                    let answers = [try await client.response(), try await client.response()]
                    #expect(answers.map(\.status) == [200, 503])
                    #expect(answers.map { $0.headers["connection"] } == [nil, "close"])
                    #expect(try await client.waitForEnd() == "")
                    try await idle.waitForEnd()
                    await drained
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a peer that never acknowledges does not hold the drain`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.drain = .milliseconds(20) }) { ingress, address in
            try await HTTP1Client.connect(to: address) { silent in
                // A preface and empty settings, then nothing: the PING stays without its answer.
                try await silent.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
                try await HTTP2Client.connect(to: address) { client in
                    try await client.send(PushRequest())
                    await acceptor.waitForPushes(1)
                    await ingress.drain()
                }
            }
            // Answers that come after the end find nobody, and that is all.
            acceptor.release()
        }
    }

    @Test(.timeLimit(.minutes(5))) func `nobody gets in while it drains`() async throws {
        try await withIngress { ingress, address in
            await ingress.drain()
            await ingress.drain()
            await #expect(throws: (any Error).self) {
                try await HTTP2Client.connect(to: address) { client in try await client.waitForEnd() }
            }
        }
    }
}
