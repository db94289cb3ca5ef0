// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Tells HTTP/2 by prior knowledge from HTTP/1.1 by a connection's first bytes, then steps aside.
///
/// Holds at most 13 bytes back: no method begins like the preface of RFC 9113, section 3.4.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let preface = Array("PRI * HTTP/2.0".utf8)
    private let speak: (HTTPVersion) throws -> Void
    private var seen = ByteBuffer()
    private var isSettled = false

    /// `speak` adds the protocol's handlers to the end of the pipeline.
    init(speak: @escaping (HTTPVersion) throws -> Void) {
        self.speak = speak
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        seen.writeBuffer(&bytes)
        // What the protocol's first bytes cannot be written for lets NIO read on from within: the rest waits its turn.
        guard !isSettled else { return }
        let start = seen.readableBytesView.prefix(preface.count)
        guard start.elementsEqual(preface.prefix(start.count)) else { return settle(.http1, context) }
        if start.count == preface.count { settle(.http2, context) }
    }

    private func settle(_ version: HTTPVersion, _ context: ChannelHandlerContext) {
        isSettled = true
        do {
            try speak(version)
        } catch {
            context.close(promise: nil)
            return
        }
        while seen.readableBytes > 0 {
            let bytes = seen
            seen = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(bytes))
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
