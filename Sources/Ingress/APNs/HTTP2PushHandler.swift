// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// One stream: one request and its answer.
final class HTTP2PushHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: APNsConnection
    private var reader: PushRequestReader
    private var answerID = ""
    /// RFC 9110, section 9.3.2: an answer to HEAD has no body.
    private var isHead = false
    private var context: ChannelHandlerContext?
    private var heldByteCount = 0

    init(connection: APNsConnection) {
        self.connection = connection
        reader = PushRequestReader(swallowedByteCount: connection.listener.limits.swallowedByteCount)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let block):
            if answerID.isEmpty {
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
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stream the peer reset or broke: `channelInactive` follows, nobody waits for an answer.
    }

    private func readHead(_ headers: HPACKHeaders, isLast: Bool) -> PushRequestReader.Step {
        var request = ProviderRequest(method: "", path: "")
        for (name, value, _) in headers {
            switch name {
            case ":method":
                request.method = value
                isHead = value == "HEAD"
            case ":path": request.path = value
            default: request.add(name, value)
            }
        }
        answerID = request.repeatableID ?? connection.listener.messageIDs.next()
        if !isLast { connection.awaitEnd(of: self) }
        let head = connection.judge(request, answerID: answerID)
        return reader.read(head, contentLength: request.contentLength, isLast: isLast)
    }

    private func proceed(_ step: PushRequestReader.Step) {
        countHeldBytes()
        switch step {
        case .wait: break
        case .accept(let push): connection.accept(push, for: self)
        case .refuse(let refusal): refuse(refusal, early: false)
        case .refuseEarly(let refusal): refuse(refusal, early: true)
        }
    }

    private func countHeldBytes() {
        guard heldByteCount != reader.heldByteCount else { return }
        connection.listener.hold(reader.heldByteCount - heldByteCount)
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
        guard let refusal = Refusal(acceptance) else {
            write(headers(status: "200"), endStream: true)
            context?.flush()
            return
        }
        refuse(refusal, early: false)
    }

    private func refuse(_ refusal: Refusal, early: Bool) {
        guard let context else { return }
        let body = refusal.json
        var headers = headers(status: String(refusal.status))
        headers.add(name: "content-type", value: "application/json")
        headers.add(name: "content-length", value: String(body.utf8.count))
        if let seconds = refusal.retryAfter { headers.add(name: "retry-after", value: String(seconds)) }
        write(headers, endStream: isHead)
        if isHead {
            context.flush()
        } else {
            // In one frame: clients parse each DATA frame as a whole document.
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(ByteBuffer(string: body)), endStream: true)
            context.writeAndFlush(wrapOutboundOut(.data(data)), promise: early ? promiseOfReset(context) : nil)
        }
        connection.noteRefusal(refusal.reason, id: answerID)
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

    private func headers(status: String) -> HPACKHeaders {
        var headers = HPACKHeaders()
        headers.reserveCapacity(6)
        headers.add(name: ":status", value: status)
        headers.add(name: "apns-id", value: answerID, indexing: .nonIndexable)
        if connection.listener.configuration.environment == .development {
            let unique = connection.listener.messageIDs.next()
            headers.add(name: "apns-unique-id", value: unique, indexing: .nonIndexable)
        }
        return headers
    }

    private func write(_ headers: HPACKHeaders, endStream: Bool) {
        context?.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: endStream))), promise: nil)
    }
}
