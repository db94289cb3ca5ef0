// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import CenterServing

/// Connections at the port: who has a place, for how long, and who gives way.
struct ConnectionPlaceTests {
    /// Opens a connection from an address, as the server does.
    private func open(
        _ connections: APIConnections,
        from address: String = "127.0.0.1",
        isStranger: Bool = true
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        channel.connect(to: try SocketAddress(ipAddress: address, port: 1), promise: nil)
        try channel.pipeline.syncOperations.addHandler(APIConnectionEntry(connections, isStranger: isStranger))
        channel.embeddedEventLoop.run()
        return channel
    }

    private func isOpen(_ channel: EmbeddedChannel) -> Bool {
        channel.embeddedEventLoop.run()
        return channel.isActive
    }

    @Test func `a stranger has ten seconds, however often it says something`() throws {
        let channel = try open(APIConnections())
        for _ in 0..<9 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try channel.writeInbound(ByteBuffer(string: "x"))
        }
        #expect(isOpen(channel))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!isOpen(channel))
    }

    @Test func `who is known stays`() throws {
        let connections = APIConnections()
        let channel = try open(connections)
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        connections.prove(channel)
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(isOpen(channel))
        _ = try channel.finish()
        #expect(connections.count == 0)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", false), ("192.0.2.1", "192.0.2.2", true),
        ("2001:db8:1:2::1", "2001:db8:1:2:3::1", false), ("2001:db8:1:2::1", "2001:db8:1:3::1", true),
        ("::ffff:192.0.2.1", "192.0.2.1", false), ("127.0.0.1", "127.0.0.1", true), ("::1", "::1", true),
    ])
    func `an address, or sixty-four bits of one, has so many places, and this machine all`(
        first: String,
        second: String,
        isServed: Bool
    ) throws {
        let connections = APIConnections(perSource: 2)
        for _ in 0..<2 { connections.prove(try open(connections, from: first)) }
        let third = try open(connections, from: second)
        #expect(isOpen(third) == isServed)
        #expect(connections.count == (isServed ? 3 : 2))
    }

    @Test func `of one address the oldest stranger gives way, and nobody who is known`() throws {
        let connections = APIConnections(perSource: 2)
        let known = try open(connections, from: "192.0.2.1")
        connections.prove(known)
        let (second, third) = (
            try open(connections, from: "192.0.2.1"), try open(connections, from: "192.0.2.1")
        )
        #expect(isOpen(known) && !isOpen(second) && isOpen(third))
    }

    @Test func `a flood of strangers displaces itself, also from this machine`() throws {
        let connections = APIConnections(limit: 8, strangers: 4)
        let owner = try open(connections)
        connections.prove(owner)
        let guest = try open(connections, from: "198.51.100.1")
        let flood = try (0..<20).map { _ in try open(connections) }
        #expect(flood.filter(isOpen).count == 3)
        #expect(isOpen(owner) && isOpen(guest))
        #expect(connections.count == 5)
    }

    @Test func `where every place is a known caller's, a newcomer has none`() throws {
        let connections = APIConnections(limit: 2)
        let known = [try open(connections), try open(connections, from: "192.0.2.1")]
        for channel in known { connections.prove(channel) }
        let late = try open(connections, from: "192.0.2.2")
        #expect(!isOpen(late))
        #expect(known.allSatisfy(isOpen))
        _ = try known[0].finish()
        let next = try open(connections, from: "192.0.2.2")
        #expect(isOpen(next))
    }
}
