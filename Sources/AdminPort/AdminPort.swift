// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import HTTPServing
package import HostRuntime
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NotificationPayload

/// Tells an operator, a service manager or Prometheus how the host is doing: HTTP/1.1, nothing but reading.
///
/// `/health` and `/ready` answer anybody who reaches the port; `/status` and `/metrics` want the bearer token, or a
/// Unix socket, which only the host's user can open. Of pushes there are numbers here and nothing else.
package struct AdminPort: Sendable {
    package enum Address: Sendable, Equatable {
        /// A loopback address; port 0: the kernel chooses.
        case tcp(host: String, port: Int)
        /// Absolute path; its folder must be closed to other users.
        case socket(path: String)
    }

    /// Beyond it a connection takes the place of another.
    package static let connectionLimit = 32
    /// From accepting a connection to the whole head of its first request.
    private static let headLimit = Duration.seconds(5)
    private static let idleLimit = TimeAmount.seconds(30)

    /// After it a connection ends, so that nobody keeps those there are by asking slowly or reading nothing.
    private let lifetime: Duration
    private let address: Address
    private let token: AdminToken?
    private let status: HostStatus
    private let logger: Logger

    /// The token is needed for TCP, and of no use with a socket; a connection lasts `lifetime` at most.
    ///
    /// - Throws: `AdminPortError` for TCP without one.
    package init(
        address: Address,
        token: AdminToken?,
        status: HostStatus,
        lifetime: Duration = .seconds(60),
        logger: Logger
    ) throws(AdminPortError) {
        self.lifetime = lifetime
        self.address = address
        self.token = token
        self.status = status
        self.logger = logger
        if case .tcp = address, token == nil { throw AdminPortError("the admin port needs a token") }
    }

    /// Serves until the task is cancelled.
    ///
    /// `started` is told the TCP port, or nil of a socket, once requests are answered.
    /// - Throws: `AdminPortError`: it cannot listen there.
    package func run(started: @escaping @Sendable (Int?) -> Void = { _ in }) async throws(AdminPortError) {
        if case .socket(let path) = address { try AdminSocket.prepare(path) }
        let connections = AdminConnections(limit: Self.connectionLimit)
        // Awaited right here: a task of its own only so that it is not cancelled.
        let server = Task { try await serve(connections, started) }
        let result = await withTaskCancellationHandler {
            await server.result
        } onCancel: {
            connections.close()
        }
        if case .socket(let path) = address { unlink(path) }
        if case .failure(let error) = result, !connections.isClosing {
            throw AdminPortError("the admin port cannot listen on \(address.text): \(AdminSocket.reason(of: error))")
        }
    }

    private func serve(_ connections: AdminConnections, _ started: @Sendable (Int?) -> Void) async throws {
        let listener = try await listener(connections)
        if case .socket(let path) = address { AdminSocket.close(path) }
        started(listener.channel.localAddress?.port)
        connections.listen(listener.channel)
        await withDiscardingTaskGroup { group in
            do {
                try await listener.executeThenClose { accepted in
                    for try await connection in accepted { group.addTask { await converse(on: connection) } }
                }
            } catch {
                logger.error("admin port ended", metadata: ["error": "\(error)"])
            }
        }
    }

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    private func listener(_ connections: AdminConnections) async throws -> NIOAsyncChannel<Connection, Never> {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        let lifetime = lifetime
        let connect: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture { try Self.connection(channel, connections, lifetime: lifetime) }
        }
        return switch address {
        case .tcp(let host, let port):
            try await bootstrap.bind(host: host, port: port, childChannelInitializer: connect)
        case .socket(let path):
            try await bootstrap.bind(
                unixDomainSocketPath: path,
                cleanupExistingSocketFile: true,
                childChannelInitializer: connect
            )
        }
    }

    private static func connection(
        _ channel: any Channel,
        _ connections: AdminConnections,
        lifetime: Duration
    ) throws -> Connection {
        try channel.pipeline.syncOperations.addHTTP1Server()
        try channel.pipeline.syncOperations.addHandlers([
            IdleStateHandler(allTimeout: idleLimit),
            AdminConnectionEntry(connections, lifetime: lifetime, patience: headLimit),
        ])
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }

    /// Answers the requests of a connection until its peer closes it or asks for its end.
    private func converse(on connection: Connection) async {
        // An error is the end of the connection, and its peer's to notice.
        try? await connection.executeThenClose { requests, answers in
            do {
                for try await case .head(let head) in requests {
                    guard head.namesItsHost else {
                        try await answers.write(contentsOf: AdminAnswer.badRequest)
                        break
                    }
                    try await answers.write(contentsOf: await answer(to: head).parts(isLast: head.isLast))
                    guard !head.isLast else { break }
                }
            } catch is HTTPParserError {
                try await answers.write(contentsOf: AdminAnswer.badRequest)
            }
            // The peer closes when it has read everything; the connection's lifetime is its time for that.
            answers.finish()
            try await connection.channel.closeFuture.get()
        }
    }

    private func answer(to request: HTTPRequestHead) async -> AdminAnswer {
        guard let page = AdminPage(target: request.uri) else { return AdminAnswer(.notFound) }
        guard request.method == .GET || request.method == .HEAD else {
            return AdminAnswer(.methodNotAllowed, headers: ["Allow": "GET, HEAD"])
        }
        let credentials = request.headers["authorization"]
        if page.isForOperators, let token, !token.isGiven(in: credentials.count == 1 ? credentials[0] : nil) {
            return AdminAnswer(.unauthorized, headers: ["WWW-Authenticate": "Bearer"])
        }
        var answer = await answer(page)
        answer.isHeadOnly = request.method == .HEAD
        return answer
    }

    private func answer(_ page: AdminPage) async -> AdminAnswer {
        switch page {
        case .health: return AdminAnswer(.ok, json: ["state": "alive"])
        case .ready:
            let isReady = status.state == .ready
            return AdminAnswer(isReady ? .ok : .serviceUnavailable, json: status.readinessJSON)
        case .status: return AdminAnswer(.ok, json: await status.json)
        case .metrics: return AdminAnswer(.ok, await status.text.text, type: MetricsText.contentType)
        }
    }
}

extension AdminPort.Address {
    var text: String {
        switch self {
        case .tcp(let host, let port): "\(host):\(port)"
        case .socket(let path): "\"\(path)\""
        }
    }
}
