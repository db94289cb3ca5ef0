// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import NIOCore
internal import SocketRelay

/// One connection of a gateway: the head of a request, then a relay to a listener, or one answer that says why not.
///
/// The relay carries TLS between the gateway and the listener, of which the tap has neither key nor plaintext. A
/// connection never serves a second request.
final class TapConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case readingHead
        /// The gateway may have sent what comes behind the head, and ended.
        case dialing
        case relaying
        case refused
        case ended
    }

    private let loop: TapLoop
    private var state = State.readingHead
    /// The bytes read and not yet passed on.
    private var received = ByteBuffer()
    /// The place at which the search for the end of the head goes on.
    private var searched = 0
    private var hasReadEnd = false
    private var timer: Scheduled<Void>?

    init(_ loop: TapLoop) {
        self.loop = loop
    }

    func channelActive(context: ChannelHandlerContext) {
        guard loop.admit(context.channel) else {
            return refuse(.tooManyConnections(limit: loop.limits.connections), context)
        }
        after(loop.limits.head, context) { $0.close(promise: nil) }
        context.read()
    }

    // MARK: The head

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .readingHead:
            received.writeImmutableBuffer(unwrapInboundIn(data))
            readHead(context)
        // One read may bring several pieces, and the end of the input brings all that came before it.
        case .dialing:
            received.writeImmutableBuffer(unwrapInboundIn(data))
            if received.readableBytes > loop.limits.earlyBytes { context.close(promise: nil) }
        case .relaying: context.fireChannelRead(data)
        // What a refused client still sends is dropped.
        case .refused, .ended: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .readingHead, .refused: context.read()
        case .relaying: context.fireChannelReadComplete()
        case .dialing, .ended: break
        }
    }

    private func readHead(_ context: ChannelHandlerContext) {
        let view = received.readableBytesView
        let start = view.index(view.startIndex, offsetBy: max(0, searched - 3))
        guard let end = view[start...].firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            searched = view.count
            if view.count >= TapRequest.limit { refuse(.headTooLong, context) }
            return
        }
        let length = view.distance(from: view.startIndex, to: end)
        guard length <= TapRequest.limit else { return refuse(.headTooLong, context) }
        let request = TapRequest(head: view[..<end])
        received.moveReaderIndex(forwardBy: length)
        switch request {
        case .refused(let refusal): refuse(refusal, context)
        case .tunnel(let name): dial(name, context)
        }
    }

    // MARK: The tunnel

    private func dial(_ name: PushServerName, _ context: ChannelHandlerContext) {
        let listenerEnd = RelayEnd()
        listenerEnd.admit = { _ in true }
        switch loop.dial(name, initializer: { try $0.pipeline.syncOperations.addHandler(listenerEnd) }) {
        case .failure(let refusal): refuse(refusal, context)
        case .success(let (place, dialed)):
            state = .dialing
            timer?.cancel()
            dialed.assumeIsolated().whenComplete { [self] result in
                guard case .dialing = state else {
                    loop.forsakenDialEnded()
                    if case .success(let listener) = result { listener.close(promise: nil) }
                    return
                }
                switch result {
                case .success(let listener): relay(name, place, listener, listenerEnd, context)
                case .failure(let error): refuse(.unreachable(place, cause: Self.cause(error)), context)
                }
            }
        }
    }

    private func relay(
        _ name: PushServerName,
        _ place: ListenerPlace,
        _ listener: any Channel,
        _ listenerEnd: RelayEnd,
        _ context: ChannelHandlerContext
    ) {
        state = .relaying
        loop.log(name, to: place)
        let gatewayEnd = RelayEnd()
        gatewayEnd.admit = { _ in true }
        do {
            try context.pipeline.syncOperations.addHandler(gatewayEnd)
        } catch {
            listener.close(promise: nil)
            return context.close(promise: nil)
        }
        // These words, because clients look for them.
        gatewayEnd.write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
        if received.readableBytes > 0 { listenerEnd.write(received) }
        received = ByteBuffer()
        if hasReadEnd { gatewayEnd.noteEnd() }
        RelayEnd.join(gatewayEnd, listenerEnd)
    }

    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout: "no answer in time"
        default: "\(error)"
        }
    }

    // MARK: The end

    /// Answers, says that nothing more comes, and drops what still does: a close with bytes unread would destroy the
    /// answer.
    private func refuse(_ refusal: TapRefusal, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        loop.log(refusal)
        state = .refused
        received = ByteBuffer()
        after(loop.limits.lingering, context) { $0.close(promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            guard case .refused = state, !hasReadEnd else { return context.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            context.read()
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: refusal.response)), promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            hasReadEnd = true
            switch state {
            case .readingHead, .refused: return context.close(promise: nil)
            case .dialing, .relaying, .ended: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        if case .dialing = state { loop.forsakeDial() }
        state = .ended
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func after(
        _ delay: TimeAmount,
        _ context: ChannelHandlerContext,
        _ body: @escaping (any Channel) -> Void
    ) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: delay) { body(channel) }
    }
}
