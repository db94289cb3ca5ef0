// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore
private import NIOHTTP1
private import NIOHTTP2

extension PushConnection {
    private var limits: HTTPLimits { context.limits }

    /// Frames go to a channel for each stream; connection, GOAWAY and idleness are looked after behind them.
    func addHTTP2Handlers() throws -> (GoAwayHandler, FrameGuard) {
        let management = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(
                maxIdleTime: TimeAmount(limits.idle),
                maxAge: nil,
                maxGraceTime: nil,
                keepalive: .init(
                    pingInterval: TimeAmount(limits.keepAlive),
                    ackTimeout: TimeAmount(limits.keepAliveAnswer)
                )
            )
        )
        let connection = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let goAway = NIOLoopBound(
            GoAwayHandler(flow: flow) { connection.value.saidGoodbye($0) },
            eventLoop: channel.eventLoop
        )
        let desk = NIOLoopBound(self.desk, eventLoop: channel.eventLoop)
        let frames = FrameGuard(limit: limits.idleFramesPerHalfMinute) { connection.value.finish(.tooManyRequests) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(frames)
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server,
            connectionConfiguration: http2Connection,
            streamConfiguration: http2Stream,
            streamDelegate: management.http2StreamDelegate
        ) { stream in
            let isLate = goAway.value.hasNamedLastStream
            let isProcessed = !isLate && desk.value.streams.hasRoom
            if !isLate, !isProcessed { desk.value.noteRefusedStream() }
            let handler: any ChannelHandler =
                isProcessed ? HTTP2PushHandler(desk: desk.value) : UnprocessedStreamHandler()
            do {
                try stream.pipeline.syncOperations.addHandler(handler)
                return stream.eventLoop.makeSucceededVoidFuture()
            } catch {
                return stream.eventLoop.makeFailedFuture(error)
            }
        }
        try pipeline.addHandlers([goAway.value, management, HTTP2ConnectionHandler(desk: self.desk, frames: frames)])
        return (goAway.value, frames)
    }

    func addHTTP1Handlers() throws -> HTTP1PushHandler {
        let handler = HTTP1PushHandler(desk: desk)
        let pipeline = channel.pipeline.syncOperations
        // The handler keeps requests in their order itself: NIO's would drop what was read behind the answer that a
        // drain makes the last, and answers pipelined refusals one inside the other.
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = limits.headerListByteCount
        decoding.maxHeaderListSize = limits.headerListByteCount
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: decoding
        )
        try pipeline.addHandlers([IdleStateHandler(allTimeout: TimeAmount(limits.idle)), handler])
        return handler
    }

    private var http2Connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerListByteCount),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindowByteCount),
        ]
        configuration.targetWindowSize = limits.connectionWindowByteCount
        // What a peer still sends on a stream we reset is not its fault.
        configuration.maximumRecentlyResetStreams = limits.concurrentStreams
        return configuration
    }

    private var http2Stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.targetWindowSize = limits.streamWindowByteCount
        configuration.streamResetFrameRateLimit.maximumCount = limits.resetsPerHalfMinute
        return configuration
    }
}
