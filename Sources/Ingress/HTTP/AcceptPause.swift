// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import NIOCore

/// Stops a listening socket for a moment when a connection could not be accepted for want of descriptors or memory.
///
/// The connection stays in the kernel's queue, and so the socket stays readable: NIO's own `AcceptBackoffHandler` holds
/// back the next read, but the failed one is still pending, and the loop would try it again at once for ever. Without
/// `autoRead` the loop is not told of the socket at all.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let pause: TimeAmount

    init(_ pause: TimeAmount = .milliseconds(100)) {
        self.pause = pause
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.needsTime(error.errnoCode),
            let options = context.channel.syncOptions
        else { return context.fireErrorCaught(error) }
        do {
            try options.setOption(.autoRead, value: false)
        } catch {
            return context.fireErrorCaught(error)
        }
        let channel = context.channel
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            // A channel that was closed meanwhile has nothing to read any more, and its error is nobody's.
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    /// Tells whether this errno passes with time: other processes, or connections that end, give back what is missing.
    private static func needsTime(_ code: CInt) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
    }
}
