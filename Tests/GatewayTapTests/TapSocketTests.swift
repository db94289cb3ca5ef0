// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import Logging
import Testing

@testable import GatewayTap

/// A tap between real sockets.
@Suite(.timeLimit(.minutes(2))) struct TapSocketTests {
    private static let head = "CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n"
    private static let established = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    /// A socket that blocks, used on threads of its own.
    private struct Socket: Sendable {
        let descriptor: CInt
        let port: UInt16

        /// Listens on a port of the kernel's choice, or connects to one.
        init(to port: UInt16? = nil) throws {
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = (port ?? 0).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    guard port == nil else { return connect(descriptor, address, length) }
                    guard bind(descriptor, address, length) == 0, listen(descriptor, 8) == 0 else { return -1 }
                    return getsockname(descriptor, address, &length)
                }
            }
            try #require(status == 0)
            self.port = UInt16(bigEndian: address.sin_port)
        }

        private init(descriptor: CInt) {
            self.descriptor = descriptor
            port = 0
        }

        func accept() -> Socket { Socket(descriptor: Glibc.accept(descriptor, nil, nil)) }

        func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        func endWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

        /// Reads so many bytes, or to the end.
        func read(_ limit: Int = .max) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            while bytes.count < limit {
                let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
                guard count > 0 else { break }
                bytes += chunk[..<count]
            }
            return bytes
        }

        func close() { Glibc.close(descriptor) }
    }

    /// Runs what blocks on a thread that may.
    private func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    /// Runs a tap before a listener; `body` returns `nil` when it has not ended the tap itself.
    private func withTap(_ body: (GatewayTap, Socket) async throws -> Void?) async throws {
        let listener = try Socket()
        defer { listener.close() }
        let place = try #require(ListenerPlace("127.0.0.1:\(listener.port)"))
        let logger = Logger(label: "tap") { _ in SwiftLogNoOpLogHandler() }
        let tap = try await GatewayTap.start(port: 0, listeners: [.production: place], logger: logger)
        let ended: Void?
        do {
            ended = try await body(tap, listener)
        } catch {
            await tap.end()
            throw error
        }
        if ended == nil { await tap.end() }
    }

    @Test func `four megabytes and the end behind them go to a listener, and come back`() async throws {
        let sent = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
        try await withTap { tap, listener in
            let gateway = try Socket(to: UInt16(tap.port))
            defer { gateway.close() }
            gateway.write(Array(Self.head.utf8))
            let server = await blocking { listener.accept() }
            let answer = await blocking { gateway.read(Self.established.count) }
            #expect(answer == Self.established)
            async let written: Void = blocking {
                gateway.write(sent)
                gateway.endWriting()
            }
            let arrived = await blocking { server.read() }
            await written
            #expect(arrived == sent)
            async let echoed: Void = blocking {
                server.write(arrived)
                server.close()
            }
            let returned = await blocking { gateway.read() }
            await echoed
            #expect(returned == sent)
            return nil
        }
    }

    @Test func `the end of the tap ends a tunnel at both sides`() async throws {
        try await withTap { tap, listener in
            let gateway = try Socket(to: UInt16(tap.port))
            defer { gateway.close() }
            gateway.write(Array(Self.head.utf8))
            let server = await blocking { listener.accept() }
            defer { server.close() }
            let answer = await blocking { gateway.read(Self.established.count) }
            #expect(answer == Self.established)
            async let left = blocking { (gateway.read(), server.read()) }
            await tap.end()
            let (atGateway, atServer) = await left
            #expect(atGateway.isEmpty && atServer.isEmpty)
            return ()
        }
    }
}
