// SPDX-License-Identifier: Apache-2.0

import Ingress
import NIOCore
import NIOPosix

/// A peer that speaks HTTP/2 in bytes, also those that a library would not send.
final class FrameClient {
    struct ConnectionEnded: Error {}

    /// RFC 9113, section 4.1.
    struct Frame: Equatable {
        enum Kind: UInt8 {
            case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
        }

        var kind: Kind
        var flags: UInt8 = 0
        var stream: UInt32
        var payload: [UInt8]

        var bytes: [UInt8] {
            let length = UInt32(payload.count)
            return [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), kind.rawValue, flags]
                + Self.integer(stream) + payload
        }

        /// Four bytes of the payload.
        func integer(at offset: Int = 0) -> UInt32 {
            payload[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }

        static func integer(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    }

    static let acknowledgement: UInt8 = 1
    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ByteBuffer()
    /// Everything that came, in order.
    private(set) var frames: [Frame] = []

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Connects, in plaintext unless told otherwise, and says the preface.
    static func connect<Result>(
        to address: ListenerAddress,
        by way: ClientChannel = ClientChannel(),
        _ body: (FrameClient) async throws -> Result
    ) async throws -> Result {
        try await way.open(to: address).executeThenClose { inbound, outbound in
            let client = FrameClient(inbound: inbound, outbound: outbound)
            try await client.send(
                Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Frame(kind: .settings, stream: 0, payload: []).bytes
            )
            return try await body(client)
        }
    }

    // MARK: Sending

    func send(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    func send(_ frames: Frame...) async throws {
        try await send(frames.flatMap(\.bytes))
    }

    /// A whole push: HEADERS and DATA.
    func push(_ request: PushRequest = PushRequest(), on stream: UInt32) async throws {
        try await send(Self.frames(request, on: stream))
    }

    static func frames(_ request: PushRequest, on stream: UInt32) -> [UInt8] {
        Frame(kind: .headers, flags: endHeaders, stream: stream, payload: fields(request)).bytes
            + Frame(kind: .data, flags: endStream, stream: stream, payload: request.bytes).bytes
    }

    /// A field section without tables: RFC 7541, section 6.2.2.
    static func fields(_ request: PushRequest) -> [UInt8] {
        let pseudo = [(":method", request.method), (":scheme", "http"), (":path", request.path)]
        return (pseudo + request.headers).flatMap { name, value in [0] + string(name) + string(value) }
    }

    /// RFC 7541, sections 5.1 and 5.2, not by Huffman's code.
    private static func string(_ text: String) -> [UInt8] {
        var length = text.utf8.count
        guard length >= 127 else { return [UInt8(length)] + text.utf8 }
        length -= 127
        var prefix: [UInt8] = [127]
        while length >= 128 {
            prefix.append(UInt8(length & 127 | 128))
            length >>= 7
        }
        return prefix + [UInt8(length)] + text.utf8
    }

    // MARK: Receiving

    /// The next frame of a kind, of those that are not looked at yet.
    func next(_ kind: Frame.Kind) async throws -> Frame {
        while true {
            let frame = try await nextFrame()
            if frame.kind == kind { return frame }
        }
    }

    /// Reads until the peer closes.
    func waitForEnd() async throws {
        do {
            while true { _ = try await nextFrame() }
        } catch is ConnectionEnded {}
    }

    private func nextFrame() async throws -> Frame {
        while true {
            if let frame = takeFrame() {
                frames.append(frame)
                return frame
            }
            guard var bytes = try await inbound.next(isolation: #isolation) else { throw ConnectionEnded() }
            received.writeBuffer(&bytes)
        }
    }

    private func takeFrame() -> Frame? {
        guard let head = received.getBytes(at: received.readerIndex, length: 9) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard received.readableBytes >= 9 + length, let kind = Frame.Kind(rawValue: head[3]) else { return nil }
        received.moveReaderIndex(forwardBy: 9)
        let stream = head[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
        return Frame(kind: kind, flags: head[4], stream: stream, payload: received.readBytes(length: length) ?? [])
    }
}
