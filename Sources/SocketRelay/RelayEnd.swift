// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// One end of a relay: what is read here is written at the partner, and read on only when the partner has room.
///
/// An end of input travels to the other side as one, after all that came before it; with both directions ended, or one
/// broken, both channels close. Where one side's end is not passed on, the other's end is that of both. Nothing is kept
/// here but what a channel has not written yet.
package final class RelayEnd: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// Is asked for every read; with false the relay ends, and what was read is not passed on.
    package var admit: (ByteBuffer) -> Bool = { _ in false }
    /// True if the end of this side's input is told to the partner.
    package var passesEnd = true
    private weak var partner: RelayEnd?
    private var context: ChannelHandlerContext?
    private var isStarted = false
    private var holdsRead = false
    private var hasReadEnd = false
    private var hasWrittenEnd = false
    private var isBroken = false

    package init() {}

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    package func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// The end of this side's input came before this handler.
    package func noteEnd() {
        hasReadEnd = true
    }

    /// Joins two ends; nothing has been read at either but perhaps the end.
    package static func join(_ first: RelayEnd, _ second: RelayEnd) {
        first.partner = second
        second.partner = first
        for end in [first, second] {
            end.isStarted = true
            end.context?.read()
            // What it heard before.
            if end.hasReadEnd { end.tellEnd() }
        }
        // A write can have failed before either end knew of the other.
        if ![first, second].allSatisfy({ $0.context?.channel.isActive == true }) { first.abort() }
    }

    package func write(_ bytes: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    package func abort() {
        isBroken = true
        partner?.isBroken = true
        partner?.context?.close(promise: nil)
        context?.close(promise: nil)
    }

    // MARK: Reading

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard isStarted, admit(bytes), let partner, let other = partner.context else { return abort() }
        other.write(partner.wrapOutboundOut(bytes), promise: nil)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        guard isStarted, let other = partner?.context else { return }
        other.flush()
        if other.channel.isWritable { context.read() } else { holdsRead = true }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        guard context.channel.isWritable, let partner, partner.holdsRead else { return }
        partner.holdsRead = false
        partner.context?.read()
    }

    // MARK: Ending

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .some(.inputClosed) = event as? ChannelEvent else { return }
        hasReadEnd = true
        if isStarted { tellEnd() }
    }

    private func tellEnd() {
        if passesEnd { partner?.writeEnd() }
        closeIfDone()
    }

    /// Closes the output once all of it is written: a close with bytes unwritten would destroy them.
    private func writeEnd() {
        guard let context, !hasWrittenEnd else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            hasWrittenEnd = true
            closeIfDone()
            if !hasReadEnd { self.context?.close(mode: .output, promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    /// Nothing is to be read here any more, and nothing to be written.
    private var isDone: Bool {
        hasReadEnd && (hasWrittenEnd || partner?.passesEnd == false)
    }

    private func closeIfDone() {
        if isDone { context?.close(promise: nil) }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        // The input's end closes a channel whose output has ended as a whole, and is not told as an event.
        if hasWrittenEnd, !hasReadEnd, !isBroken {
            hasReadEnd = true
            if isStarted, passesEnd { partner?.writeEnd() }
        }
        // A partner that was told the end finishes on its own; another would wait for ever.
        if !isDone || !passesEnd { partner?.context?.close(promise: nil) }
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        abort()
    }
}
