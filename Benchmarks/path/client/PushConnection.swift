// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHPACK
import NIOHTTP2

/// Frames without a channel for each stream, to take little of the CPU that the host needs.
final class PushConnection: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let load: Load
    private var context: ChannelHandlerContext?
    private var lastStream: HTTP2StreamID?
    /// The place in the round of each push that waits for its answer.
    private var places: [HTTP2StreamID: Int] = [:]

    init(load: Load) {
        self.load = load
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        load.connections.append(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        load.connections.removeAll { $0 === self }
    }

    func post(_ push: Push, at place: Int) {
        guard let context else { return }
        let stream = lastStream?.advanced(by: 2) ?? HTTP2StreamID(1)
        lastStream = stream
        places[stream] = place
        let head = HTTP2Frame(streamID: stream, payload: .headers(.init(headers: push.headers)))
        let body = HTTP2Frame(
            streamID: stream,
            payload: .data(.init(data: .byteBuffer(push.body), endStream: true))
        )
        context.write(wrapOutboundOut(head), promise: nil)
        context.write(wrapOutboundOut(body), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let answer):
            let status = answer.headers.first(name: ":status") ?? ""
            guard status == "200", let place = places.removeValue(forKey: frame.streamID) else {
                return load.fail("a push was answered with status \(status)")
            }
            load.answered(place, at: NIODeadline.now().uptimeNanoseconds)
        case .rstStream(let code): load.fail("a push was reset: \(code)")
        case .goAway: load.fail("the host says goodbye")
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        load.fail("the host closed the connection")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        load.fail("the connection failed: \(error)")
    }
}
