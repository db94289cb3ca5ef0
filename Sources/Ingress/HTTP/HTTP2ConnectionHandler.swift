// SPDX-License-Identifier: Apache-2.0

private import Logging
internal import NIOCore
internal import NIOHTTP2

/// Stands behind the streams: after each read it hands their batch over.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let desk: RequestDesk
    private let frames: FrameGuard

    init(desk: RequestDesk, frames: FrameGuard) {
        self.desk = desk
        self.frames = frames
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Frames of the connection itself: settled before they come here.
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        desk.readComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // One stream's error has ended that stream; one of the connection's has written GOAWAY.
        if error is any NIOHTTP2Error, !frames.hasFailed { return }
        desk.context.logger.debug("connection failed", metadata: ["error": "\(type(of: error))"])
        context.close(promise: nil)
    }
}
