// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

struct APNsTransportTests {
    /// The header block of aioapns has no `:authority`, no content-type and no push type; literals by RFC 7541, section
    /// 6.2.2.
    @Test(.timeLimit(.minutes(5))) func `a header block without authority is taken as it came`() async throws {
        func literal(_ name: String, _ value: String) -> [UInt8] {
            [0x00, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
        }
        let path = Array("/3/device/\(Fixture.token)".utf8)
        // 0x83 is `:method: POST`, 0x87 `:scheme: https`, 0x04 the name `:path`.
        let block: [UInt8] =
            [0x83, 0x87, 0x04, UInt8(path.count)] + path + literal("apns-id", Fixture.id)
            + literal("apns-topic", Fixture.topic)
        let bytes =
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, []) + frame(1, 4, 1, block)
            + frame(0, 1, 1, Array(Fixture.body.utf8))
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                // In two pieces, the first shorter than the preface.
                try await client.send(Array(bytes[..<7]))
                try await client.send(Array(bytes[7...]))
                await acceptor.waitForPushes(1)
                acceptor.release()
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `sixty-four streams at once make few batches`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, acceptor: acceptor) { _, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                // One request first, so that settings and windows are out of the way.
                _ = try await client.response(to: try await client.send(PushRequest()))
                let streams = try await client.send(
                    (0..<64).map { PushRequest().with("apns-collapse-id", "\($0)") }
                )
                for stream in streams { #expect(try await client.response(to: stream).status == 200) }
            }
        }
        #expect(acceptor.pushes.dropFirst().map(\.identifier) == (0..<64).map { "\($0)" })
        #expect(acceptor.batches.count < 33)
    }

    @Test(.timeLimit(.minutes(5))) func `answers go to their own streams`() async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(acceptor: acceptor) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                var requests = (0..<20).map { PushRequest().with("apns-id", id($0)) }
                for index in stride(from: 0, to: 20, by: 3) { requests[index].body = "" }
                let streams = try await client.send(requests)
                for (index, stream) in streams.enumerated() {
                    let response = try await client.response(to: stream)
                    #expect(response.headers["apns-id"] == id(index))
                    #expect(response.status == (index.isMultiple(of: 3) ? 400 : 200))
                }
            }
        }
    }

    private func id(_ index: Int) -> String { "00000000-0000-4000-8000-0000000000\(index + 10)" }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a connection serves one request after the other`(_ transport: Transport) async throws {
        try await withIngress(transport) { _, address in
            try await withClient(transport, to: address) { send in
                for index in 0..<50 {
                    var request = PushRequest()
                    if index.isMultiple(of: 5) { request.body = "no JSON" }
                    let status = try await send(request).status
                    #expect(status == (index.isMultiple(of: 5) ? 400 : 200))
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `an answer to HEAD has no body`(_ transport: Transport) async throws {
        try await withIngress(transport) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(PushRequest(method: "HEAD", body: ""))
                #expect(response.status == 405)
                #expect(response.headers["content-length"] == "29")
                #expect(response.dataFrames == 0)
            }
        }
    }

    // MARK: Long bodies

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a body up to 65,535 bytes is swallowed, and the connection lives on`(_ transport: Transport) async throws {
        try await withIngress(transport) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(PushRequest(body: String(repeating: " ", count: 65_535)))
                #expect(response.status == 413)
                #expect(response.body == #"{"reason":"PayloadTooLarge"}"#)
                #expect(try await send(PushRequest()).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `beyond it the answer comes at once, then a reset without error`(_ transport: Transport) async throws {
        try await withIngress(transport) { _, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                let announced = try await client.open(PushRequest().with("content-length", "1000000"))
                #expect(try await client.response(to: announced).body == #"{"reason":"PayloadTooLarge"}"#)
                try await client.wait(for: "RST_STREAM 0")
                #expect(client.log == ["413", "RST_STREAM 0"])
                let unannounced = try await client.open(PushRequest())
                try await client.sendData(String(repeating: " ", count: 40_000), on: unannounced, endStream: false)
                try await client.sendData(String(repeating: " ", count: 40_000), on: unannounced, endStream: false)
                #expect(try await client.response(to: unannounced).status == 413)
                #expect(try await client.response(to: try await client.send(PushRequest())).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 the connection ends with the early answer`() async throws {
        try await withIngress(.http1) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(client.head(of: PushRequest(), contentLength: 1_000_000) + "{")
                let response = try await client.response()
                #expect(response.status == 413)
                #expect(response.headers["connection"] == "close")
                #expect(try await client.waitForEnd() == "")
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 answers come in order, one to garbage after those before it`()
        async throws
    {
        let acceptor = HoldingAcceptor()
        try await withIngress(.http1, acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let first = client.head(of: PushRequest().with("apns-id", Fixture.id), contentLength: 35) + Fixture.body
                let refused = client.head(of: PushRequest(path: "/"), contentLength: 0)
                try await client.send(first + String(repeating: refused, count: 200) + "garbage\r\n\r\n")
                await acceptor.waitForPushes(1)
                acceptor.release()
                let accepted = try await client.response()
                #expect(accepted.status == 200)
                #expect(accepted.headers["apns-id"] == Fixture.id)
                for _ in 0..<200 { #expect(try await client.response().body == #"{"reason":"BadPath"}"#) }
                let last = try await client.response()
                #expect(last.status == 400)
                #expect(last.headers["connection"] == "close")
                #expect(try await client.waitForEnd() == "")
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a client that asks may go on is told so`() async throws {
        try await withIngress(.http1) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let request = PushRequest().with("expect", "100-continue")
                try await client.send(client.head(of: request, contentLength: request.body.utf8.count))
                #expect(try await client.response().status == 100)
                try await client.send(request.body)
                #expect(try await client.response().status == 200)
            }
        }
    }

    // MARK: Which protocol it is

    @Test(.timeLimit(.minutes(5))) func `HTTP 2 over TLS takes no ALPN`() async throws {
        try await withIngress(.tls) { _, address in
            try await FrameClient.connect(to: address, by: ClientChannel(tls: [])) { client in
                try await client.push(on: 1)
                #expect(try await client.next(.headers).stream == 1)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [[], ["http/1.1"]])
    func `HTTP 1 is spoken over TLS with ALPN and without`(_ protocols: [String]) async throws {
        try await withIngress(.tls) { _, address in
            try await HTTP1Client.connect(to: address, by: ClientChannel(tls: protocols)) { client in
                try await client.send(PushRequest())
                #expect(try await client.response().status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `who agreed on one protocol and speaks the other is let go`() async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(.tls, acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address, by: ClientChannel(tls: ["h2"])) { client in
                try await client.send(PushRequest())
                #expect(try await client.waitForEnd() == "")
            }
            try await FrameClient.connect(to: address, by: ClientChannel(tls: ["http/1.1"])) { client in
                try? await client.push(on: 1)
                try await client.waitForEnd()
                #expect(client.frames.isEmpty)
            }
        }
        #expect(acceptor.pushes.isEmpty)
    }
}
