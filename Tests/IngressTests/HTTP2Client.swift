// SPDX-License-Identifier: Apache-2.0

import Ingress
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A peer that speaks HTTP/2 in single frames, so that a test decides which frames there are.
final class HTTP2Client {
    struct ConnectionEnded: Error {}

    private struct Partial {
        var status = 0
        var headers: [String: String] = [:]
        var body = ""
        var dataFrames = 0
    }

    private let outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame>
    private var inbound: NIOAsyncChannelInboundStream<HTTP2Frame>.AsyncIterator
    private var nextStream: HTTP2StreamID = 1
    private var partial: [HTTP2StreamID: Partial] = [:]
    private var complete: [HTTP2StreamID: PushResponse] = [:]
    /// Everything that came, in order, in a few words.
    private(set) var log: [String] = []

    private init(
        inbound: NIOAsyncChannelInboundStream<HTTP2Frame>,
        outbound: NIOAsyncChannelOutboundWriter<HTTP2Frame>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// A certificate and its key in PEM files.
    struct Identity {
        let certificate: String
        let key: String
    }

    /// Connects with TLS to a server with the certificate `trusting`, a file; `identity` is the client's own.
    static func connect<Result>(
        to address: ListenerAddress,
        tls: Bool = false,
        trusting certificate: String? = nil,
        as identity: Identity? = nil,
        _ body: (HTTP2Client) async throws -> Result
    ) async throws -> Result {
        let certificate = tls ? try certificate ?? TestCertificate.shared.get().certificate : nil
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let certificate {
                        var configuration = TLSConfiguration.makeClientConfiguration()
                        configuration.applicationProtocols = ["h2"]
                        configuration.trustRoots = .file(certificate)
                        if let identity {
                            configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
                                .map { .certificate($0) }
                            configuration.privateKey = .privateKey(try .init(file: identity.key, format: .pem))
                        }
                        let context = try NIOSSLContext(configuration: configuration)
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    }
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .client, contentLengthValidation: .disabled))
                    return try NIOAsyncChannel<HTTP2Frame, HTTP2Frame>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(HTTP2Client(inbound: inbound, outbound: outbound))
        }
    }

    // MARK: Sending

    @discardableResult
    func send(_ request: PushRequest) async throws -> HTTP2StreamID {
        try await send([request])[0]
    }

    /// Sends requests in one write.
    func send(_ requests: [PushRequest]) async throws -> [HTTP2StreamID] {
        var streams: [HTTP2StreamID] = []
        var frames: [HTTP2Frame] = []
        for request in requests {
            let (stream, head) = head(of: request, endStream: request.bytes.isEmpty)
            streams.append(stream)
            frames.append(head)
            if !request.bytes.isEmpty { frames.append(data(request.bytes, on: stream, endStream: true)) }
        }
        try await outbound.write(contentsOf: frames)
        return streams
    }

    /// Opens a stream and sends no body.
    func open(_ request: PushRequest) async throws -> HTTP2StreamID {
        let (stream, head) = head(of: request, endStream: false)
        try await outbound.write(head)
        return stream
    }

    func sendData(_ text: String, on stream: HTTP2StreamID, endStream: Bool) async throws {
        try await outbound.write(data(Array(text.utf8), on: stream, endStream: endStream))
    }

    func reset(_ stream: HTTP2StreamID) async throws {
        try await outbound.write(HTTP2Frame(streamID: stream, payload: .rstStream(.cancel)))
    }

    private func head(of request: PushRequest, endStream: Bool) -> (HTTP2StreamID, HTTP2Frame) {
        defer { nextStream = nextStream.advanced(by: 2) }
        var headers = HPACKHeaders([(":method", request.method), (":scheme", "https"), (":path", request.path)])
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: endStream))
        return (nextStream, HTTP2Frame(streamID: nextStream, payload: payload))
    }

    private func data(_ bytes: [UInt8], on stream: HTTP2StreamID, endStream: Bool) -> HTTP2Frame {
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream)
        return HTTP2Frame(streamID: stream, payload: .data(data))
    }

    // MARK: Receiving

    func response(to stream: HTTP2StreamID) async throws -> PushResponse {
        while complete[stream] == nil { try await readFrame() }
        guard let response = complete[stream] else { throw ConnectionEnded() }
        return response
    }

    /// Reads until such a line stands in the log.
    func wait(for line: String) async throws {
        while !log.contains(line) { try await readFrame() }
    }

    /// Reads until the peer closes.
    func waitForEnd() async throws {
        do {
            while true { try await readFrame() }
        } catch is ConnectionEnded {}
    }

    private func readFrame() async throws {
        guard let frame = try await inbound.next(isolation: #isolation) else { throw ConnectionEnded() }
        switch frame.payload {
        case .headers(let block):
            var response = Partial()
            for (name, value, _) in block.headers {
                if name == ":status" { response.status = Int(value) ?? 0 } else { response.headers[name] = value }
            }
            log.append("\(response.status)")
            partial[frame.streamID] = response
            if block.endStream { finish(frame.streamID) }
        case .data(let piece):
            if case .byteBuffer(let bytes) = piece.data {
                partial[frame.streamID]?.body += String(buffer: bytes)
                partial[frame.streamID]?.dataFrames += 1
            }
            if piece.endStream { finish(frame.streamID) }
        case .goAway(_, let code, let reason):
            log.append("GOAWAY \(code.networkCode) \(reason.map { String(buffer: $0) } ?? "")")
        case .rstStream(let code):
            log.append("RST_STREAM \(code.networkCode)")
        case .settings, .ping, .windowUpdate, .priority, .pushPromise, .alternativeService, .origin: break
        }
    }

    private func finish(_ stream: HTTP2StreamID) {
        guard let response = partial[stream] else { return }
        complete[stream] = PushResponse(
            status: response.status,
            headers: response.headers,
            body: response.body,
            dataFrames: response.dataFrames
        )
    }
}
