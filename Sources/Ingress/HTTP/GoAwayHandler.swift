// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP2

/// Says goodbye in GOAWAY, and why, as APNs does: `{"reason":"Shutdown"}`.
///
/// Stands before the handler that makes the frames of a graceful close, which knows no reason, and writes them past the
/// HTTP/2 handler. That one would refuse every stream from the first GOAWAY on, which names no stream as the last, and
/// take the DATA of such a stream for an error of the connection: pushes that cross GOAWAY on their way would end it
/// with the answers of all others.
/// Source: RFC 9113, section 6.8; Apple, "Sending notification requests to APNs": the JSON in GOAWAY.
final class GoAwayHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let flow: FlowGuard
    private let written: (Farewell) -> Void
    /// A graceful close nobody asked for comes of idleness.
    private var reason = Farewell.idleTimeout
    private var isQuiescing = false
    private var hasWritten = false
    /// Streams from now on are beyond the last one that is processed.
    private(set) var hasNamedLastStream = false
    private var context: ChannelHandlerContext?

    /// `written` is called at the first GOAWAY.
    init(flow: FlowGuard, written: @escaping (Farewell) -> Void) {
        self.flow = flow
        self.written = written
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Ends a connection for its peer's fault: nothing beyond `last` is processed, whether the peer heard of it or not.
    func dismiss(_ reason: Farewell, last: HTTP2StreamID) {
        hasNamedLastStream = true
        flow.send(Self.bytes(last, .noError, reason), promise: nil)
        if !hasWritten { written(reason) }
        hasWritten = true
    }

    /// Begins a graceful close; only the first reason counts.
    func quiesce(_ reason: Farewell) {
        guard !isQuiescing, let context else { return }
        isQuiescing = true
        if !hasWritten { self.reason = reason }
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .goAway(let last, let code, nil) = unwrapOutboundIn(data).payload else {
            return context.write(data, promise: promise)
        }
        if last != .maxID { hasNamedLastStream = true }
        flow.send(Self.bytes(last, code, reason), promise: promise)
        if !hasWritten { written(reason) }
        hasWritten = true
    }

    /// RFC 9113, section 6.8: length, type 7, no flags, stream 0; the last stream, the error code, a text.
    static func bytes(_ last: HTTP2StreamID, _ code: HTTP2ErrorCode, _ reason: Farewell) -> ByteBuffer {
        let text = reason.json
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt32(8 + text.utf8.count) << 8 | 7)
        bytes.writeInteger(UInt8(0))
        bytes.writeInteger(UInt32(0))
        bytes.writeInteger(UInt32(Int(last)))
        bytes.writeInteger(UInt32(code.networkCode))
        bytes.writeString(text)
        return bytes
    }
}

/// A stream of which nothing is processed, as RST_STREAM says, so that its client may send it again: one beyond the
/// last that GOAWAY named, or one too many.
///
/// Source: RFC 9113, sections 6.8 and 8.7.
final class UnprocessedStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        isRefused = true
        context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Its reset comes back as an error.
    }
}
