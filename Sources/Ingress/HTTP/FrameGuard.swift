// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Stands between a connection's bytes and its HTTP/2 handler, and looks at the heads of frames.
///
/// Hands whole frames on: NIO's decoder keeps all it was given until a read ends where a frame ends, and a peer can see
/// to it that none does. Counts frames that no other limit counts, WINDOW_UPDATE and types nobody knows. Sees GOAWAY,
/// by which the HTTP/2 handler says that the connection has failed and not one stream only.
/// Source: RFC 9113, sections 3.4, 4.1 and 10.5.
final class FrameGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let lastKnown: UInt8 = 9
    }

    private static let headByteCount = 9
    /// The initial SETTINGS_MAX_FRAME_SIZE, which we leave as it is: a longer frame is an error as soon as it begins.
    private static let longestPayload = 1 << 14

    private var idleFrames: RateWindow
    private let flooded: () -> Void
    /// The first bytes of the preface or of a frame whose rest has not come.
    private var begun = ByteBuffer()
    private var missingPreface = 24
    private var isFlooded = false
    private var isPayloadNext = false
    /// The HTTP/2 handler has written GOAWAY.
    private(set) var hasFailed = false
    /// The highest stream whose HEADERS came.
    private(set) var lastStream: UInt32 = 0

    /// `flooded` is called once, when more than `limit` frames that ask for nothing came in 30 s.
    init(limit: Int, flooded: @escaping () -> Void) {
        idleFrames = RateWindow(limit, in: .seconds(30))
        self.flooded = flooded
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isFlooded else { return }
        var bytes = unwrapInboundIn(data)
        if begun.readableBytes > 0 {
            begun.writeBuffer(&bytes)
            swap(&begun, &bytes)
        }
        let whole = bytes.readSlice(length: wholeByteCount(bytes))
        // A copy: a slice would keep what the read brought before it.
        begun = ByteBuffer()
        if bytes.readableBytes > 0 { begun.writeBytes(bytes.readableBytesView) }
        if let whole, whole.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(whole)) }
        if isFlooded { flooded() }
    }

    /// Bytes up to the end of the last whole frame, or all when a frame begins that may not be.
    private func wholeByteCount(_ bytes: ByteBuffer) -> Int {
        guard bytes.readableBytes >= missingPreface else { return 0 }
        var end = bytes.readerIndex + missingPreface
        missingPreface = 0
        while let head = bytes.getInteger(at: end, as: UInt32.self), end + Self.headByteCount <= bytes.writerIndex {
            let length = Int(head >> 8)
            guard length <= Self.longestPayload else { return bytes.readableBytes }
            guard end + Self.headByteCount + length <= bytes.writerIndex else { break }
            end += Self.headByteCount + length
            let kind = UInt8(truncatingIfNeeded: head)
            if kind == Kind.headers { noteStream(bytes, headEnd: end - length) }
            guard kind == Kind.windowUpdate || kind > Kind.lastKnown, idleFrames.isExceeded() else { continue }
            isFlooded = true
            break
        }
        return end - bytes.readerIndex
    }

    private func noteStream(_ bytes: ByteBuffer, headEnd: Int) {
        let stream = bytes.getInteger(at: headEnd - 4, as: UInt32.self) ?? 0
        lastStream = max(lastStream, stream & 0x7fff_ffff)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isPayloadNext {
            isPayloadNext = false
        } else if case .byteBuffer(let bytes) = unwrapOutboundIn(data),
            let head = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self)
        {
            let kind = UInt8(truncatingIfNeeded: head)
            // A payload of DATA is written by itself.
            isPayloadNext = kind == Kind.data && head >> 8 > 0
            if kind == Kind.goAway { hasFailed = true }
        }
        context.write(data, promise: promise)
    }
}
