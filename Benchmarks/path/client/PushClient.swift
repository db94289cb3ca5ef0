// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP2
import NIOPosix

/// One HTTP/2 connection to a host, and the reader of its records, on one event loop.
struct PushClient: Sendable {
    private let connection: any Channel
    private let records: any Channel
    private let load: NIOLoopBound<Load>

    static func connect(to host: HostProcess, on eventLoop: any EventLoop) async throws -> PushClient {
        let (port, output) = (host.port, host.output)
        let load = try await eventLoop.submit { NIOLoopBound(Load(), eventLoop: eventLoop) }.get()
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
        let records = try await NIOPipeBootstrap(group: eventLoop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 << 10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RecordReader(load: load.value))
                }
            }
            .takingOwnershipOfDescriptor(input: output).get()
        return PushClient(connection: connection, records: records, load: load)
    }

    /// Posts all, at most `inFlight` of them without a record, and returns when the last record is there.
    func post(_ pushes: [Push], inFlight: Int) async throws -> Load.Run {
        let eventLoop = connection.eventLoop
        return try await eventLoop.flatSubmit { [load] in
            load.value.start(pushes, inFlight: inFlight, on: eventLoop)
        }.get()
    }

    func close() async throws {
        try await connection.close().get()
    }
}
