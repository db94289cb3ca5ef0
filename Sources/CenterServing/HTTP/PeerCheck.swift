// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import PacketSockets

/// Ends a connection at a Unix socket whose process is of another user than the socket is for.
///
/// The mode of the socket refuses them as well; the kernel's word is the second lock.
/// Source: unix(7), "SO_PEERCRED".
final class PeerCheck: ChannelInboundHandler {
    typealias InboundIn = Any

    /// The kernel's `struct ucred`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    private let user: SocketUser

    init(_ user: SocketUser) {
        self.user = user
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (channel, user) = (context.channel, user)
        guard let options = channel as? any SocketOptionProvider else { return channel.close(promise: nil) }
        let name = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        let peer: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(level: .socket, name: name)
        peer.whenComplete { peer in
            guard case .success(let peer) = peer, user.admits(Int64(peer.user)) else {
                return channel.close(promise: nil)
            }
        }
    }
}
