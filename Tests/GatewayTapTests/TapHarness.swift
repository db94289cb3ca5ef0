// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import GatewayTap

/// Connections of a tap without sockets, on a loop whose time the test moves.
final class TapHarness {
    static let production = ListenerPlace("127.0.0.1:8443")
    static let development = ListenerPlace("127.0.0.1:9443")

    struct NoListener: Error {}

    /// One attempt to reach a listener: it is the test that answers.
    final class Dial {
        let address: SocketAddress
        let listener: EmbeddedChannel
        private var promise: EventLoopPromise<any Channel>?

        init(_ address: SocketAddress, _ listener: EmbeddedChannel, _ promise: EventLoopPromise<any Channel>) {
            self.address = address
            self.listener = listener
            self.promise = promise
        }

        deinit { promise?.fail(NoListener()) }

        /// The listener takes the connection.
        @discardableResult
        func succeed() throws -> EmbeddedChannel {
            listener.connect(to: address, promise: nil)
            promise.take()?.succeed(listener)
            return listener
        }

        func fail(_ error: any Error) { promise.take()?.fail(error) }
    }

    let eventLoop = EmbeddedEventLoop()
    let lines = Locked<[String]>([])
    private(set) var dials: [Dial] = []
    private(set) var loop: TapLoop?

    init(
        _ listeners: [PushEnvironment: ListenerPlace?] = [.production: production, .development: development],
        connections: Int = 2
    ) throws {
        var limits = GatewayTap.Limits()
        limits.connections = connections
        limits.refusals = 1
        let eventLoop = eventLoop
        let lines = lines
        let logger = Logger(label: "tap") { _ in RecordingHandler(lines: lines) }
        loop = TapLoop(
            listeners: try listeners.compactMapValues { $0 }.mapValues(TapListener.init),
            limits: limits,
            logger: logger,
            now: { eventLoop.now },
            dialer: { [weak self] address, initializer in
                let listener = EmbeddedChannel(loop: eventLoop)
                let promise = eventLoop.makePromise(of: (any Channel).self)
                // A handler is added to a channel that is open.
                #expect(throws: Never.self) { try initializer(listener) }
                self?.dials.append(Dial(address, listener, promise))
                return promise.futureResult
            }
        )
    }

    /// A gateway that has connected and said nothing.
    func connect() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: eventLoop)
        if let loop { try channel.pipeline.syncOperations.addHandler(TapConnection(loop)) }
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 50_000), promise: nil)
        return channel
    }

    /// A gateway with a tunnel, and the channel to its listener.
    func tunnel(
        _ head: String = "CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n"
    ) throws -> (gateway: EmbeddedChannel, listener: EmbeddedChannel) {
        let gateway = try connect()
        try gateway.say(head)
        let dial = try #require(dials.last)
        return (gateway, try dial.succeed())
    }
}

extension EmbeddedChannel {
    /// Bytes that come from the other side.
    func say(_ text: String) throws {
        try writeInbound(ByteBuffer(string: text))
    }

    /// All that was written to the other side since the last call.
    func heard() throws -> String {
        var text = ""
        while let bytes = try readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}

private struct RecordingHandler: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let words = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        lines.withLock { $0.append("\(event.level): \(event.message)\(words)") }
    }
}
