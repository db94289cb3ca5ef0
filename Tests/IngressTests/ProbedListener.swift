// SPDX-License-Identifier: Apache-2.0

import HTTPServing
import HostRuntime
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

@testable import Ingress

/// A listener whose connections are watched by weak references, from their first byte to their end.
final class ProbedListener: Sendable {
    private struct Probe {
        let name: String
        weak var object: AnyObject?
    }

    private struct State {
        var channels: [WeakChannel] = []
        var ends: [EventLoopFuture<Void>] = []
        var probes: [Probe] = []
    }

    private struct WeakChannel {
        weak var channel: (any Channel)?
    }

    private let loop: any EventLoop
    private let listener: NIOLoopBound<PushListener>
    private let state: NIOLoopBoundBox<State>

    private init(loop: any EventLoop, listener: NIOLoopBound<PushListener>) {
        self.loop = loop
        self.listener = listener
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Accepts on a free port of 127.0.0.1 while `body` runs.
    static func run(
        tls: Bool,
        acceptor: any PushAcceptor,
        authentication: SenderAuthentication? = nil,
        source: @escaping @Sendable (SocketAddress?) -> PeerSource = { PeerSource($0) },
        limits: @escaping @Sendable (inout HTTPLimits) -> Void = { _ in },
        _ body: (ProbedListener, ListenerAddress) async throws -> Void
    ) async throws {
        var configuration = HTTPConfiguration(port: 0)
        // Whatever a closed connection left to its time would stay for the length of the test.
        configuration.limits.firstBytes = .seconds(3600)
        configuration.limits.request = .seconds(3600)
        configuration.limits.unreadAnswers = .seconds(3600)
        configuration.limits.drain = .seconds(3600)
        configuration.limits.unproven = .seconds(3600)
        configuration.limits.lingering = .seconds(3600)
        if tls {
            let files = try TestCertificate.shared.get()
            configuration.security = .tls(certificate: files.certificate, key: files.key)
        }
        configuration.authentication = authentication
        limits(&configuration.limits)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.any()
        do {
            let listener = try await loop.submit { [configuration] in
                NIOLoopBound(
                    try PushListener(
                        configuration: configuration,
                        services: [APNsService(validator: Fixture.validator())],
                        acceptor: acceptor,
                        metrics: HostMetrics().ingress,
                        logger: Fixture.silentLogger,
                        eventLoop: loop,
                        source: source
                    ),
                    eventLoop: loop
                )
            }.get()
            let probed = ProbedListener(loop: loop, listener: listener)
            let socket = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try probed.admit(channel) }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            try await body(probed, ListenerAddress(host: "127.0.0.1", port: socket.localAddress?.port ?? 0))
            try await socket.close()
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try await group.shutdownGracefully()
    }

    private func admit(_ channel: any Channel) throws {
        try listener.value.admit(channel)
        add(channel, "channel")
        state.value.channels.append(WeakChannel(channel: channel))
        state.value.ends.append(channel.closeFuture)
    }

    // MARK: Watching

    /// Begins to watch what the open connections are made of now, and returns how much that is.
    func watch() async throws -> Int {
        try await loop.submit { [self] in
            for channel in state.value.channels.compactMap(\.channel) {
                let connection = listener.value.connections.connection(of: channel) as? PushConnection
                add(connection, "connection")
                add(connection?.desk, "desk")
                let pipeline = channel.pipeline.syncOperations
                func addHandler<Handler: ChannelHandler>(_ type: Handler.Type) {
                    add(try? pipeline.handler(type: type), "\(type)")
                }
                addHandler(NIOSSLServerHandler.self)
                addHandler(FlowGuard.self)
                addHandler(ProtocolSniffer.self)
                addHandler(FrameGuard.self)
                addHandler(NIOHTTP2Handler.self)
                addHandler(GoAwayHandler.self)
                addHandler(NIOHTTP2ServerConnectionManagementHandler.self)
                addHandler(HTTP2ConnectionHandler.self)
                addHandler(ByteToMessageHandler<HTTPRequestDecoder>.self)
                addHandler(HTTPResponseEncoder.self)
                addHandler(IdleStateHandler.self)
                addHandler(HTTP1PushHandler.self)
            }
            return state.value.probes.count
        }.get()
    }

    private func add(_ object: AnyObject?, _ name: String) {
        guard let object else { return }
        state.value.probes.append(Probe(name: name, object: object))
    }

    /// Does something to each connection, on the loop.
    func onConnections(_ body: @escaping @Sendable (PushConnection) -> Void) async throws {
        try await loop.submit { [self] in
            for channel in state.value.channels.compactMap(\.channel) {
                if let connection = listener.value.connections.connection(of: channel) as? PushConnection {
                    body(connection)
                }
            }
        }.get()
    }

    func beginDrain() async throws {
        try await loop.submit { [self] in _ = listener.value.drain() }.get()
    }

    /// Returns the names of the connections' objects that are left once each channel has closed and the loop has
    /// turned.
    func leftovers(of count: Int = 1) async throws -> [String] {
        var ends: [EventLoopFuture<Void>] = []
        // A connection over the limit may be gone before it is asked for.
        while ends.count < count { ends = try await loop.submit { [self] in state.value.ends }.get() }
        for end in ends { try await end.get() }
        var left: [String] = []
        // NIO takes a channel apart in some turns of its loop, and a client's thread may hold the last answer's
        // closure.
        for _ in 0..<1000 {
            left = try await loop.submit { [self] in
                state.value.probes.filter { $0.object != nil }.map(\.name)
            }.get()
            if left.isEmpty { break }
        }
        return left
    }

    /// Waits until a peer was let in, which the peer itself cannot tell.
    func waitForConnection() async throws {
        while try await loop.submit({ [self] in state.value.ends.isEmpty }).get() {}
    }

    /// Bodies that were handed over and not answered; waits for the turns in which answers arrive.
    var heldByteCount: Int {
        get async throws {
            var count = 0
            for _ in 0..<1000 {
                count = try await loop.submit { [self] in listener.value.heldByteCount }.get()
                if count == 0 { break }
            }
            return count
        }
    }

    var openCount: Int {
        get async throws { try await loop.submit { [self] in listener.value.connections.count }.get() }
    }
}
