// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOTLS

/// Tells HTTP/2 from HTTP/1.1 by a connection's first bytes, in plaintext and behind TLS, then steps aside.
///
/// Holds at most 13 bytes back: no method begins like the preface of RFC 9113, section 3.4. A peer that agreed on a
/// protocol in its TLS handshake (ALPN) has to speak it; one that did not is taken by what it says, as some clients of
/// APNs know what they will speak and do not negotiate.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let preface = Array("PRI * HTTP/2.0".utf8)
    private let agree: () -> Void
    private let speak: (HTTPVersion) throws -> Void
    /// The protocol that the handshake agreed on; nil where it named none.
    private var agreed: HTTPVersion?
    private var seen = ByteBuffer()
    private var isSettled = false

    /// `speak` adds the protocol's handlers to the end of the pipeline; `agree` is called when a handshake is complete.
    init(agree: @escaping () -> Void, speak: @escaping (HTTPVersion) throws -> Void) {
        self.agree = agree
        self.speak = speak
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let name) = event as? TLSUserEvent {
            agreed = name.map { $0 == "h2" ? .http2 : .http1 }
            agree()
        }
        context.fireUserInboundEventTriggered(event)
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
        guard agreed == nil || agreed == version else {
            context.close(promise: nil)
            return
        }
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
