// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Testing

/// Heads of HTTP/1.1 that two servers might read differently.
@Suite(.timeLimit(.minutes(5)))
struct HTTP1HeadTests {
    struct Head: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var status = 400

        init(_ description: String, _ lines: String, start: String = HTTP1HeadTests.start, status: Int = 400) {
            testDescription = description
            bytes = Array((start + "\r\n" + lines + "\r\n\r\n").utf8)
            self.status = status
        }

        /// With one byte in the place of each `?`.
        init(_ description: String, _ lines: String, byte: UInt8) {
            testDescription = description
            bytes = Array((HTTP1HeadTests.start + "\r\n" + lines + "\r\n\r\n").utf8).map {
                $0 == UInt8(ascii: "?") ? byte : $0
            }
        }
    }

    static let start = "POST /3/device/\(Fixture.token) HTTP/1.1"
    private static let usual = "host: localhost\r\napns-topic: \(Fixture.topic)"

    static let refused: [Head] = [
        Head("two hosts", "host: a\r\n\(usual)\r\ncontent-length: 35"),
        Head("two hosts alike", "host: localhost\r\n\(usual)\r\ncontent-length: 35"),
        Head("no host", "apns-topic: \(Fixture.topic)\r\ncontent-length: 35"),
        Head("a host with a space", "host: a b\r\ncontent-length: 35"),
        Head("a list of hosts behind a user", "host: a@b\r\ncontent-length: 35"),
        Head("gzip, chunked", "\(usual)\r\ntransfer-encoding: gzip, chunked", status: 501),
        Head("identity, chunked", "\(usual)\r\ntransfer-encoding: identity, chunked", status: 501),
        Head("chunked twice", "\(usual)\r\ntransfer-encoding: chunked, chunked"),
        Head("two lines of codings", "\(usual)\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked"),
        Head("chunked, gzip", "\(usual)\r\ntransfer-encoding: chunked, gzip"),
        Head("gzip", "\(usual)\r\ntransfer-encoding: gzip"),
        Head("a coding with a tab inside", "\(usual)\r\ntransfer-encoding: chun\tked"),
        Head("both lengths", "\(usual)\r\ncontent-length: 35\r\ntransfer-encoding: chunked"),
        Head("both lengths the other way", "\(usual)\r\ntransfer-encoding: chunked\r\ncontent-length: 35"),
        Head("two lengths", "\(usual)\r\ncontent-length: 35\r\ncontent-length: 35"),
        Head("a list of lengths", "\(usual)\r\ncontent-length: 35, 35"),
        Head("a length with a sign", "\(usual)\r\ncontent-length: +35"),
        Head("a negative length", "\(usual)\r\ncontent-length: -1"),
        Head("a length in hex", "\(usual)\r\ncontent-length: 0x23"),
        Head("chunked of HTTP 1.0", "\(usual)\r\ntransfer-encoding: chunked", start: "POST / HTTP/1.0"),
        Head("a folded line", "\(usual)\r\nx-a: b\r\n c\r\ncontent-length: 35"),
        Head("a folded line with a tab", "\(usual)\r\nx-a: b\r\n\tc\r\ncontent-length: 35"),
        Head("space before the colon", "\(usual)\r\ncontent-length : 35"),
        Head("tab before the colon", "\(usual)\r\ncontent-length\t: 35"),
        Head("space before the name", "\(usual)\r\n content-length: 35"),
        Head("a line without a colon", "\(usual)\r\ncontent-length"),
        Head("an empty name", "\(usual)\r\n: 35"),
        Head("a bare carriage return", "\(usual)\r\nx-a: b?content-length: 35", byte: 13),
        Head("NUL in a value", "\(usual)\r\nx-a: b?c", byte: 0),
        Head("NUL in a name", "\(usual)\r\nx?a: b", byte: 0),
        Head("a byte of no ASCII in a name", "\(usual)\r\nx?a: b", byte: 0xE9),
        Head("DEL in a value", "\(usual)\r\nx-a: b?c", byte: 127),
    ]

    @Test(arguments: refused)
    func `a head that can be read in two ways is refused, and its connection ends`(_ head: Head) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(.http1, acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(head.bytes + Array(Fixture.body.utf8))
                let answer = try await client.response()
                #expect(answer.status == head.status)
                #expect(answer.headers["connection"] == "close")
                #expect(try await client.waitForEnd() == "")
            }
        }
        #expect(acceptor.pushes.isEmpty)
    }

    @Test func `what is refused behind a push leaves the push its answer`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(.http1, acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let good = client.head(of: PushRequest(), contentLength: Fixture.body.utf8.count) + Fixture.body
                let bad = "\(Self.start)\r\nhost: a\r\nhost: b\r\ncontent-length: 0\r\n\r\n"
                try await client.send(good + bad + good)
                await acceptor.waitForPushes(1)
                acceptor.release()
                #expect(try await client.response().status == 200)
                #expect(try await client.response().status == 400)
                #expect(try await client.waitForEnd() == "")
            }
        }
    }

    @Test(arguments: [
        "Host: LOCALHOST:8443", "host:", "host: [::1]:8443", "host: push.example.com", "host: xn--nxasmq6b_",
    ])
    func `any host is taken, and chunked in any case`(_ host: String) async throws {
        try await withIngress(.http1) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let chunk = String(Fixture.body.utf8.count, radix: 16) + "\r\n\(Fixture.body)\r\n0\r\n\r\n"
                let head =
                    "\(Self.start)\r\n\(host)\r\napns-topic: \(Fixture.topic)\r\nTransfer-Encoding: Chunked\r\n\r\n"
                try await client.send(head + chunk)
                #expect(try await client.response().status == 200)
            }
        }
    }

    /// Bytes that are no UTF-8: a lone continuation, Latin 1, a sequence cut short, one too long, a surrogate.
    static let notText: [[UInt8]] = [[0x80], [0xE9], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xFF, 0xFE]]

    @Test(arguments: notText)
    func `a collapse identifier that is no UTF-8 is refused`(_ bytes: [UInt8]) async throws {
        try await withIngress(.http1) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                let head = "\(Self.start)\r\n\(Self.usual)\r\ncontent-length: \(Fixture.body.utf8.count)\r\n"
                let header = Array("apns-collapse-id: a".utf8) + bytes + Array("b\r\n\r\n".utf8)
                try await client.send(Array(head.utf8) + header + Array(Fixture.body.utf8))
                let answer = try await client.response()
                #expect(answer.status == 400)
                #expect(answer.body == #"{"reason":"BadCollapseId"}"#)
            }
        }
    }

    @Test func `a collapse identifier in UTF-8 is kept as it is`() async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(.http1, acceptor: acceptor) { _, address in
            try await HTTP1Client.connect(to: address) { client in
                try await client.send(PushRequest().with("apns-collapse-id", "für 会"))
                #expect(try await client.response().status == 200)
            }
        }
        #expect(acceptor.pushes.first?.collapseID == "für 会")
    }
}
