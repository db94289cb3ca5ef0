// SPDX-License-Identifier: Apache-2.0

import Glibc
import Ingress
import NIOCore
import NIOPosix
import NIOSSL

/// A way in which a peer of bytes reaches a listener, and leaves it.
struct ClientChannel {
    /// The protocols that are offered in the TLS handshake; nil: plaintext, empty: TLS without ALPN.
    var tls: [String]?
    /// Leaving sends a reset in place of an end.
    var leavesByReset = false
    var receiveBuffer: Int?

    func open(to address: ListenerAddress) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        let certificate = try tls.map { _ in try TestCertificate.shared.get().certificate }
        return try await bootstrap.connect(host: address.host, port: address.port) { [tls, leavesByReset] channel in
            if leavesByReset, let socket = channel as? any SocketOptionProvider {
                socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { error in
                    preconditionFailure("a socket takes SO_LINGER: \(error)")
                }
            }
            return channel.eventLoop.makeCompletedFuture {
                if let tls, let certificate {
                    var configuration = TLSConfiguration.makeClientConfiguration()
                    configuration.applicationProtocols = tls
                    configuration.trustRoots = .file(certificate)
                    let context = try NIOSSLContext(configuration: configuration)
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost")
                    )
                }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    }
}
