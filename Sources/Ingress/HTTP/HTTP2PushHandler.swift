// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// One stream: one request and its answer.
final class HTTP2PushHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let desk: RequestDesk
    private var reader: PushRequestReader
    /// The request and its answer; `nil` means that the headers have not come.
    private var exchange: (any PushExchange)?
    /// RFC 9110, section 9.3.2: an answer to HEAD has no body.
    private var isHead = false
    private var context: ChannelHandlerContext?
    private var heldByteCount = 0
    private let start = NIODeadline.now()
    private var untakenTimer: Scheduled<Void>?

    init(desk: RequestDesk) {
        self.desk = desk
        reader = PushRequestReader(swallowedByteCount: desk.context.limits.swallowedByteCount)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        desk.streams.count(1)
        desk.context.counters.metrics.streams.add(1)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        untakenTimer?.cancel()
        untakenTimer = nil
        self.context = nil
        desk.streams.count(-1)
        desk.context.counters.metrics.streams.add(-1)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let block):
            if exchange == nil {
                proceed(readHead(block.headers, isLast: block.endStream))
            } else if block.endStream {
                proceed(reader.end())
            }
        case .data(let piece):
            guard case .byteBuffer(let bytes) = piece.data else { return }
            proceed(reader.read(bytes, isLast: piece.endStream))
        case .priority, .rstStream, .settings, .pushPromise, .ping, .goAway, .windowUpdate, .alternativeService,
            .origin:
            break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        _ = reader.timeOut()
        countHeldBytes()
        untakenTimer?.cancel()
        untakenTimer = nil
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stream the peer reset or broke: `channelInactive` follows, nobody waits for an answer.
    }

    private func readHead(_ headers: HPACKHeaders, isLast: Bool) -> PushRequestReader.Step {
        let method = headers.first(name: ":method") ?? ""
        isHead = method == "HEAD"
        var exchange = desk.begin(self, method: method, path: headers.first(name: ":path") ?? "")
        for (name, value, _) in headers where !name.hasPrefix(":") { exchange.add(name, value) }
        let verdict = exchange.judge()
        self.exchange = exchange
        return reader.read(verdict, contentLength: exchange.contentLength, isLast: isLast)
    }

    private func proceed(_ step: PushRequestReader.Step) {
        countHeldBytes()
        switch step {
        case .wait: break
        case .accept(let push): desk.accept(push, for: self)
        case .refuse(let turndown): refuse(turndown, early: false)
        case .refuseEarly(let turndown): refuse(turndown, early: true)
        }
    }

    private func countHeldBytes() {
        guard heldByteCount != reader.heldByteCount else { return }
        desk.countBody(reader.heldByteCount - heldByteCount)
        heldByteCount = reader.heldByteCount
    }
}

// MARK: Answers

extension HTTP2PushHandler: PushAnswering {
    var isComplete: Bool { reader.hasEnded }
    /// A stream has one request.
    var number: Int { 1 }

    func timeOut() {
        proceed(reader.timeOut())
    }

    func answer(_ acceptance: Acceptance?) {
        if let fault = PushFault(acceptance) { return refuse(.fault(fault), early: false) }
        guard let exchange else { return }
        write(headers(status: exchange.acceptedStatus, acceptance: acceptance), endStream: true)
        desk.noteAcceptance(of: exchange, since: start)
        context?.flush()
    }

    private func refuse(_ turndown: Turndown, early: Bool) {
        guard let context, let exchange else { return }
        let refusal = exchange.refusal(turndown)
        var headers = headers(status: refusal.status, acceptance: nil)
        refusal.addHeaders(to: &headers)
        let written = early ? promiseOfReset(context) : nil
        if isHead {
            write(headers, endStream: true, promise: written)
        } else {
            write(headers, endStream: false)
            // In one frame: clients parse each DATA frame as a whole document.
            let data = HTTP2Frame.FramePayload.Data(
                data: .byteBuffer(ByteBuffer(string: refusal.json)),
                endStream: true
            )
            context.write(wrapOutboundOut(.data(data)), promise: written)
        }
        context.flush()
        expectEnd()
        desk.noteRefusal(refusal, of: exchange, since: start)
    }

    /// A body waits for the peer's window, and holds the stream and all it has: a peer that gives none reads no
    /// answers.
    private func expectEnd() {
        guard let context else { return }
        let patience = TimeAmount(desk.context.limits.unreadAnswers)
        untakenTimer?.cancel()
        untakenTimer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { [self] in
            if self.context != nil { desk.abort() }
        }
    }

    /// RFC 9113, section 8.1: the answer is complete, the rest of the request is not wanted.
    ///
    /// Only once the answer is out, since a reset takes what waits of its stream along.
    private func promiseOfReset(_ context: ChannelHandlerContext) -> EventLoopPromise<Void> {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            self.context?.writeAndFlush(wrapOutboundOut(.rstStream(.noError)), promise: nil)
        }
        return written
    }

    private func headers(status: Int, acceptance: Acceptance?) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(6)
        headers.add(name: ":status", value: String(status))
        exchange?.addHeaders(to: &headers, acceptance: acceptance)
        return headers
    }

    private func write(_ headers: HPACKHeaders, endStream: Bool, promise: EventLoopPromise<Void>? = nil) {
        context?.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: endStream))), promise: promise)
    }
}
