// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Stands between a connection's bytes and its protocol: reads only while there is room, flushes once for many
/// answers, and closes so that the last answers arrive.
///
/// Closing a socket with bytes unread or unsent destroys answers on their way. So a close first waits for what was
/// written, then says that nothing more comes, and drops what the peer still sends until it closes too.
final class FlowGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let limits: HTTPLimits
    private let bodies: ConnectionBodies
    private let isTLS: Bool
    private var context: ChannelHandlerContext?
    private var isHoldingFlush = false
    private var hasHeldFlush = false
    private var hasHeldRead = false
    private var isClosing = false
    private var isAbandoned = false
    private var isDeaf = false
    private var unreadTimer: Scheduled<Void>?
    private var closeTimer: Scheduled<Void>?

    /// Nothing is read while `bodies` has no room.
    init(limits: HTTPLimits, bodies: ConnectionBodies, isTLS: Bool) {
        self.limits = limits
        self.bodies = bodies
        self.isTLS = isTLS
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        unreadTimer?.cancel()
        unreadTimer = nil
        closeTimer?.cancel()
        closeTimer = nil
    }

    // MARK: Writing

    /// Flushes what `body` writes in one go.
    func flushOnce(_ body: () -> Void) {
        guard !isHoldingFlush else { return body() }
        isHoldingFlush = true
        body()
        isHoldingFlush = false
        guard hasHeldFlush else { return }
        hasHeldFlush = false
        context?.flush()
    }

    func flush(context: ChannelHandlerContext) {
        if isHoldingFlush { hasHeldFlush = true } else { context.flush() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
    }

    /// Sends bytes of the protocol that its own handlers are not to know of.
    func send(_ bytes: ByteBuffer, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        write(context: context, data: wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        flush(context: context)
    }

    /// A peer that does not read its answers is not read either, and after a while sent away.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unreadTimer?.cancel()
            unreadTimer = nil
            resume()
        } else if unreadTimer == nil {
            unreadTimer = after(limits.unreadAnswers)
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isClosing || (context.channel.isWritable && bodies.hasRoom) {
            context.read()
        } else {
            hasHeldRead = true
        }
    }

    func resume() {
        guard hasHeldRead, let context else { return }
        hasHeldRead = false
        read(context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isClosing, !isDeaf { context.fireChannelRead(data) }
    }

    /// Drops what comes from now on; what is written still goes out.
    func stopReading() {
        isDeaf = true
    }

    // MARK: Closing

    /// Has a close end the connection at once from now on.
    func abandon() {
        isAbandoned = true
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, !isAbandoned, context.channel.isActive else {
            return context.close(mode: mode, promise: promise)
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        guard !isClosing else { return }
        isClosing = true
        resume()
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in sayEnd() }
        hasHeldFlush = false
        // Before the write, which may be done at once and then waits for the peer's end.
        closeTimer = after(limits.unreadAnswers)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: written)
    }

    private func sayEnd() {
        guard let context, !isAbandoned else { return }
        // TLS says its own goodbye and waits for the peer's.
        guard !isTLS else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        closeTimer?.cancel()
        closeTimer = after(limits.lingering)
    }

    private func abandonAndClose() {
        isAbandoned = true
        context?.close(promise: nil)
    }

    /// Gives the peer up after a while; the timer ends with the connection.
    private func after(_ delay: Duration) -> Scheduled<Void>? {
        context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [self] in
            if context != nil { abandonAndClose() }
        }
    }
}
