// SPDX-License-Identifier: Apache-2.0

import Glibc
import NetworkProxy
import Testing

/// The moment in which a client has gone and the proxy still has bytes of it that its host does not read.
@Suite(.timeLimit(.minutes(10))) struct UnwrittenBytesTests {
    /// Less than the proxy keeps for a side that does not read: one of the amounts fills all buffers on the way, and
    /// leaves something with the proxy.
    private static let step = 32 << 10
    private static let most = 24 << 20

    /// A host that has ended and reads nothing, and a client that has sent so much and ended.
    private struct HalfWritten {
        let peer: TestSocket
        /// The proxy has seen the client's end.
        let hasSeenEnd: Bool

        init(_ count: Int, to host: TestSocket, _ proxy: ProxyHarness) async throws {
            let before = Self.uses(proxy)
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            peer = try await host.accept()
            peer.endWriting()
            #expect(try await client.readToEnd() == "")
            let bytes = [UInt8](repeating: 1, count: count)
            let sent = try await client.write(bytes, patience: 10)
            client.endWriting()
            // Whose channel is gone has a line in the log.
            for _ in 0..<50 where Self.uses(proxy) == before { try await proxy.hasTurned() }
            hasSeenEnd = sent == count && Self.uses(proxy) > before
        }

        static func uses(_ proxy: ProxyHarness) -> Int {
            proxy.log.lines.count { $0.hasPrefix("info: network used") }
        }
    }

    private func withSlowHost(_ body: (TestSocket, ProxyHarness) async throws -> Void) async throws {
        let host = try TestSocket.listening()
        // Connections inherit it.
        var size: CInt = 4096
        setsockopt(host.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let limits = { (limits: inout NetworkProxy.Limits) in
            limits.upByteCount = 1 << 40
            limits.connectionsInAll = 1 << 20
        }
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: limits) { try await body(host, $0) }
    }

    @Test func `what a client said before its end arrives, however late`() async throws {
        try await withSlowHost { host, proxy in
            for count in stride(from: Self.step, to: Self.most, by: Self.step) {
                let half = try await HalfWritten(count, to: host, proxy)
                guard half.hasSeenEnd else { return }
                #expect(try await half.peer.readBytesToEnd().count == count)
            }
            Issue.record("the buffers on the way are larger than the test thinks")
        }
    }

    @Test func `what is still written ends with the request of its client, which has gone`() async throws {
        try await withSlowHost { host, proxy in
            proxy.proxy.requestEnded(1, worker: 1)
            var request = UInt64(1)
            for count in stride(from: Self.step, to: Self.most, by: Self.step) {
                var half: HalfWritten?
                // One whose end was not seen in time proves nothing.
                for _ in 0..<3 where half?.hasSeenEnd != true {
                    request += 1
                    proxy.proxy.requestBegan(request, worker: 1)
                    try await proxy.hasTurned()
                    half = try await HalfWritten(count, to: host, proxy)
                    proxy.proxy.requestEnded(request, worker: 1)
                    try await proxy.hasTurned()
                }
                guard let half, half.hasSeenEnd else { break }
                if try await half.peer.readBytesToEnd().count < count { return }
            }
            Issue.record("a host was written to after the end of the request")
        }
    }

    @Test func `a refused client that goes on talking is listened to`() async throws {
        try await withProxy(hosts: []) { proxy in
            let client = try proxy.connect()
            try await client.write("x\r\n\r\n")
            #expect(try await client.readToEnd() == ProxyHarness.refusal("400 Bad Request", "malformed request"))
            // More than all buffers hold; a reset in between would take the answer from a client that reads it later.
            let count = 32 << 20
            #expect(try await client.write([UInt8](repeating: 1, count: count)) == count)
        }
    }

    @Test func `a refused client that has ended is let go at once`() async throws {
        try await withProxy(hosts: []) { proxy in
            let client = try proxy.connect()
            try await client.writeAndEnd(Array("CONNECT a.example:443 HTTP/1.1\r\n\r\n".utf8))
            #expect(try await client.readToEnd() == ProxyHarness.refusal("403 Forbidden", "not in NetworkHosts"))
            #expect(try await client.isCutOff())
        }
    }
}
