// SPDX-License-Identifier: Apache-2.0

package import CenterStore
private import Glibc
internal import HTTPServing
internal import Locking
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NotificationPayload
package import PacketSockets

/// Serves the API, HTTP/1.1: on a Unix socket to the owner who may open it, or on a port to whoever its gate lets in.
package struct APIServer: Sendable {
    /// The time for which a connection may be without a request; streams are exempt.
    private static let idleLimit = TimeAmount.seconds(60)
    /// The name of the handler that ends a silent connection.
    static let idleHandler = "idle"
    /// The name of the handler that ends a connection of which nobody knows who it is.
    static let strangerHandler = "stranger"

    /// Tells who the callers are.
    private var caller: APIConversation.Caller {
        switch door {
        case .socket(_, let owner, _): .owner(owner)
        case .port(_, _, let gate): .gate(gate)
        }
    }

    private enum Door {
        /// The socket's folder is there, and other users cannot change it.
        case socket(path: String, OwnerName, SocketUser)
        /// A port of this machine's own addresses, with the sockets that have it.
        case port(Int, sockets: [CInt], WebGate)
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

    /// Serves whoever the gate lets in, on a port; its sockets listen, and belong to `run`.
    package init(_ apis: OwnerAPIs, port: Int, sockets: [CInt], _ gate: WebGate, clock: any Clock<Duration>) {
        door = .port(port, sockets: sockets, gate)
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
            name = if case .port(_, _, let gate) = door { try await gate.name() } else { nil }
        } catch {
            if case .port(_, let sockets, _) = door { for socket in sockets { close(socket) } }
            throw error
        }
        let listeners = try await bind(connections)
        defer { if case .socket(let path, _, _) = door { unlink(path) } }
        if listeners.map({ connections.listen($0.channel) }).allSatisfy(\.self) {
            started(try address(name))
        }
        let failures = Locked<[any Error]>([])
        await withDiscardingTaskGroup { group in
            for listener in listeners {
                group.addTask {
                    // Nothing is cancelled: a connection that was just accepted must be served or closed.
                    do { try await serve(listener) } catch { failures.withLock { $0.append(error) } }
                    connections.close()
                }
            }
        }
        if let failure = failures.withLock(\.first) { throw failure }
    }

    private func serve(_ listener: NIOAsyncChannel<Connection, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { accepted in
                for try await connection in accepted {
                    group.addTask { await APIConversation(apis, caller, connection, clock).run() }
                }
            }
        }
    }

    private func address(_ name: String?) throws -> String {
        switch door {
        case .socket(let path, _, let user):
            try user.take(path)
            return path
        case .port(let port, _, let gate): return gate.open(name ?? "", port: port)
        }
    }

    private func bind(_ connections: APIConnections) async throws -> [NIOAsyncChannel<Connection, Never>] {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        let user: SocketUser? = if case .socket(_, _, let user) = door { user } else { nil }
        let open: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture { try Self.connection(channel, connections, of: user) }
        }
        switch door {
        case .socket(let path, _, _):
            return [
                try await bootstrap.bind(
                    unixDomainSocketPath: path,
                    cleanupExistingSocketFile: true,
                    childChannelInitializer: open
                )
            ]
        case .port(_, let sockets, _):
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
        of user: SocketUser?
    ) throws -> Connection {
        try channel.pipeline.syncOperations.addHTTP1Server()
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(allTimeout: idleLimit), name: idleHandler)
        try channel.pipeline.syncOperations.addHandler(APIConnectionEntry(connections))
        if let user {
            try channel.pipeline.syncOperations.addHandler(PeerCheck(user))
        } else {
            try channel.pipeline.syncOperations.addHandler(StrangerLimit(), name: strangerHandler)
        }
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: .init())
    }
}
