// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Locking
internal import Logging
internal import NIOCore
private import NIOPosix
internal import NIOSSL

/// A listening socket and what its connections share; lives on one event loop, like everything it owns.
final class PushListener {
    typealias Limits = HTTPIngress.Limits

    let configuration: HTTPIngress.Configuration
    private let services: [any PushService]
    let acceptor: any PushAcceptor
    let counters: IngressCounters
    let logger: Logger
    let eventLoop: any EventLoop
    /// Of connections from now on; nil: plaintext.
    private(set) var tls: NIOSSLContext?
    let senders: SenderContext
    /// Shut once the loop is about to go: an acceptor that answers later finds nobody to tell.
    let gate = AnswerGate()

    private let source: (SocketAddress?) -> PeerSource
    private var socket: (any Channel)?
    let connections: ConnectionTable
    private(set) var heldByteCount = 0
    private var drained: EventLoopPromise<Void>?

    /// `source` says where a connection comes from, as far as places go.
    init(
        configuration: HTTPIngress.Configuration,
        services: [any PushService],
        acceptor: any PushAcceptor,
        metrics: IngressMetrics,
        logger: Logger,
        eventLoop: any EventLoop,
        source: @escaping (SocketAddress?) -> PeerSource = { PeerSource($0) }
    ) throws {
        self.source = source
        self.configuration = configuration
        self.services = services
        self.acceptor = acceptor
        counters = IngressCounters(metrics)
        self.logger = logger
        self.eventLoop = eventLoop
        senders = SenderContext(
            authentication: configuration.authentication,
            environment: configuration.environment,
            conformance: configuration.conformance,
            counters: counters
        )
        connections = ConnectionTable(limits: configuration.limits, eventLoop: eventLoop)
        tls = try NIOSSLContext(configuration)
    }

    /// Takes certificate, key and senders of a new configuration, or throws and keeps what it has.
    ///
    /// Open connections keep their TLS, and their next push is judged by the new senders.
    func reload(_ new: HTTPIngress.Configuration) throws {
        if new.authentication == nil, needsAuthentication, socket?.localAddress?.isLoopback == false {
            throw IngressError(notLoopback: configuration.host)
        }
        let renewed = try NIOSSLContext(new)
        guard (renewed == nil) == (tls == nil) else { throw IngressError(securityChanged: configuration) }
        tls = renewed
        senders.use(new.authentication)
    }

    var limits: Limits { configuration.limits }
    var isDraining: Bool { drained != nil }

    private var needsAuthentication: Bool { services.contains(where: \.needsAuthentication) }

    /// Paths that are nobody's are the first one's to refuse.
    func service(for path: String) -> any PushService {
        services.first { $0.owns(path) } ?? services[0]
    }

    // MARK: Listening

    func bind() -> EventLoopFuture<ListenerAddress> {
        let host = configuration.host
        let port = configuration.port
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            return eventLoop.makeFailedFuture(IngressError(unresolvable: host, error))
        }
        guard address.isLoopback || !needsAuthentication || senders.authentication != nil else {
            return eventLoop.makeFailedFuture(IngressError(notLoopback: host))
        }
        if !address.isLoopback, tls == nil {
            logger.warning("what senders show comes in the clear", metadata: ["host": "\(host)"])
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
            logger.debug("connection over the limit")
            channel.close(promise: nil)
            return
        }
        let connection = PushConnection(listener: self, channel: channel, ticket: ticket)
        connections.enter(connection, as: ticket)
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
            connection.closed()
            connections.remove(ticket)
        }
        try connection.open()
    }

    // MARK: Bodies in flight

    var isFull: Bool { heldByteCount > limits.heldByteCount }

    /// Counts bytes of bodies that came in (positive) or were answered (negative).
    func hold(_ byteCount: Int) {
        let wasFull = isFull
        heldByteCount += byteCount
        guard wasFull, !isFull else { return }
        for connection in connections.all { connection.resumeReading() }
    }

    // MARK: Draining

    func drain() -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        drained = promise
        socket?.close(promise: nil)
        for connection in connections.all { connection.drain() }
        connections.whenEmpty { promise.succeed() }
        let deadline = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.drain)) { [self] in
            for connection in connections.all { connection.abort() }
        }
        return promise.futureResult.assumeIsolated().map { [gate] in
            deadline.cancel()
            gate.shut()
        }.nonisolated()
    }
}

/// Lets answers through to the event loop while it runs.
final class AnswerGate: Sendable {
    private let isOpen = Locked(true)

    func execute(on eventLoop: any EventLoop, _ task: @escaping @Sendable () -> Void) {
        isOpen.withLock { isOpen in
            if isOpen { eventLoop.execute(task) }
        }
    }

    func shut() {
        isOpen.withLock { $0 = false }
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
