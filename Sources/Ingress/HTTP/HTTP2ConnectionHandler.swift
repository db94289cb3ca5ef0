// SPDX-License-Identifier: Apache-2.0

private import Logging
internal import NIOCore
internal import NIOHTTP2

/// Stands behind the streams: after each read it hands their batch over.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let connection: PushConnection

    init(connection: PushConnection) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Frames of the connection itself: settled before they come here.
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection.readComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // One stream's error ends that stream; any other one ended the connection, and GOAWAY is written.
        if error is NIOHTTP2Errors.StreamError { return }
        connection.listener.logger.debug("connection failed", metadata: ["error": "\(type(of: error))"])
        context.close(promise: nil)
    }
}

/// Says in GOAWAY why, as APNs does: `{"reason":"Shutdown"}`.
///
/// Stands before the handler that makes the frames of a graceful close, which knows no reason.
/// Source: Apple, "Sending notification requests to APNs": the JSON in GOAWAY.
final class GoAwayHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let written: (RefusalReason) -> Void
    /// A graceful close nobody asked for comes of idleness.
    private var reason = RefusalReason.idleTimeout
    private var isQuiescing = false
    private var hasWritten = false
    private var context: ChannelHandlerContext?

    /// `written` is called at the first GOAWAY.
    init(written: @escaping (RefusalReason) -> Void) {
        self.written = written
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Begins a graceful close; only the first reason counts.
    func quiesce(_ reason: RefusalReason) {
        guard !isQuiescing, let context else { return }
        isQuiescing = true
        if !hasWritten { self.reason = reason }
        context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        if case .goAway(let last, let code, nil) = frame.payload {
            frame.payload = .goAway(lastStreamID: last, errorCode: code, opaqueData: ByteBuffer(string: reason.json))
            if !hasWritten { written(reason) }
            hasWritten = true
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }
}
