// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import NetworkProxy
import TestClock
import Testing

/// An app with the network takes nothing of another app's share.
@Suite(.timeLimit(.minutes(10))) struct FairnessTests {
    private static let apps = ["com.example.chat", "com.example.mail", "com.example.news"]
    private static let noneLeft = ProxyHarness.refusal(
        "503 Service Unavailable",
        "all connections are taken, this app's share too"
    )

    /// A tunnel of an app, whose both ends are open.
    private struct Tunnel {
        let client: TestSocket
        let peer: TestSocket

        init(through port: UInt16, to host: TestSocket) async throws {
            client = try TestSocket.connected(to: port)
            try await client.write("CONNECT 127.0.0.1:\(host.port) HTTP/1.1\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n") == ProxyHarness.established)
            peer = try await host.accept()
        }

        func carry() async throws {
            try await client.write("still here\n")
            #expect(try await peer.read(until: "\n") == "still here\n")
        }

        func hasEnded() async throws {
            #expect(try await client.readToEnd() == "")
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test func `two apps that take all there is give a third its share at once`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], apps: Self.apps, limits: { $0.sockets = 12 }) { proxy in
            let (mail, news) = (try proxy.open(2, of: Self.apps[1]), try proxy.open(3, of: Self.apps[2]))
            var chats: [Tunnel] = []
            var mails: [Tunnel] = []
            for _ in 0..<3 {
                chats.append(try await Tunnel(through: proxy.port, to: host))
                mails.append(try await Tunnel(through: mail.port, to: host))
            }
            // Not the oldest: the one that has been silent for longest.
            try await chats[0].carry()
            let first = try await Tunnel(through: news.port, to: host)
            try await chats[1].hasEnded()
            let second = try await Tunnel(through: news.port, to: host)
            try await mails[0].hasEnded()
            for tunnel in [chats[0], chats[2], mails[1], mails[2], first, second] { try await tunnel.carry() }
            await proxy.proxy.end()
            #expect(proxy.log.lines.count { $0.hasPrefix("info: network taken back") } == 2)
        }
    }

    @Test func `what an app borrows ends where the others' shares are in use, and waits for what is free again`()
        async throws
    {
        let host = try TestSocket.listening()
        let hosts = ["127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, apps: Array(Self.apps.prefix(2)), limits: { $0.sockets = 8 }) { proxy in
            var tunnels: [Tunnel] = []
            for _ in 0..<3 { tunnels.append(try await Tunnel(through: proxy.port, to: host)) }
            let silent = try proxy.connect()
            let answer = try await proxy.answer(to: "CONNECT \(hosts[0]) HTTP/1.1\r\n\r\n")
            #expect(answer == Self.noneLeft)

            let last = try proxy.connect()
            let waiting = try proxy.connect()
            try await waiting.write("x\r\n\r\n")
            for _ in 0..<2 { try await tunnels[1].carry() }
            #expect(!waiting.hasVisitor)
            tunnels[0].client.endWriting()
            tunnels[0].peer.endWriting()
            try await tunnels[0].hasEnded()
            #expect(try await waiting.readToEnd() == ProxyHarness.refusal("400 Bad Request", "malformed request"))
            withExtendedLifetime((silent, last)) {}
        }
    }

    @Test func `files give way as connections do`() async throws {
        let host = try TestSocket.listening()
        let hosts = ["127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, apps: Array(Self.apps.prefix(2)), limits: { $0.sockets = 8 }) { proxy in
            let mail = try proxy.open(2, of: Self.apps[1])
            try await withThrowingTaskGroup(of: AttachmentRefusal?.self) { group in
                var servers: [TestSocket] = []
                for index in 0..<8 {
                    group.addTask { await fetch(index, from: host, proxy) }
                    // None of them says a word of its handshake.
                    servers.append(try await host.accept())
                }
                let tunnel = try await Tunnel(through: mail.port, to: host)
                for _ in 0..<2 { #expect(try await group.next() == .notFetched) }
                for server in servers.prefix(2) { _ = try await server.readToEnd() }
                try await tunnel.carry()
                proxy.clock.advance(to: .seconds(60))
                for _ in 0..<6 { #expect(try await group.next() == .outOfTime) }
            }
        }
    }

    @Test func `so many files of an app are fetched at once, and the next waits`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], limits: { $0.files = 2 }) { proxy in
            try await withThrowingTaskGroup(of: AttachmentRefusal?.self) { group in
                for index in 0..<3 { group.addTask { await fetch(index, from: host, proxy) } }
                var servers = [try await host.accept(), try await host.accept()]
                for _ in 0..<5 { try await proxy.hasTurned() }
                #expect(!host.hasVisitor)
                // The end of one is the turn of the third.
                servers.removeFirst()
                #expect(try await group.next() == .notFetched)
                servers.append(try await host.accept())
                servers = []
                for _ in 0..<2 { #expect(try await group.next() == .notFetched) }
            }
        }
    }

    /// Fetches a file from a host; returns the reason for which none came, or `nil` if it came.
    private func fetch(_ index: Int, from host: TestSocket, _ proxy: ProxyHarness) async -> AttachmentRefusal? {
        let file = SealedFile(
            identifier: "\(index)",
            url: "https://127.0.0.1:\(host.port)/\(index)",
            type: nil,
            name: nil,
            byteCount: 1,
            sealedByteCount: 50,
            number: .init(payload: 1, index: index)
        )
        do throws(AttachmentRefusal) {
            _ = try await proxy.proxy.fetch(
                file,
                for: Self.apps[0],
                into: { HeldFile(open("/dev/null", O_WRONLY | O_CLOEXEC)) },
                deadline: .seconds(60)
            )
            return nil
        } catch {
            return error
        }
    }
}
