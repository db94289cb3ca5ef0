// SPDX-License-Identifier: Apache-2.0

package import CenterStore
private import Glibc
package import HTTPServing
internal import Locking
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NotificationPayload
package import PacketSockets

/// Serves the API, HTTP/1.1: on a Unix socket to the owner who may open it, or on a port to whoever its gate lets in.
///
/// A third door is for whoever runs the centre, and has what it counts.
package struct APIServer: Sendable {
    /// The time for which a connection may be without a request; streams are exempt.
    private static let idleLimit = TimeAmount.seconds(60)
    /// The name of the handler that ends a silent connection.
    static let idleHandler = "idle"

    /// Tells who the callers are.
    private var caller: APIConversation.Caller {
        switch door {
        case .socket(_, let owner, _), .handed(_, let owner): .owner(owner)
        case .port(_, _, let gate, _): .gate(gate)
        case .counts: .operator
        }
    }

    private enum Door {
        /// The socket's folder is there, and other users cannot change it.
        case socket(path: String, OwnerName, SocketUser)
        /// A socket of the service manager's.
        case handed(HandedSocket, OwnerName)
        /// A port, with the sockets that have it; without TLS they are of this machine's own addresses.
        case port(Int, sockets: [CInt], WebGate, ServerTLS?)
        /// A socket of the centre's own user; other users cannot change its folder.
        case counts(path: String)

        /// The path that goes with the server; `nil` means that the door is no Unix socket of its own.
        var path: String? {
            switch self {
            case .socket(let path, _, _), .counts(let path): path
            case .handed, .port: nil
            }
        }
    }

    private let door: Door
    private let apis: OwnerAPIs
    private let clock: any Clock<Duration>

    /// Serves one owner on a socket, which is the user's.
    package init(
        _ apis: OwnerAPIs,
        owner: OwnerName,
        path: String,
        user: SocketUser = .own,
        clock: any Clock<Duration>
    ) {
        door = .socket(path: path, owner, user)
        self.apis = apis
        self.clock = clock
    }

    /// Serves one owner on a socket that was handed over, which belongs to `run`.
    package init(_ apis: OwnerAPIs, owner: OwnerName, _ socket: HandedSocket, clock: any Clock<Duration>) {
        door = .handed(socket, owner)
        self.apis = apis
        self.clock = clock
    }

    /// Serves whoever the gate lets in, on a port; its sockets listen, and belong to `run`.
    ///
    /// Without `tls` the sockets have to be of this machine's own addresses.
    package init(
        _ apis: OwnerAPIs,
        port: Int,
        sockets: [CInt],
        _ gate: WebGate,
        tls: ServerTLS? = nil,
        clock: any Clock<Duration>
    ) {
        door = .port(port, sockets: sockets, gate, tls)
        self.apis = apis
        self.clock = clock
    }

    /// Serves what the centre counts, at a socket of the centre's own user.
    package init(_ apis: OwnerAPIs, metricsAt path: String, clock: any Clock<Duration>) {
        door = .counts(path: path)
        self.apis = apis
        self.clock = clock
    }

    /// Serves until `connections` is closed; `started` is called with the address once requests are answered.
    package func run(
        _ connections: APIConnections,
        started: @escaping @Sendable (_ address: String) -> Void
    ) async throws {
        // Before anything is accepted: what was accepted and is not served ends the process.
        let name: String?
        do {
            name = if case .port(_, _, let gate, _) = door { try await gate.name() } else { nil }
        } catch {
            if case .port(_, let sockets, _, _) = door { for socket in sockets { close(socket) } }
            throw error
        }
        let listeners = try await bind(connections)
        defer { if let path = door.path { unlink(path) } }
        if listeners.map({ connections.listen($0.channel) }).allSatisfy(\.self) {
            started(try address(name))
        }
        let failures = Locked<[any Error]>([])
        await withDiscardingTaskGroup { group in
            for listener in listeners {
                group.addTask {
                    // Nothing is cancelled: a connection that was just accepted must be served or closed.
                    do { try await serve(listener, connections) } catch { failures.withLock { $0.append(error) } }
                    connections.close()
                }
            }
        }
        if let failure = failures.withLock(\.first) { throw failure }
    }

    private func serve(_ listener: NIOAsyncChannel<Connection, Never>, _ connections: APIConnections) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { accepted in
                for try await connection in accepted {
                    group.addTask {
                        await APIConversation(apis, caller, connection, of: connections, clock).run()
                    }
                }
            }
        }
    }

    private func address(_ name: String?) throws -> String {
        switch door {
        case .socket(let path, _, let user):
            try user.take(path)
            return path
        case .handed(let socket, _): return socket.path
        case .counts(let path):
            try SocketUser.own.take(path)
            return path
        case .port(let port, _, let gate, _): return gate.open(name ?? "", port: port)
        }
    }

    private func bind(_ connections: APIConnections) async throws -> [NIOAsyncChannel<Connection, Never>] {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        let open: @Sendable (any Channel) -> EventLoopFuture<Connection> = { [door] channel in
            channel.eventLoop.makeCompletedFuture { try Self.connection(channel, connections, door) }
        }
        switch door {
        case .socket(let path, _, _), .counts(let path):
            return [
                try await bootstrap.bind(
                    unixDomainSocketPath: path,
                    cleanupExistingSocketFile: true,
                    childChannelInitializer: open
                )
            ]
        case .handed(let socket, _):
            return [try await bootstrap.bind(socket.descriptor, childChannelInitializer: open)]
        case .port(_, let sockets, _, _):
            var listeners: [NIOAsyncChannel<Connection, Never>] = []
            do {
                for socket in sockets {
                    listeners.append(try await bootstrap.bind(socket, childChannelInitializer: open))
                }
            } catch {
                // Those that were not handed over.
                for socket in sockets.dropFirst(listeners.count + 1) { close(socket) }
                for listener in listeners { try? await listener.executeThenClose { _ in } }
                throw error
            }
            return listeners
        }
    }

    private typealias Connection = APIConversation.Connection

    /// `user` is whose the socket is; `nil` means that strangers may connect.
    private static func connection(
        _ channel: any Channel,
        _ connections: APIConnections,
        _ door: Door
    ) throws -> Connection {
        let pipeline = channel.pipeline.syncOperations
        // Before TLS, whose end waits for the peer: a connection without a place or in silence is closed at once.
        try pipeline.addHandler(IdleStateHandler(allTimeout: idleLimit), name: idleHandler)
        switch door {
        case .socket(_, _, let user):
            try pipeline.addHandler(APIConnectionEntry(connections, isStranger: false))
            try pipeline.addHandler(PeerCheck(user))
        case .handed(let socket, _):
            try pipeline.addHandler(APIConnectionEntry(connections, isStranger: false))
            try pipeline.addHandler(PeerCheck(socket.user))
        case .counts:
            // Nobody is known here: each connection ends after ten seconds, and gives way to a newer one before.
            try pipeline.addHandler(APIConnectionEntry(connections, isStranger: true))
            try pipeline.addHandler(PeerCheck(.own))
        case .port(_, _, _, let tls):
            try pipeline.addHandler(APIConnectionEntry(connections, isStranger: true))
            try tls?.add(to: pipeline)
        }
        try pipeline.addHTTP1Server()
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: .init())
    }
}
