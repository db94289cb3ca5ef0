// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2
import NIOPosix

/// One HTTP/2 connection to each host, and the readers of their records, on one event loop.
struct PushClient: Sendable {
    private let eventLoop: any EventLoop
    private let connections: [any Channel]
    private let load: NIOLoopBound<Load>

    static func connect(to hosts: [HostProcess], on eventLoop: any EventLoop) async throws -> PushClient {
        let load = try await eventLoop.submit { NIOLoopBound(Load(), eventLoop: eventLoop) }.get()
        var connections: [any Channel] = []
        for host in hosts { connections.append(try await connect(to: host, load)) }
        return PushClient(eventLoop: eventLoop, connections: connections, load: load)
    }

    private static func connect(to host: HostProcess, _ load: NIOLoopBound<Load>) async throws -> any Channel {
        let (eventLoop, port, output) = (load.eventLoop, host.port, host.output)
        let connection = try await ClientBootstrap(group: eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handlers: [any ChannelHandler] = [
                        NIOHTTP2Handler(mode: .client), PushConnection(load: load.value),
                    ]
                    try channel.pipeline.syncOperations.addHandlers(handlers)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        _ = try await NIOPipeBootstrap(group: eventLoop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 << 10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RecordReader(load: load.value))
                }
            }
            .takingOwnershipOfDescriptor(input: output).get()
        return connection
    }

    /// Posts all, at most `inFlight` of them without a record, and returns when the last record is there.
    func post(_ pushes: [Push], inFlight: Int) async throws -> Load.Run {
        try await eventLoop.flatSubmit { [load, eventLoop] in
            load.value.start(pushes, inFlight: inFlight, on: eventLoop)
        }.get()
    }

    func close() async throws {
        for connection in connections { try await connection.close().get() }
    }
}
