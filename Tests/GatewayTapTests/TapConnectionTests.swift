// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Locking
import NIOCore
import NIOEmbedded
import Testing

@testable import GatewayTap

/// A connection of a gateway from its first byte to its end, without sockets.
struct TapConnectionTests {
    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"
    private static let head = "CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: api.push.apple.com:443\r\n\r\n"

    @Test func `the name asked for chooses the listener`() throws {
        let tap = try TapHarness(connections: 3)
        for name in ["api.push.apple.com:2197", "api.sandbox.push.apple.com:443", "api.development.push.apple.com:443"]
        {
            try tap.connect().say("CONNECT \(name) HTTP/1.1\r\n\r\n")
        }
        #expect(tap.dials.map(\.address.port) == [8443, 9443, 9443])
        #expect(tap.lines.withLock { $0 } == [])
    }

    @Test func `bytes go both ways, those behind the head first`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(Self.head + "hello")
        #expect(try gateway.heard() == "")
        let listener = try #require(tap.dials.first).succeed()
        #expect(try gateway.heard() == Self.established)
        #expect(try listener.heard() == "hello")
        try listener.say("server")
        try gateway.say("client")
        #expect(try gateway.heard() == "server")
        #expect(try listener.heard() == "client")
        #expect(
            tap.lines.withLock { $0 } == [
                "debug: tunnel opened tap.environment=production tap.listener=127.0.0.1:8443"
            ]
        )
    }

    @Test func `what comes while the listener is dialed arrives, and so does the end behind it`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(Self.head + "a")
        try gateway.say("b")
        gateway.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        try gateway.say("c")
        let listener = try #require(tap.dials.first).succeed()
        #expect(try listener.heard() == "abc")
        // A channel without a socket ends as a whole where its output ends.
        #expect(!listener.isActive)
    }

    @Test func `more than a first flight of TLS before the listener answers ends the connection`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(Self.head + String(repeating: "a", count: 64 << 10))
        #expect(gateway.isActive)
        try gateway.say("a")
        #expect(!gateway.isActive)
    }

    @Test func `a dial whose gateway has gone keeps its place until it ends`() throws {
        let tap = try TapHarness(connections: 1)
        let gateway = try tap.connect()
        try gateway.say(Self.head)
        _ = gateway.close()
        tap.eventLoop.run()
        let refused = try tap.connect()
        #expect(try refused.heard().hasPrefix("HTTP/1.1 503 "))
        tap.eventLoop.run()
        try #require(tap.dials.first).fail(IOError(errnoCode: ETIMEDOUT, reason: "connect"))
        let next = try tap.connect()
        try next.say(Self.head)
        #expect(tap.dials.count == 2)
    }

    @Test func `a head may come byte by byte`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        for byte in Self.head.utf8 { try gateway.writeInbound(ByteBuffer(bytes: [byte])) }
        try #require(tap.dials.first).succeed()
        #expect(try gateway.heard() == Self.established)
    }

    @Test func `either end that is broken ends the other`() throws {
        for closesGateway in [true, false] {
            let tap = try TapHarness()
            let (gateway, listener) = try tap.tunnel()
            _ = (closesGateway ? gateway : listener).close()
            #expect(!gateway.isActive)
            #expect(!listener.isActive)
        }
    }

    @Test func `the end of the tap is that of every connection`() throws {
        let tap = try TapHarness()
        let (gateway, listener) = try tap.tunnel()
        let silent = try tap.connect()
        tap.loop?.closeAll()
        #expect([gateway, listener, silent].allSatisfy { !$0.isActive })
    }

    @Test func `a gateway that has gone while its listener was dialed leaves no connection`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(Self.head)
        _ = gateway.close()
        let listener = try #require(tap.dials.first).succeed()
        #expect(!listener.isActive)
    }

    @Test func `a listener that does not answer is said to the gateway, and in the log`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(Self.head)
        try #require(tap.dials.first).fail(IOError(errnoCode: ECONNREFUSED, reason: "connect"))
        let answer = try gateway.heard()
        #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        let message = "no listener answers on 127.0.0.1:8443: Connection refused"
        #expect(answer.hasSuffix("\r\n\r\nextension-host tap: \(message)\n"))
        #expect(tap.lines.withLock { $0 } == ["warning: tunnel refused tap.reason=\(message)"])
    }

    @Test func `an environment without a listener is refused`() throws {
        let tap = try TapHarness([.production: TapHarness.production])
        let gateway = try tap.connect()
        try gateway.say("CONNECT api.sandbox.push.apple.com:443 HTTP/1.1\r\n\r\n")
        #expect(try gateway.heard().hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(tap.dials.isEmpty)
    }

    @Test func `a head without an end is refused at its limit`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say(String(repeating: "a", count: TapRequest.limit - 1))
        #expect(try gateway.heard() == "")
        try gateway.say("a")
        #expect(try gateway.heard().hasPrefix("HTTP/1.1 431 "))
    }

    @Test func `a client that says nothing is gone after ten seconds`() throws {
        let tap = try TapHarness()
        let gateway = try tap.connect()
        try gateway.say("CONNECT")
        tap.eventLoop.advanceTime(by: .nanoseconds(TimeAmount.seconds(10).nanoseconds - 1))
        #expect(gateway.isActive)
        tap.eventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!gateway.isActive)
    }

    @Test func `a tunnel has no such limit`() throws {
        let tap = try TapHarness()
        let (gateway, listener) = try tap.tunnel()
        tap.eventLoop.advanceTime(by: .hours(24))
        #expect(gateway.isActive)
        #expect(listener.isActive)
    }

    @Test func `a place that is given back serves the next one`() throws {
        let tap = try TapHarness(connections: 1)
        let (gateway, _) = try tap.tunnel()
        let refused = try tap.connect()
        #expect(try refused.heard().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        // Beyond those that hear it, connections just end.
        let third = try tap.connect()
        #expect(try third.heard() == "")
        #expect(!third.isActive)
        _ = gateway.close()
        // Channels without sockets tell of their end when the loop goes on.
        tap.eventLoop.run()
        let next = try tap.tunnel()
        #expect(next.gateway.isActive)
    }

    @Test func `refusals have a line a second, with the number of the others`() throws {
        let tap = try TapHarness(connections: 100)
        let line =
            "warning: tunnel refused tap.reason=example.com:443 is none of Apple's push servers, and the tap leads nowhere else"
        for _ in 0..<4 { try tap.connect().say("CONNECT example.com:443 HTTP/1.1\r\n\r\n") }
        #expect(tap.lines.withLock { $0 } == [line])
        tap.eventLoop.advanceTime(by: .seconds(1))
        try tap.connect().say("CONNECT example.com:443 HTTP/1.1\r\n\r\n")
        #expect(tap.lines.withLock { $0 } == [line, line.replacing("refused ", with: "refused tap.others=3 ")])
    }
}
