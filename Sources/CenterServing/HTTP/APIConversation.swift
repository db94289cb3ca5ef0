// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Glibc
import HTTPServing
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The requests of one connection and their answers, one after the other.
struct APIConversation {
    /// The longest body of a request, in bytes; a file that an app sends goes to the disk instead.
    static let bodyLimit = 256 << 10

    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    typealias Answers = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    /// The way in which callers are known.
    enum Caller: Sendable {
        /// Whoever can connect is this owner.
        case owner(OwnerName)
        case gate(WebGate)
        /// The user who runs the centre, and may read what it counts.
        case `operator`
    }

    private let apis: OwnerAPIs
    private let caller: Caller
    private let connection: Connection
    /// The connections of the server, among which this one is proven once its caller is known.
    private let connections: APIConnections
    private let clock: any Clock<Duration>

    init(
        _ apis: OwnerAPIs,
        _ caller: Caller,
        _ connection: Connection,
        of connections: APIConnections,
        _ clock: any Clock<Duration>
    ) {
        self.apis = apis
        self.caller = caller
        self.connection = connection
        self.connections = connections
        self.clock = clock
    }

    private var channel: any Channel { connection.channel }

    /// Answers until the peer closes the connection or asks for its end.
    func run() async {
        // An error is the end of the connection, and its peer's to notice.
        try? await connection.executeThenClose { requests, answers in
            var parts = requests.makeAsyncIterator()
            var reader = RequestReader(bodyLimit: Self.bodyLimit)
            var file: IncomingFile?
            // What came of a file that does not come whole.
            defer { file?.body.cancel() }
            do {
                while let part = try await parts.next() {
                    if let incoming = file {
                        guard case .body(let bytes) = part else {
                            file = nil
                            guard try await end(incoming, answers) else { return }
                            continue
                        }
                        try await incoming.body.append(bytes)
                    } else if case .head(let head) = part, let request = APIRequest(head, body: []), request.bringsFile
                    {
                        file = try await begin(request, head, answers)
                    } else if let (head, body) = try reader.take(part) {
                        guard try await answer(head, body, answers), !head.isLast else { return }
                    }
                }
                return
            } catch is HTTPParserError {
                return try await refuse(.badRequest("the request is no HTTP/1.1"), answers)
            } catch let error as APIError {
                try await refuse(error, answers)
            } catch let refusal as RefusedFile {
                try await answers.write(contentsOf: refusal.answer.parts(isHeadOnly: false, isLast: true))
            }
            // A connection that closes over unread bytes takes the answer away from its peer, who may wait for the end.
            try await connection.channel.close(mode: .output).get()
            var rest = Self.bodyLimit
            while rest > 0, case .body(let bytes)? = try await parts.next() { rest -= bytes.readableBytes }
        }
    }

    /// Says why nothing more is read on the connection.
    private func refuse(_ error: APIError, _ answers: Answers) async throws {
        metrics.refuse(error)
        metrics.answered(.other, Int(error.status.code))
        try await answers.write(contentsOf: error.answer.parts(isHeadOnly: false, isLast: true))
    }

    /// Answers a request; false means that nothing more is answered on the connection.
    private func answer(_ head: HTTPRequestHead, _ body: [UInt8], _ answers: Answers) async throws -> Bool {
        guard head.namesItsHost else {
            try await refuse(.badRequest("the request names no host"), answers)
            return false
        }
        let isHeadOnly = head.method == .HEAD
        guard let request = APIRequest(head, body: body) else {
            let (answer, route) = aside(to: head)
            metrics.answered(route, Int(answer.status.code))
            try await answers.write(contentsOf: answer.parts(isHeadOnly: isHeadOnly, isLast: head.isLast))
            return true
        }
        let (reply, asked) = await reply(to: request, head)
        if let status = reply.status { metrics.answered(APIRoute(request.path), Int(status.code)) }
        switch reply {
        case .answer(let answer):
            try await answers.write(contentsOf: answer.parts(isHeadOnly: isHeadOnly, isLast: head.isLast))
            return true
        case .file(let file):
            try await file.write(isHeadOnly: isHeadOnly, isLast: head.isLast) { try await answers.write($0) }
            return true
        // Taken where its head came.
        case .upload: return false
        case .events(let number, let hiding, let kind):
            guard let asked else { return false }
            let isLocal = PeerSource(channel.remoteAddress) == .local
            if kind != nil { await endWithoutPeer() }
            let events = EventStream(
                center: asked.api.center,
                owner: asked.api.owner,
                hiding: hiding,
                clock: clock,
                presenter: kind.map { Presenter($0, isLocal: isLocal) }
            )
            try await stream(answers, asked) { write in try await events.run(after: number, write: write) }
            return false
        case .view(let view):
            guard let asked else { return false }
            await endWithoutPeer()
            try await stream(answers, asked) { write in try await view.follow(write) }
            return false
        case .app(let key, let wishes):
            guard let asked else { return false }
            // An app that is gone is to be started by what is answered, and not sent it in vain.
            await endWithoutPeer()
            try await stream(answers, asked) { write in
                try await AppStream(key, asked.api, wishes, write: write).run()
            }
            return false
        }
    }

    private var metrics: ReaderMetrics { apis.center.metrics.readers }

    /// The answer to a request for what is no part of the API: for the page, or for what the centre counts.
    private func aside(to head: HTTPRequestHead) -> (APIAnswer, APIRoute) {
        switch caller {
        case .owner: break
        case .gate(let gate): if let answer = page(for: head, gate) { return (answer, .page) }
        case .operator:
            if let answer = MetricsPage(apis.center.metrics).answer(to: head) { return (answer, .metrics) }
        }
        return (APIError.notFound.answer, .other)
    }

