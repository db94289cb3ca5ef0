// SPDX-License-Identifier: Apache-2.0

import Ingress
import NIOCore
import NIOHTTP1
import NIOPosix

/// A peer that speaks HTTP/1.1 in bytes.
final class HTTP1Client {
    struct ConnectionEnded: Error {}

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ""

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    static func connect<Result>(
        to address: ListenerAddress,
        by way: ClientChannel = ClientChannel(),
        receiveBuffer: Int? = nil,
        _ body: (HTTP1Client) async throws -> Result
    ) async throws -> Result {
        var way = way
        way.receiveBuffer = receiveBuffer
        return try await way.open(to: address).executeThenClose { inbound, outbound in
            try await body(HTTP1Client(inbound: inbound, outbound: outbound))
        }
    }

    func send(_ request: PushRequest) async throws {
        try await send(Array(head(of: request, contentLength: request.bytes.count).utf8) + request.bytes)
    }

    func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    func head(of request: PushRequest, contentLength: Int) -> String {
        var lines = ["\(request.method) \(request.path) HTTP/1.1", "host: localhost"]
        lines += request.headers.map { "\($0.0): \($0.1)" }
        lines.append("content-length: \(contentLength)")
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Reads one response; an interim one has no body.
    func response() async throws -> PushResponse {
        let head = try await take(until: "\r\n\r\n")
        var lines = head.split(separator: "\r\n")
        let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        while received.utf8.count < length { try await readMore() }
        let body = String(received.prefix(length))
        received.removeFirst(length)
        return PushResponse(status: status, headers: headers, body: body)
    }

    /// Reads until the peer closes; returns what came.
    func waitForEnd() async throws -> String {
        do {
            while true { try await readMore() }
        } catch is ConnectionEnded {
            return received
        }
    }

    private func take(until end: String) async throws -> String {
        while true {
            if let range = received.firstRange(of: end) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(received[..<range.lowerBound])
            }
            try await readMore()
        }
    }

    private func readMore() async throws {
        guard let bytes = try await inbound.next(isolation: #isolation) else { throw ConnectionEnded() }
        received += String(buffer: bytes)
    }
}
