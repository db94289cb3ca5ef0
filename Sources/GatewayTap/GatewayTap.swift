// SPDX-License-Identifier: Apache-2.0

private import Glibc
package import HostRuntime
package import Logging
internal import NIOCore
private import NIOPosix

/// A proxy on loopback that leads the names of Apple's push servers to listeners of this project's hosts, for gateways
/// that have those names built in.
///
/// The proxy takes `CONNECT` for them, and nothing else. TLS goes through unopened, so that the certificate of the
/// listener has to be for the names of Apple: `extension-host tap make-ca` makes one. The name asked for chooses the
/// environment.
package struct GatewayTap: Sendable {
    /// The most of what clients can have.
    package struct Limits: Sendable {
        /// Connections at once; each has a descriptor here and one to the listener.
        package var connections = 1024
        /// Connections beyond them that still get an answer, which says so.
        var refusals = 64
        /// The time for the whole head of a request.
        var head = TimeAmount.seconds(10)
        var connect = TimeAmount.seconds(5)
        /// The bytes that a gateway may send before its listener has answered: the first flight of TLS is shorter.
        var earlyBytes = 64 << 10
        /// The time for a refused client to read its answer.
        var lingering = TimeAmount.seconds(2)

        package init() {}

        /// The connections that so many descriptors are enough for, beside those that are refused and 32 others.
        package static func connections(descriptors: Int) -> Int { max(1, min(1024, (descriptors - 64 - 32) / 2)) }
    }

    /// The port on which it listens, on 127.0.0.1.
    package let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let server: any Channel
    private let loop: NIOLoopBoundBox<TapLoop>

    /// Listens on 127.0.0.1, on a port of the kernel's choice for 0.
    ///
    /// The names of listeners are looked up once, here; a name that leads elsewhere later takes another start.
    /// - Throws: `TapError` when the port cannot be listened on, or a name is not known.
    package static func start(
        port: Int,
        listeners: [PushEnvironment: ListenerPlace],
        limits: Limits = Limits(),
        logger: Logger
    ) async throws(TapError) -> GatewayTap {
        var known: [PushEnvironment: TapListener] = [:]
        for (environment, place) in listeners { known[environment] = try TapListener(place) }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.any()
        let loop = NIOLoopBoundBox.makeBoxSendingValue(
            TapLoop(listeners: known, limits: limits, logger: logger, now: { eventLoop.now }) { address, initializer in
                connect(to: address, within: limits.connect, on: eventLoop, initializer)
            },
            eventLoop: eventLoop
        )
        do {
            let server = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(TapConnection(loop.value))
                    }
                }
                .bind(host: "127.0.0.1", port: port)
                .get()
            return GatewayTap(port: server.localAddress?.port ?? port, group: group, server: server, loop: loop)
        } catch {
            try? await group.shutdownGracefully()
            throw TapError(port: port, error)
        }
    }

    private static func connect(
        to address: SocketAddress,
        within timeout: TimeAmount,
        on eventLoop: any EventLoop,
        _ initializer: @escaping (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let initializer = NIOLoopBound(initializer, eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initializer.value(channel) }
            }
            .connect(to: address)
    }

    /// Takes nobody new, cuts every tunnel, and returns when all sockets are closed.
    ///
    /// A push without an answer is then for its sender to send again, under its `apns-id`. To be called once.
    package func end() async {
        try? await server.close()
        try? await loop.eventLoop.submit { loop.value.closeAll() }.get()
        try? await group.shutdownGracefully()
    }
}

/// The reason for which a tap does not start.
package struct TapError: Error {
    /// One clause for people: what failed, on what, and the reason.
    package let message: String
    package let hint: String

    init(unknown place: ListenerPlace) {
        message = "the name in \(place) is not known"
        hint = "name an address, or a name that this machine knows: getent hosts \(place.host)"
    }

    fileprivate init(port: Int, _ error: any Error) {
        let code = (error as? IOError)?.errnoCode
        let cause = code.map { String(cString: strerror($0)) } ?? "\(error)"
        message = "the tap cannot listen on 127.0.0.1:\(port): \(cause)"
        hint =
            code == EADDRINUSE
            ? "another program has the port; name one with --port, or 0 for any" : "name another port with --port"
    }
}
