// SPDX-License-Identifier: Apache-2.0

internal import HTTPServing
internal import HostRuntime
internal import Logging
internal import NIOCore
private import NIOPosix
internal import NIOSSL

/// A listening socket with its connections; it lives on one event loop, like everything that it owns.
final class PushListener {
    private let configuration: HTTPConfiguration
    private let context: ListenerContext
    private let eventLoop: any EventLoop
    /// Serves connections from now on; `nil` means plaintext.
    private var tls: NIOSSLContext?
    private let source: (SocketAddress?) -> PeerSource
    private var socket: (any Channel)?
    let connections: ConnectionTable
    private var drained: EventLoopPromise<Void>?

    /// `source` says where a connection comes from, as far as places go.
    init(
        configuration: HTTPConfiguration,
        services: [any PushService],
        acceptor: any PushAcceptor,
        metrics: IngressMetrics,
        logger: Logger,
        eventLoop: any EventLoop,
        source: @escaping (SocketAddress?) -> PeerSource = { PeerSource($0) }
    ) throws {
        self.source = source
        self.configuration = configuration
        self.eventLoop = eventLoop
        let counters = IngressCounters(metrics)
        let connections = ConnectionTable(limits: configuration.limits, eventLoop: eventLoop)
        self.connections = connections
        context = ListenerContext(
            limits: configuration.limits,
            services: services,
            acceptor: acceptor,
            counters: counters,
            logger: logger,
            senders: SenderContext(
                authentication: configuration.authentication,
                environment: configuration.environment,
                conformance: configuration.conformance,
                counters: counters
            ),
            bodies: HeldBodies(
                limit: configuration.limits.heldByteCount,
                connections: configuration.limits.connections
            ) {
                for connection in connections.all { connection.resumeReading() }
            }
        )
        tls = try configuration.makeTLS()
    }

    /// A certificate with its key, and senders, as a new configuration has them.
    struct Renewal: Sendable {
        /// `nil` means plaintext.
        let tls: NIOSSLContext?
        let authentication: SenderAuthentication?
    }

    /// Reads the certificate and key of a new configuration, and judges its senders; the listener stays as it is.
    func renewal(_ new: HTTPConfiguration) throws -> Renewal {
        if new.authentication == nil, context.needsAuthentication, socket?.localAddress?.isLoopback == false {
            throw IngressError(notLoopback: configuration.host)
        }
        let renewed = try new.makeTLS()
        guard (renewed == nil) == (tls == nil) else { throw IngressError(securityChanged: configuration) }
        return Renewal(tls: renewed, authentication: new.authentication)
    }

    /// Takes what was read; open connections keep their TLS, and their next push is judged by the new senders.
    func take(_ renewal: Renewal) {
        tls = renewal.tls
        context.senders.use(renewal.authentication)
    }

    /// Returns the address of a configuration, which is one of this machine's loopback where whoever reaches it may
    /// send.
    static func address(
        of configuration: HTTPConfiguration,
        needsAuthentication: Bool
    ) throws(IngressError) -> SocketAddress {
        let host = configuration.host
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(host, port: configuration.port)
        } catch {
            throw IngressError(unresolvable: host, error)
        }
        guard address.isLoopback || !needsAuthentication || configuration.authentication != nil else {
            throw IngressError(notLoopback: host)
        }
        return address
    }

    /// Bytes of bodies that came in and are not answered.
    var heldByteCount: Int { context.bodies.byteCount }

    private var isDraining: Bool { drained != nil }

    // MARK: Listening

    func bind() -> EventLoopFuture<ListenerAddress> {
        let (host, port) = (configuration.host, configuration.port)
        let address: SocketAddress
        do throws(IngressError) {
            address = try Self.address(of: configuration, needsAuthentication: context.needsAuthentication)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        if !address.isLoopback, tls == nil {
            context.logger.warning("what senders show comes in the clear", metadata: ["host": "\(host)"])
        }
        let listener = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Answers are small. Left alone, the kernel keeps megabytes for a peer that reads none.
            .serverChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
            .serverChannelInitializer { socket in
                socket.eventLoop.makeCompletedFuture {
                    try socket.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try listener.value.admit(channel) }
            }
            .bind(to: address)
            .flatMapThrowing { socket in
                listener.value.socket = socket
                return ListenerAddress(
                    host: socket.localAddress?.ipAddress ?? host,
                    port: socket.localAddress?.port ?? port
                )
            }
            .flatMapErrorThrowing { throw IngressError(binding: host, port: port, $0) }
    }

    /// Makes a connection of a channel that was accepted, or closes it.
    func admit(_ channel: any Channel) throws {
        guard !isDraining, let ticket = connections.admit(from: source(channel.remoteAddress)) else {
            context.logger.debug("connection over the limit")
            channel.close(promise: nil)
            return
        }
        let connection = PushConnection(
            context: context,
            channel: channel,
            place: ConnectionPlace(ticket, in: connections),
            tls: tls
        )
        connections.enter(connection, as: ticket)
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            connection.closed()
            connections.remove(ticket)
        }
        try connection.open()
    }

    // MARK: Draining

    func drain() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        drained = promise
        socket?.close(promise: nil)
        for connection in connections.all { connection.drain() }
        connections.whenEmpty { promise.succeed() }
        let deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(context.limits.drain)) { [self] in
            for connection in connections.all { connection.abort() }
        }
        return promise.futureResult.assumeIsolated().map { [gate = context.gate] in
            deadline.cancel()
            gate.shut()
        }.nonisolated()
    }
}

extension SocketAddress {
    var isLoopback: Bool {
        switch self {
        case .v4: ipAddress?.hasPrefix("127.") == true
        case .v6: ipAddress == "::1" || ipAddress?.hasPrefix("::ffff:127.") == true
        case .unixDomainSocket: true
        }
    }
}

extension TimeAmount {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
