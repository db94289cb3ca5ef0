// SPDX-License-Identifier: Apache-2.0

package import CenterStore
private import Glibc
internal import HTTPServing
internal import Locking
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NotificationPayload

/// Serves the API, HTTP/1.1: on a Unix socket to the owner who may open it, or on a port to whoever its gate lets in.
package struct APIServer: Sendable {
    /// The longest body of a request, in bytes.
    static let bodyLimit = 256 << 10
    /// The time for which a connection may be without a request; streams are exempt.
    private static let idleLimit = TimeAmount.seconds(60)
    /// The name of the handler that ends a silent connection.
    private static let idleHandler = "idle"
    /// The name of the handler that ends a connection of which nobody knows who it is.
    private static let strangerHandler = "stranger"

    private enum Door {
        /// The socket's folder is there and closed to other users.
        case socket(path: String, OwnerName)
        /// A port of this machine's own addresses, with the sockets that have it.
        case port(Int, sockets: [CInt], WebGate)
    }

    private let door: Door
    private let apis: OwnerAPIs
    private let clock: any Clock<Duration>

    /// Serves one owner on a socket.
    package init(_ apis: OwnerAPIs, owner: OwnerName, path: String, clock: any Clock<Duration>) {
        door = .socket(path: path, owner)
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
        defer { if case .socket(let path, _) = door { unlink(path) } }
        if listeners.map({ connections.listen($0.channel) }).allSatisfy(\.self) {
            started(address(name))
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
                for try await connection in accepted { group.addTask { await converse(on: connection) } }
            }
        }
    }

    private func address(_ name: String?) -> String {
        switch door {
        case .socket(let path, _):
            chmod(path, 0o600)
            return path
        case .port(let port, _, let gate): return gate.open(name ?? "", port: port)
        }
    }

    private func bind(_ connections: APIConnections) async throws -> [NIOAsyncChannel<Connection, Never>] {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        let isPort = if case .port = door { true } else { false }
        let open: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture { try Self.connection(channel, connections, hasStrangers: isPort) }
        }
        switch door {
        case .socket(let path, _):
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

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Answers = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private static func connection(
        _ channel: any Channel,
        _ connections: APIConnections,
        hasStrangers: Bool
    ) throws -> Connection {
        try channel.pipeline.syncOperations.addHTTP1Server()
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: idleLimit), name: idleHandler)
        try channel.pipeline.syncOperations.addHandler(APIConnectionEntry(connections))
        if hasStrangers { try channel.pipeline.syncOperations.addHandler(StrangerLimit(), name: strangerHandler) }
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel, configuration: .init())
    }

    /// Answers the requests of a connection until its peer closes it or asks for its end.
    private func converse(on connection: Connection) async {
        // An error is the end of the connection, and its peer's to notice.
        try? await connection.executeThenClose { requests, answers in
            var reader = RequestReader(bodyLimit: Self.bodyLimit)
            do {
                for try await part in requests {
                    guard let (head, body) = try reader.take(part) else { continue }
                    guard try await answer(head, body, on: connection.channel, answers), !head.isLast else {
                        return
                    }
                }
            } catch is HTTPParserError {
                try await Self.refuse(.badRequest("the request is no HTTP/1.1"), answers)
            } catch let error as APIError {
                try await Self.refuse(error, answers)
            }
        }
    }

    /// Says why nothing more is read on the connection.
    private static func refuse(_ error: APIError, _ answers: Answers) async throws {
        try await answers.write(contentsOf: error.answer.parts(isHeadOnly: false, isLast: true))
    }

    /// Answers a request; false means that nothing more is answered on the connection.
    private func answer(
        _ head: HTTPRequestHead,
        _ body: [UInt8],
        on channel: any Channel,
        _ answers: Answers
    ) async throws -> Bool {
        guard head.namesItsHost else {
            try await Self.refuse(.badRequest("the request names no host"), answers)
            return false
        }
        guard let request = APIRequest(head, body: body) else {
            let answer = page(for: head) ?? APIError.notFound.answer
            try await answers.write(contentsOf: answer.parts(isHeadOnly: head.method == .HEAD, isLast: head.isLast))
            return true
        }
        let (reply, asked) = await reply(to: request, head, from: channel.remoteAddress?.ipAddress ?? "")
        if asked != nil, case .port = door {
            try? await channel.pipeline.removeHandler(name: Self.strangerHandler).get()
        }
        switch reply {
        case .answer(let answer):
            try await answers.write(contentsOf: answer.parts(isHeadOnly: head.method == .HEAD, isLast: head.isLast))
            return true
        case .events(let number):
            guard let asked else { return false }
            let events = EventStream(center: asked.api.center, owner: asked.api.owner, clock: clock)
            try await stream(on: channel, answers, asked) { write in try await events.run(after: number, write: write) }
            return false
        case .app(let key, let wishes):
            guard let asked else { return false }
            try await stream(on: channel, answers, asked) { write in
                try await AppStream(key, asked.api, wishes, write: write).run()
            }
            return false
        }
    }

    /// A file of the page, which is at the port, for whoever calls the centre by its name.
    private func page(for head: HTTPRequestHead) -> APIAnswer? {
        guard case .port(_, _, let gate) = door, let answer = PageFiles.all.answer(to: head) else { return nil }
        do throws(APIError) { try gate.judgeHost(head) } catch { return error.answer }
        return answer
    }

    /// The API that was asked, and who asked it.
    private struct Asked {
        let api: CenterAPI
        let access: Access
    }

    /// The answer to a request; who signs in has asked no API yet.
    private func reply(
        to request: APIRequest,
        _ head: HTTPRequestHead,
        from address: String
    ) async -> (CenterAPI.Reply, Asked?) {
        switch door {
        case .socket(_, let owner):
            return await reply(to: request, as: .full(owner))
        case .port(_, _, let gate):
            do throws(APIError) {
                switch try await gate.admit(head, request, from: address) {
                case .known(let access): return await reply(to: request, as: access)
                case .signsIn:
                    let (session, secret) = try await gate.signIn(request, from: address)
                    var answer = APIAnswer(.created, ["owner": .string(session.owner.text), "id": .string(session.id)])
                    answer.headers.add(name: "set-cookie", value: SessionCookie.set(secret))
                    return (.answer(answer), nil)
                }
            } catch {
                return (.answer(error.answer), nil)
            }
        }
    }

    private func reply(to request: APIRequest, as access: Access) async -> (CenterAPI.Reply, Asked?) {
        let api = apis.api(of: access.owner)
        var reply = await api.reply(to: request, as: access)
        if let cookie = access.cookie, case .answer(var answer) = reply, answer.headers["set-cookie"].isEmpty {
            answer.headers.add(name: "set-cookie", value: cookie)
            reply = .answer(answer)
        }
        return (reply, Asked(api: api, access: access))
    }

    /// Waits for the end of what lets the caller in; the owner's own socket is for good.
    private func untilEnded(_ access: Access) async {
        if case .port(_, _, let gate) = door, let credential = access.credential {
            await gate.untilEnded(credential, clock)
        } else {
            await Signal().wait()
        }
    }

    /// Has events written until the watcher is gone, or is known no more.
    private func stream(
        on channel: any Channel,
        _ answers: Answers,
        _ asked: Asked,
        _ run: @escaping @Sendable (_ write: @escaping @Sendable (String) async throws -> Void) async throws -> Void
    ) async throws {
        try? await channel.pipeline.removeHandler(name: Self.idleHandler).get()
        let headers = APIAnswer.headers(type: "text/event-stream")
        try await answers.write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        try await answers.write(.body(.byteBuffer(ByteBuffer(string: "retry: 1000\n\n"))))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await channel.closeFuture.get() }
            group.addTask {
                await untilEnded(asked.access)
                channel.close(promise: nil)
            }
            group.addTask {
                do {
                    try await run { text in try await answers.write(.body(.byteBuffer(ByteBuffer(string: text)))) }
                    try await answers.write(.end(nil))
                } catch {
                    // A watcher that is behind finds the connection closed and comes back; nothing else ends the wait above.
                    channel.close(promise: nil)
                    throw error
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// Puts the parts of requests together, one request after the other.
struct RequestReader {
    private let bodyLimit: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Returns the request that is whole with this part; throws `tooLarge`, and then nothing more can be read.
    mutating func take(_ part: HTTPServerRequestPart) throws(APIError) -> (HTTPRequestHead, body: [UInt8])? {
        switch part {
        case .head(let head): self.head = head
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= bodyLimit else { throw .tooLarge(limit: bodyLimit) }
            body += bytes.readableBytesView
        case .end:
            defer { (head, body) = (nil, []) }
            return head.map { ($0, body) }
        }
        return nil
    }
}
