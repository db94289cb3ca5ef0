// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore
internal import NIOHTTP1

/// One HTTP/1.1 connection: requests come one after the other, the next when the last was answered.
///
/// Requests that a client sends ahead of its answers wait here, and while any waits nothing more is read.
final class HTTP1PushHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: RequestDesk
    /// Follows the request that is under way; `nil` means that none is.
    private var reader: PushRequestReader?
    private var exchange: (any PushExchange)?
    /// RFC 9110, section 9.3.2: an answer to HEAD has no body.
    private var isHead = false
    private(set) var number = 0
    private var keepsAlive = true
    /// The request that `reader` follows has come to its end.
    private var isWhole = false
    private var waiting = PipelinedRequests()
    private var isAdvancing = false
    private var isResponding = false
    private var hasHeldRead = false
    /// True once the peer has sent bytes that are no HTTP; the requests before them are answered first.
    private var hasFailed = false
    private var isDraining = false
    /// True once the push has come that a drain takes as the connection's last.
    private var lastIsTaken = false
    private var isClosing = false
    private var heldByteCount = 0
    private var start = NIODeadline.now()
    private var context: ChannelHandlerContext?

    init(desk: RequestDesk) {
        self.desk = desk
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    private var awaitsAnswer: Bool { reader != nil && isWhole }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let part = unwrapInboundIn(data)
        // An answer that cannot be written lets NIO read on from within.
        if awaitsAnswer || isAdvancing || isResponding { waiting.append(part) } else { take(part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        desk.readComplete()
    }

    func read(context: ChannelHandlerContext) {
        if awaitsAnswer, !isClosing { hasHeldRead = true } else { context.read() }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head):
            if let status = HTTP1HeadCheck.refusal(of: head) { refuseGarbage(status) } else { proceed(read(head)) }
        case .body(let bytes): if let step = reader?.read(bytes, isLast: false) { proceed(step) }
        case .end:
            isWhole = true
            if let step = reader?.end() { proceed(step) }
        }
    }

    /// Goes on with what came while an answer was missing; a loop, however many requests there are.
    private func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        var hasTaken = false
        while !awaitsAnswer, !isClosing, let part = waiting.popFirst() {
            hasTaken = true
            take(part)
        }
        isAdvancing = false
        if hasTaken { desk.readComplete() }
        guard !awaitsAnswer, !isClosing else { return }
        if hasFailed { return refuseGarbage() }
        guard hasHeldRead else { return }
        hasHeldRead = false
        context?.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        reader = nil
        waiting = PipelinedRequests()
        countHeldBytes()
        self.context = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent, reader == nil { close() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return close() }
        guard !hasFailed else { return }
        hasFailed = true
        // Those before it are answered first.
        if !awaitsAnswer { refuseGarbage() }
    }

    /// The push at work is the last one, or else the next that comes, and its answer says so.
    ///
    /// HTTP/1.1 has no GOAWAY: a connection that is closed between two requests leaves its client in doubt about the
    /// one that was on its way, so a drain gives that one time to arrive and takes it.
    func beginLastRequest() {
        guard !isDraining else { return }
        isDraining = true
        lastIsTaken = awaitsAnswer
    }

    /// Takes the push that has begun to come, answers what is at work, refuses what was read behind it, and closes.
    func drain() {
        beginLastRequest()
        if reader == nil { close() }
    }

    private func accept(_ push: IncomingPush) {
        guard !lastIsTaken else { return refuse(.fault(.drained)) }
        lastIsTaken = isDraining
        desk.accept(push, for: self)
    }

    private func read(_ head: HTTPRequestHead) -> PushRequestReader.Step {
        start = .now()
        var exchange = desk.begin(self, method: head.method.rawValue, path: head.uri)
        for (name, value) in head.headers { exchange.add(name.lowercased(), value) }
        number += 1
        isWhole = false
        isHead = head.method == .HEAD
        // NIO reads no further request behind one that would change the protocol.
        keepsAlive = head.isKeepAlive && head.method != .CONNECT && !head.headers.contains(name: "upgrade")
        var reader = PushRequestReader(swallowedByteCount: desk.context.limits.swallowedByteCount)
        let verdict = exchange.judge()
        let step = reader.read(verdict, contentLength: exchange.contentLength, isLast: false)
        self.exchange = exchange
        self.reader = reader
        if case .wait = step, head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            context?.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
                promise: nil
            )
        }
        return step
    }

    private func proceed(_ step: PushRequestReader.Step) {
        countHeldBytes()
        switch step {
        case .wait: break
        case .accept(let push): accept(push)
        case .refuse(let turndown): refuse(turndown)
        case .refuseEarly(let turndown):
            keepsAlive = false
            refuse(turndown)
        }
    }

    private func countHeldBytes() {
        let held = reader?.heldByteCount ?? 0
        guard held != heldByteCount else { return }
        desk.countBody(held - heldByteCount)
        heldByteCount = held
    }

    private func refuseGarbage(_ status: HTTPResponseStatus = .badRequest) {
        guard !isClosing, let context else { return }
        let headers: HTTPHeaders = ["connection": "close", "content-length": "0"]
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        reader = nil
        countHeldBytes()
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        close()
    }

    private func close() {
        guard !isClosing, let context else { return }
        isClosing = true
        context.close(promise: nil)
        // A connection that closes reads on, until its peer closes too.
        if hasHeldRead { context.read() }
    }
}

// MARK: Answers

extension HTTP1PushHandler: PushAnswering {
    var isComplete: Bool { reader?.hasEnded ?? true }

    func timeOut() {
        if let step = reader?.timeOut() { proceed(step) }
    }

    func answer(_ acceptance: Acceptance?) {
        if let fault = PushFault(acceptance) { return refuse(.fault(fault)) }
        guard let exchange else { return }
        var headers: HTTPHeaders = ["content-length": "0"]
        exchange.addHeaders(to: &headers, acceptance: acceptance)
        respond(exchange.acceptedStatus, headers: headers, body: nil)
        desk.noteAcceptance(of: exchange, since: start)
    }

    private func refuse(_ turndown: Turndown) {
        guard let exchange else { return }
        let refusal = exchange.refusal(turndown)
        var headers = HTTPHeaders()
        refusal.addHeaders(to: &headers)
        exchange.addHeaders(to: &headers, acceptance: nil)
        respond(refusal.status, headers: headers, body: refusal.json)
        desk.noteRefusal(refusal, of: exchange, since: start)
    }

    private func respond(_ status: Int, headers: HTTPHeaders, body: String?) {
        guard let context, reader != nil else { return }
        reader = nil
        isResponding = true
        // The answer that says so is the last: behind it the client looks for none.
        let closes = !keepsAlive || (isDraining && !waiting.hasWholeRequest)
        let status = HTTPResponseStatus(statusCode: status)
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        if closes { head.headers.add(name: "connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body, !isHead {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        isResponding = false
        if closes { close() } else { advance() }
    }
}
