// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import CenterServing

/// Connections at the port of which nobody knows yet who they are.
struct StrangerLimitTests {
    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(StrangerLimit(), name: "stranger")
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func `a stranger has ten seconds, however often it says something`() throws {
        let channel = try channel()
        for _ in 0..<9 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(string: "x"))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `who is known stays`() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        let removal = channel.pipeline.removeHandler(name: "stranger")
        channel.embeddedEventLoop.run()
        try removal.wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        _ = try channel.finish()
    }
}
