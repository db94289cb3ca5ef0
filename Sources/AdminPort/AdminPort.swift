// SPDX-License-Identifier: Apache-2.0

private import Glibc
package import HostRuntime
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NotificationPayload

/// Tells an operator, a service manager or Prometheus how the host is doing: HTTP/1.1, nothing but reading.
///
/// `/health` and `/ready` answer anybody who reaches the port; `/status` and `/metrics` want the bearer token, or a Unix
/// socket, which only the host's user can open. Of pushes there are numbers here and nothing else.
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
        let bindAddress: BindAddress
        switch address {
        case .tcp(let host, let port): bindAddress = .hostname(host, port: port)
        case .socket(let path):
            try AdminSocket.prepare(path)
            bindAddress = .unixDomainSocket(path: path)
        }
        let connections = AdminConnections(limit: Self.connectionLimit)
        let application = application(bindAddress, connections, started)
        // Awaited right here: a task of its own only so that it is not cancelled.
        let server = Task { try await application.run() }
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

    private func application(
        _ bindAddress: BindAddress,
        _ connections: AdminConnections,
        _ started: @escaping @Sendable (Int?) -> Void
    ) -> Application<Responder> {
        Application(
            responder: Responder { request, _ in await respond(to: request) },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        AdminConnectionEntry(connections, lifetime: lifetime, patience: Self.headLimit)
                    ],
                    idleTimeout: Self.idleLimit,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 8 << 10,
                        maxHeaderListSize: 16 << 10,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: ApplicationConfiguration(address: bindAddress),
            onServerRunning: { channel in
                if case .socket(let path) = address { AdminSocket.close(path) }
                started(channel.localAddress?.port)
                connections.listen(channel)
            },
            logger: logger
        )
    }

    private typealias Responder = CallbackResponder<BasicRequestContext>

    func respond(to request: Request) async -> Response {
        guard let page = AdminPage(rawValue: request.uri.path) else { return Self.answer(.notFound) }
        guard request.method == .get || request.method == .head else {
            return Self.answer(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        if page.isForOperators, let token, !token.isGiven(in: request.headers[.authorization]) {
            return Self.answer(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        let response = await answer(page)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ page: AdminPage) async -> Response {
        switch page {
        case .health: return Self.answer(.ok, json: ["state": "alive"])
        case .ready:
            let isReady = status.state == .ready
            return Self.answer(isReady ? .ok : .serviceUnavailable, json: status.readinessJSON)
        case .status: return Self.answer(.ok, json: await status.json)
        case .metrics:
            return Self.answer(.ok, await status.text.text, type: MetricsText.contentType)
        }
    }

    private static func answer(_ status: HTTPResponse.Status, json: JSONObject) -> Response {
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        return answer(status, String(decoding: bytes, as: UTF8.self) + "\n", type: "application/json")
    }

    private static func answer(
        _ status: HTTPResponse.Status,
        _ text: String = "",
        type: String? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.cacheControl] = "no-store"
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// What there is to see.
enum AdminPage: String {
    case health = "/health"
    case ready = "/ready"
    case status = "/status"
    case metrics = "/metrics"

    var isForOperators: Bool {
        switch self {
        case .health, .ready: false
        case .status, .metrics: true
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
