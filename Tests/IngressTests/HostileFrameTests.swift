// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

/// Frames that no library sends.
@Suite(.timeLimit(.minutes(5)))
struct HostileFrameTests {
    private func isAnswered(_ client: FrameClient, on stream: UInt32) async throws {
        try await client.push(on: stream)
        #expect(try await client.next(.headers).stream == stream)
    }

    @Test func `a malformed request costs its stream, not the connection`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor) { _, address in
            try await FrameClient.connect(to: address) { client in
                try await client.push(on: 1)
                await acceptor.waitForPushes(1)
                // Longer than it says, and with a header of HTTP/1.1.
                try await client.push(PushRequest().with("content-length", "3"), on: 3)
                try await client.push(PushRequest().with("connection", "close"), on: 5)
                let resets = [try await client.next(.reset), try await client.next(.reset)]
                #expect(resets.map(\.stream) == [3, 5])
                #expect(resets.map { $0.integer() } == [1, 1], "PROTOCOL_ERROR")
                acceptor.release()
                #expect(try await client.next(.headers).stream == 1)
                try await client.push(on: 7)
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.next(.headers).stream == 7)
            }
        }
    }

    @Test func `beyond the streams of all, a connection with its share of them opens no more`() async throws {
        try await withIngress(limits: { ($0.openStreams, $0.connections) = (8, 4) }) { _, address in
            // Strangers have half of the streams, and each connection a share of two.
            try await FrameClient.connect(to: address) { greedy in
                let fields = FrameClient.fields(PushRequest())
                func begin(_ stream: UInt32) -> FrameClient.Frame {
                    .init(kind: .headers, flags: FrameClient.endHeaders, stream: stream, payload: fields)
                }
                for stream: UInt32 in [1, 3, 5, 7, 9] { try await greedy.send(begin(stream)) }
                let refused = try await greedy.next(.reset)
                #expect(refused.stream == 9)
                #expect(refused.integer() == 7, "REFUSED_STREAM")
                // Another has its share all the same, and no more.
                try await FrameClient.connect(to: address) { other in
                    try await other.send(begin(1), begin(3), begin(5))
                    #expect(try await other.next(.reset).stream == 5)
                    let body = PushRequest().bytes
                    try await other.send(
                        .init(kind: .data, flags: FrameClient.endStream, stream: 3, payload: body)
                    )
                    #expect(try await other.next(.headers).stream == 3)
                    try await isAnswered(other, on: 7)
                }
                // What was begun goes on, and what has ended makes room: three of four were over its share.
                for stream: UInt32 in [1, 3, 5] {
                    try await greedy.send(
                        .init(kind: .data, flags: FrameClient.endStream, stream: stream, payload: PushRequest().bytes)
                    )
                    #expect(try await greedy.next(.headers).stream == stream)
                }
                try await isAnswered(greedy, on: 11)
                #expect(!greedy.frames.contains { $0.kind == .goAway })
            }
        }
    }

    @Test func `strangers leave half of the streams to those who have proven themselves`() async throws {
        try await withIngress(limits: { ($0.openStreams, $0.connections) = (8, 4) }) { _, address in
            let fields = FrameClient.fields(PushRequest())
            func begin(_ stream: UInt32) -> FrameClient.Frame {
                .init(kind: .headers, flags: FrameClient.endHeaders, stream: stream, payload: fields)
            }
            try await FrameClient.connect(to: address) { stranger in
                for stream: UInt32 in [1, 3, 5, 7, 9] { try await stranger.send(begin(stream)) }
                #expect(try await stranger.next(.reset).stream == 9)
                try await FrameClient.connect(to: address) { known in
                    try await isAnswered(known, on: 1)
                    for stream: UInt32 in [3, 5, 7, 9, 11] { try await known.send(begin(stream)) }
                    #expect(try await known.next(.reset).stream == 11)
                }
            }
        }
    }

    @Test func `an error of the connection ends it with GOAWAY`() async throws {
        try await withIngress { _, address in
            try await FrameClient.connect(to: address) { client in
                try await client.send(.init(kind: .data, stream: 0, payload: [1]))
                #expect(try await client.next(.goAway).integer(at: 4) == 1, "PROTOCOL_ERROR")
                try await client.waitForEnd()
            }
        }
    }

    @Test func `a flood of frames that ask for nothing ends its connection`() async throws {
        try await withIngress(limits: { $0.idleFramesPerHalfMinute = 100 }) { _, address in
            try await FrameClient.connect(to: address) { client in
                let update = FrameClient.Frame(kind: .windowUpdate, stream: 0, payload: [0, 0, 0, 1])
                for _ in 0..<100 { try await client.send(update) }
                try await isAnswered(client, on: 1)
                try await client.send(update)
                let goodbye = try await client.next(.goAway)
                #expect(goodbye.integer() == 1)
                #expect(String(decoding: goodbye.payload[8...], as: UTF8.self) == RefusalReason.tooManyRequests.json)
                try await client.waitForEnd()
            }
        }
    }

    @Test func `a flood of streams that there is no room for ends its connection`() async throws {
        try await withIngress(
            limits: { ($0.openStreams, $0.connections, $0.idleFramesPerHalfMinute) = (8, 4, 100) }
        ) { _, address in
            try await FrameClient.connect(to: address) { client in
                let fields = FrameClient.fields(PushRequest())
                // Four have room; a hundred are refused, and the next is one too many.
                for number: UInt32 in 0...104 {
                    let stream = 2 * number + 1
                    try await client.send(
                        .init(kind: .headers, flags: FrameClient.endHeaders, stream: stream, payload: fields)
                    )
                    if (4..<104).contains(number) { #expect(try await client.next(.reset).stream == stream) }
                }
                let goodbye = try await client.next(.goAway)
                #expect(String(decoding: goodbye.payload[8...], as: UTF8.self) == RefusalReason.tooManyRequests.json)
            }
        }
    }

    @Test func `a peer that is sent away is not heard any more`() async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.refusalsPerHalfMinute = 0 }) { _, address in
            try await FrameClient.connect(to: address) { client in
                try await client.push(PushRequest(path: "/"), on: 1)
                let goodbye = try await client.next(.goAway)
                #expect(goodbye.integer() == 1)
                // The connection may be gone by now.
                try? await client.push(on: 3)
                try await client.waitForEnd()
                #expect(Set(client.frames.filter { $0.kind == .headers }.map(\.stream)) == [1])
            }
        }
        #expect(acceptor.pushes.isEmpty)
    }

    @Test func `a peer that leaves an answer no room is sent away`() async throws {
        try await withIngress(limits: { $0.unreadAnswers = .milliseconds(50) }) { _, address in
            try await FrameClient.connect(to: address) { client in
                // SETTINGS_INITIAL_WINDOW_SIZE: RFC 9113, section 6.5.2.
                try await client.send(.init(kind: .settings, stream: 0, payload: [0, 4, 0, 0, 0, 0]))
                try await client.push(PushRequest(path: "/"), on: 1)
                #expect(try await client.next(.headers).stream == 1)
                try await client.waitForEnd()
                #expect(!client.frames.contains { $0.kind == .data })
            }
        }
    }

    @Test func `an early answer to HEAD ends its stream, and the connection goes on`() async throws {
        try await withIngress { _, address in
            try await FrameClient.connect(to: address) { client in
                let request = PushRequest(method: "HEAD").with("content-length", "70000")
                let fields = FrameClient.fields(request)
                try await client.send(
                    .init(kind: .headers, flags: FrameClient.endHeaders, stream: 1, payload: fields)
                )
                #expect(try await client.next(.headers).flags == FrameClient.endHeaders | FrameClient.endStream)
                let reset = try await client.next(.reset)
                #expect(reset.stream == 1)
                #expect(reset.integer() == 0, "NO_ERROR")
                try await isAnswered(client, on: 3)
            }
        }
    }

    @Test func `frames may come in pieces of any length`() async throws {
        try await withIngress { _, address in
            try await FrameClient.connect(to: address) { client in
                let whole = FrameClient.frames(PushRequest(), on: 1) + FrameClient.frames(PushRequest(), on: 3)
                for byte in whole { try await client.send([byte]) }
                #expect(try await client.next(.headers).stream == 1)
                #expect(try await client.next(.headers).stream == 3)
            }
        }
    }

    @Test func `a frame longer than allowed is refused as it begins`() async throws {
        try await withIngress { _, address in
            try await FrameClient.connect(to: address) { client in
                try await client.send([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])
                #expect(try await client.next(.goAway).integer(at: 4) == 6, "FRAME_SIZE_ERROR")
                try await client.waitForEnd()
            }
        }
    }

    @Test func `over HTTP 1 headers are bounded, and a change of protocol is not made`() async throws {
        try await withIngress(.http1) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let head = "POST /3/device/\(Fixture.token) HTTP/1.1\r\nhost: localhost\r\n"
                let lines = (0..<200).map { "x-\($0): " + String(repeating: "y", count: 100) + "\r\n" }
                try await client.send(head + lines.joined() + "\r\n")
                #expect(try await client.response().status == 400)
                #expect(try await client.waitForEnd() == "")
            }
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(PushRequest().with("connection", "upgrade").with("upgrade", "h2c"))
                let response = try await client.response()
                #expect(response.status == 200)
                #expect(response.headers["connection"] == "close")
                #expect(try await client.waitForEnd() == "")
            }
        }
    }
}