    /// A file of the page, which is at the port, for whoever calls the centre by its name.
    private func page(for head: HTTPRequestHead, _ gate: WebGate) -> APIAnswer? {
        guard var answer = PageFiles.all.answer(to: head) else { return nil }
        do throws(APIError) {
            for (name, value) in try gate.judgeHost(head) { answer.headers.add(name: name, value: value) }
        } catch { return error.answer }
        return answer
    }

    // MARK: Files

    /// A file that an app sends, while its bytes come.
    private struct IncomingFile {
        let head: HTTPRequestHead
        let body: UploadBody
        let api: CenterAPI
    }

    /// The answer to a caller who may not send the file that it sends.
    private struct RefusedFile: Error {
        let answer: APIAnswer
    }

    /// Begins to take the body of a request to the disk, unless the caller may not send it.
    private func begin(
        _ request: APIRequest,
        _ head: HTTPRequestHead,
        _ answers: Answers
    ) async throws -> IncomingFile {
        guard head.namesItsHost else { throw APIError.badRequest("the request names no host") }
        let (reply, asked) = await reply(to: request, head)
        guard case .upload(let key) = reply, let asked else {
            guard case .answer(let answer) = reply else { throw APIError.notFound }
            metrics.answered(APIRoute(request.path), Int(answer.status.code))
            throw RefusedFile(answer: answer)
        }
        let length = head.headers["content-length"].first.flatMap { Int($0) }
        let body = try UploadBody(asked.api.center, key, length: length)
        if head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            do {
                try await answers.write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
            } catch {
                body.cancel()
                throw error
            }
        }
        return IncomingFile(head: head, body: body, api: asked.api)
    }

    /// The file is whole; false means that nothing more is answered.
    private func end(_ file: IncomingFile, _ answers: Answers) async throws -> Bool {
        let answer = try await file.body.end(at: file.api.center.clock.wall())
        metrics.answered(.app, Int(answer.status.code))
        try await answers.write(contentsOf: answer.parts(isHeadOnly: false, isLast: file.head.isLast))
        return !file.head.isLast
    }

    // MARK: Callers

    /// The API that was asked, and who asked it.
    private struct Asked {
        let api: CenterAPI
        let access: Access
    }

    /// The answer to a request; who signs in has asked no API yet.
    private func reply(to request: APIRequest, _ head: HTTPRequestHead) async -> (CenterAPI.Reply, Asked?) {
        switch caller {
        case .owner(let owner): return await reply(to: request, as: .full(owner))
        // The operator's socket is no owner's, so the API is not there.
        case .operator: return (.answer(APIError.notFound.answer), nil)
        case .gate(let gate):
            let address = CallerAddress(channel.remoteAddress)
            do throws(APIError) {
                switch try await gate.admit(head, request, from: address) {
                case .known(let access):
                    // An answer for which a person is waited for comes later than a stranger is cut off.
                    connections.prove(channel)
                    try await gate.wait(for: access, clock)
                    return await reply(to: request, as: access)
                case .signsIn:
                    let (session, cookie) = try await gate.signIn(request, from: address)
                    var answer = APIAnswer(.created, ["owner": .string(session.owner.text), "id": .string(session.id)])
                    answer.headers.add(name: "set-cookie", value: cookie)
                    return (.answer(answer), nil)
                }
            } catch {
                metrics.refuse(error)
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

    // MARK: Streams

    /// Has the kernel end the connection when nothing that was sent is confirmed for 20 s.
    ///
    /// A laptop that falls asleep closes nothing, and would be the surface in front of its owner, or the app that
    /// listens, for a quarter of an hour. The comments of a stream, if nothing else, are what it does not confirm.
    /// Source: tcp(7), "TCP_USER_TIMEOUT".
    private func endWithoutPeer() async {
        // A Unix socket has no such option, and its peer is on this machine.
        try? await channel.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)), value: 20_000).get()
    }

    /// Has events written until the watcher is gone, or is known no more.
    private func stream(
        _ answers: Answers,
        _ asked: Asked,
        _ run: @escaping @Sendable (_ write: @escaping @Sendable (String) async throws -> Void) async throws -> Void
    ) async throws {
        let channel = channel
        try? await channel.pipeline.removeHandler(name: APIServer.idleHandler).get()
        let headers = APIAnswer.headers(type: "text/event-stream")
        try await answers.write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)))
        try await answers.write(.body(.byteBuffer(ByteBuffer(string: "retry: 1000\n\n"))))
        let isOver = Signal()
        channel.closeFuture.whenComplete { _ in isOver.raise() }
        await withTaskGroup(of: Void.self) { group in
            // The owner's own socket lets the owner in for good.
            if case .gate(let gate) = caller, let credential = asked.access.credential {
                group.addTask {
                    await gate.untilEnded(credential, clock)
                    channel.close(promise: nil)
                }
            }
            group.addTask {
                defer { isOver.raise() }
                do {
                    try await run { text in try await answers.write(.body(.byteBuffer(ByteBuffer(string: text)))) }
                    try await answers.write(.end(nil))
                } catch {
                    // A watcher that is behind finds the connection closed and comes back.
                    channel.close(promise: nil)
                }
            }
            await isOver.wait()
            group.cancelAll()
        }
    }
}

extension APIRequest {
    /// True if the body is a file that an app means to attach.
    fileprivate var bringsFile: Bool {
        method == .POST && path.count == 3 && path[0] == "app" && path[2] == "attachments"
    }
}

extension CenterAPI.Reply {
    /// The status of its answer; `nil` means that the answer waits for the body.
    fileprivate var status: HTTPResponseStatus? {
        switch self {
        case .answer(let answer): answer.status
        case .file(let file): file.status
        case .events, .app, .view: .ok
        case .upload: nil
        }
    }
}
