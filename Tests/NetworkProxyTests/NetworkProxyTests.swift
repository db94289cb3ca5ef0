// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import NetworkProxy
import Testing

/// The connections that an extension gets through the proxy, and those that it does not get.
@Suite(.timeLimit(.minutes(10))) struct NetworkProxyTests {
    private func connect(_ host: String) -> String { "CONNECT \(host) HTTP/1.1\r\n\r\n" }

    // MARK: What is granted

    @Test func `a tunnel carries bytes both ways and ends each way on its own`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            // What follows the head at once belongs to the host.
            try await client.write(connect("127.0.0.1:\(host.port)") + "early ")
            #expect(try await client.read(until: "\r\n\r\n") == ProxyHarness.established)
            let peer = try await host.accept()
            try await client.write("late")
            client.endWriting()
            #expect(try await peer.readToEnd() == "early late")
            try await peer.write("answer")
            peer.endWriting()
            #expect(try await client.readToEnd() == "answer")
        }
    }

    @Test func `the host may end first`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            try await peer.write("bye")
            peer.endWriting()
            #expect(try await client.readToEnd() == "bye")
            try await client.write("last words")
            client.endWriting()
            #expect(try await peer.readToEnd() == "last words")
        }
    }

    @Test func `a client that ends with its head still gets a tunnel`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write(connect("127.0.0.1:\(host.port)") + "all of it")
            client.endWriting()
            let peer = try await host.accept()
            #expect(try await peer.readToEnd() == "all of it")
            try await peer.write("answer")
            peer.endWriting()
            #expect(try await client.readToEnd() == ProxyHarness.established + "answer")
        }
    }

    @Test func `a client that ends while its host is looked up still gets a tunnel`() async throws {
        let host = try TestSocket.listening()
        let resolver = SilentResolver()
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            let client = try proxy.connect()
            try await client.write(connect(hosts[0]) + "all of it")
            client.endWriting()
            await resolver.wasAsked.wait()
            try await proxy.hasTurned()
            resolver.answer(["127.0.0.1"])
            let peer = try await host.accept()
            #expect(try await peer.readToEnd() == "all of it")
            try await peer.write("answer")
            peer.endWriting()
            #expect(try await client.readToEnd() == ProxyHarness.established + "answer")
        }
    }

    @Test func `a fetch is one request and one answer`() async throws {
        let host = try TestSocket.listening()
        let resolver = FakeResolver(["media.example.com": ["127.0.0.1"]])
        let hosts = ["http://media.example.com:\(host.port)", "http://127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            let client = try proxy.connect()
            try await client.write(
                "GET http://Media.Example.com.:\(host.port)/a?b HTTP/1.1\r\nHost: evil\r\nConnection: keep-alive\r\n\r\n"
            )
            let peer = try await host.accept()
            #expect(
                try await peer.read(until: "\r\n\r\n")
                    == "GET /a?b HTTP/1.1\r\nHost: media.example.com:\(host.port)\r\nConnection: close\r\n\r\n"
            )
            try await peer.write("HTTP/1.1 200 OK\r\n\r\nhello")
            peer.endWriting()
            #expect(try await client.readToEnd() == "HTTP/1.1 200 OK\r\n\r\nhello")
            #expect(resolver.asked == ["media.example.com"])
        }
    }

    @Test func `a client that ends with its fetch keeps no connection to the host`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write("GET http://127.0.0.1:\(host.port)/ HTTP/1.1\r\n\r\n")
            client.endWriting()
            let peer = try await host.accept()
            _ = try await peer.read(until: "\r\n\r\n")
            try await peer.write("answer")
            peer.endWriting()
            #expect(try await client.readToEnd() == "answer")
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test func `a host is not told that the client of a fetch has said all`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write("GET http://127.0.0.1:\(host.port)/ HTTP/1.1\r\n\r\n")
            let peer = try await host.accept()
            _ = try await peer.read(until: "\r\n\r\n")
            client.endWriting()
            try await proxy.hasTurned()
            // Many servers take it for a client that has gone.
            #expect(!peer.hasVisitor)
            try await peer.writeAndEnd(Array("answer".utf8))
            #expect(try await client.readToEnd() == "answer")
        }
    }

    @Test func `a host that has answered a fetch is let go, whatever the client does`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write("GET http://127.0.0.1:\(host.port)/ HTTP/1.1\r\n\r\n")
            let peer = try await host.accept()
            _ = try await peer.read(until: "\r\n\r\n")
            try await peer.writeAndEnd(Array("answer".utf8))
            #expect(try await client.readToEnd() == "answer")
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test(arguments: [true, false])
    func `what is under way arrives, whoever ends first`(hostEndsFirst: Bool) async throws {
        let host = try TestSocket.listening()
        let hosts = ["127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, limits: { $0.upByteCount = 64 << 20 }) { proxy in
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            let peer = try await host.accept()
            let (first, second) = hostEndsFirst ? (peer, client) : (client, peer)
            first.endWriting()
            #expect(try await second.readToEnd() == "")
            // As much as fits before the reader begins: every buffer on the way is full.
            let sent = try await second.write([UInt8](repeating: 1, count: 48 << 20), patience: 1)
            second.endWriting()
            // The end is heard while the proxy still has bytes that came before it.
            try await proxy.hasTurned()
            #expect(try await first.readBytesToEnd().count == sent)
        }
    }

    @Test func `a second request on a connection reaches nobody`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write("GET http://127.0.0.1:\(host.port)/ HTTP/1.1\r\n\r\n")
            let peer = try await host.accept()
            _ = try await peer.read(until: "\r\n\r\n")
            try await client.write("GET http://evil.example/ HTTP/1.1\r\n\r\n")
            #expect(try await peer.readToEnd() == "")
        }
    }

    @Test(arguments: ["GET http://evil.example/ HTTP/1.1\r\n\r\n", "x"])
    func `a request with something behind it is refused before anybody is reached`(surplus: String) async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let head = "GET http://127.0.0.1:\(host.port)/ HTTP/1.1\r\n\r\n"
            let answer = try await proxy.answer(to: head + surplus)
            #expect(answer == ProxyHarness.refusal("400 Bad Request", "malformed request"))
            #expect(!host.hasVisitor)
        }
    }

    @Test func `a name is looked up once, and what was checked is what is connected to`() async throws {
        let host = try TestSocket.listening()
        // The second answer would be the attacker's.
        let resolver = FakeResolver(["a.example": [["127.0.0.1"], ["127.0.0.2"]]])
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            _ = try await proxy.tunnel(to: "a.example:\(host.port)")
            _ = try await host.accept()
            #expect(resolver.asked == ["a.example"])
        }
    }

    // MARK: What is refused

    @Test(arguments: [
        ("b.example:443", "not in NetworkHosts"), ("a.example:444", "not in NetworkHosts"),
        ("x.a.example:443", "not in NetworkHosts"), ("127.0.0.1:443", "not in NetworkHosts"),
        ("8.8.8.8:443", "not in NetworkHosts"), ("[::1]:443", "not in NetworkHosts"),
        ("localhost:443", "not in NetworkHosts"), ("0x7f.1:443", "neither a name nor an address"),
        ("2130706433:443", "neither a name nor an address"), ("127.1:443", "neither a name nor an address"),
        ("a.example..:443", "neither a name nor an address"),
    ])
    func `what is not listed is refused without a look-up`(host: String, reason: String) async throws {
        let resolver = FakeResolver(["b.example": ["127.0.0.1"]])
        try await withProxy(hosts: ["a.example", "http://c.example"], resolver: resolver) { proxy in
            let answer = try await proxy.answer(to: connect(host))
            #expect(answer == ProxyHarness.refusal("403 Forbidden", reason))
            #expect(resolver.asked.isEmpty)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "loopback"), ("10.1.2.3", "private"), ("172.20.0.1", "private"), ("192.168.1.1", "private"),
        ("100.64.0.1", "shared"), ("169.254.169.254", "link-local"), ("0.0.0.0", "unspecified"),
        ("224.0.0.1", "multicast"), ("255.255.255.255", "broadcast"), ("240.0.0.1", "reserved"), ("::", "unspecified"),
        ("::1", "loopback"), ("fe80::1", "link-local"), ("fd00::1", "unique-local"), ("fec0::1", "private"),
        ("ff02::1", "multicast"), ("::ffff:127.0.0.1", "IPv4-mapped"), ("::127.0.0.1", "reserved"),
        ("64:ff9b::7f00:1", "NAT64"), ("2002:7f00:1::1", "6to4"), ("2001::1", "teredo"),
    ])
    func `a listed name that leads there is refused`(address: String, kind: String) async throws {
        let resolver = FakeResolver(["a.example": [address]])
        try await withProxy(hosts: ["a.example"], resolver: resolver) { proxy in
            let refusal = ProxyHarness.refusal("403 Forbidden", "\(kind) address, not in NetworkHosts")
            let answer = try await proxy.answer(to: connect("a.example:443"))
            #expect(answer == refusal)
        }
    }

    @Test func `a listed name that leads to the host itself is refused`() async throws {
        let resolver = FakeResolver(["a.example": ["8.8.8.8"]])
        try await withProxy(hosts: ["a.example"], resolver: resolver, ownAddresses: ["8.8.8.8"]) { proxy in
            let answer = try await proxy.answer(to: connect("a.example:443"))
            #expect(answer == ProxyHarness.refusal("403 Forbidden", "host's own address, not in NetworkHosts"))
        }
    }

    @Test func `of a name's addresses only those that may be reached are tried`() async throws {
        let host = try TestSocket.listening()
        let forbidden = try TestSocket.listening(on: "127.0.0.2", port: host.port)
        let resolver = FakeResolver(["a.example": ["127.0.0.2", "127.0.0.1"]])
        let hosts = ["a.example:\(host.port)", "127.0.0.1:\(host.port)"]
        try await withProxy(hosts: hosts, resolver: resolver) { proxy in
            _ = try await proxy.tunnel(to: "a.example:\(host.port)")
            _ = try await host.accept()
            #expect(!forbidden.hasVisitor)
        }
    }

    @Test(arguments: [
        ("POST http://a.example/ HTTP/1.1\r\n\r\n", "403 Forbidden", "only CONNECT, and GET or HEAD of http addresses"),
        ("GET http://a.example/ HTTP/1.1\r\n\r\n", "403 Forbidden", "not in NetworkHosts"),
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "400 Bad Request", "malformed request"),
        (
            "GET http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request",
            "malformed request"
        ),
        (String(repeating: "x", count: 8192), "431 Request Header Fields Too Large", "request head too large"),
        ("CONNECT gone.example:443 HTTP/1.1\r\n\r\n", "502 Bad Gateway", "the name has no address"),
    ])
    func `the answer says why`(head: String, status: String, reason: String) async throws {
        try await withProxy(hosts: ["a.example", "gone.example"]) { proxy in
            let answer = try await proxy.answer(to: head)
            #expect(answer == ProxyHarness.refusal(status, reason))
        }
    }

    @Test func `a host that does not listen is a bad gateway`() async throws {
        let silent = try TestSocket.silent()
        try await withProxy(hosts: ["127.0.0.1:\(silent.port)"]) { proxy in
            let refusal = ProxyHarness.refusal("502 Bad Gateway", "the host does not answer")
            let answer = try await proxy.answer(to: connect("127.0.0.1:\(silent.port)"))
            #expect(answer == refusal)
        }
    }

    @Test func `without a request nothing is reached`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"], request: nil) { proxy in
            let refusal = ProxyHarness.refusal("403 Forbidden", "no notification is being worked on")
            let answer = try await proxy.answer(to: connect("127.0.0.1:\(host.port)"))
            #expect(answer == refusal)
            proxy.proxy.requestBegan(1, worker: 1)
            let client = try await proxy.tunnel(to: "127.0.0.1:\(host.port)")
            proxy.proxy.requestEnded(1, worker: 1)
            // Now the proxy knows of the end.
            #expect(try await client.readToEnd() == "")
            let later = try await proxy.answer(to: connect("127.0.0.1:\(host.port)"))
            #expect(later == refusal)
        }
    }

    @Test func `an app without a list reaches nothing`() async throws {
        let host = try TestSocket.listening()
        let listener = try TestSocket.listening()
        try await withProxy(hosts: ["127.0.0.1:\(host.port)"]) { proxy in
            proxy.proxy.open(
                listener: listener.duplicated(),
                for: NetworkClient(worker: 2, pid: 78, app: "com.example.mail")
            )
            proxy.proxy.requestBegan(2, worker: 2)
            let client = try TestSocket.connected(to: listener.port)
            try await client.write(connect("127.0.0.1:\(host.port)"))
            #expect(try await client.readToEnd() == ProxyHarness.refusal("403 Forbidden", "not in NetworkHosts"))
        }
    }

    // MARK: The log

    @Test func `the log has hosts and sizes, and no path, no header and no byte of what was said`() async throws {
        let host = try TestSocket.listening()
        try await withProxy(hosts: ["http://127.0.0.1:\(host.port)"]) { proxy in
            let client = try proxy.connect()
            try await client.write("GET http://127.0.0.1:\(host.port)/CANARY?CANARY HTTP/1.1\r\nX: CANARY\r\n\r\n")
            let peer = try await host.accept()
            _ = try await peer.read(until: "\r\n\r\n")
            try await peer.write("CANARY")
            peer.endWriting()
            #expect(try await client.readToEnd() == "CANARY")
            client.endWriting()
            _ = try await proxy.answer(to: "GET http://b.example/CANARY HTTP/1.1\r\nX: CANARY\r\n\r\n")
            await proxy.proxy.end()
            let up = "GET http://127.0.0.1:\(host.port)/CANARY?CANARY HTTP/1.1\r\nX: CANARY\r\n\r\n".utf8.count
            #expect(
                proxy.log.lines.sorted() == [
                    "info: network used network.down=6 network.host=127.0.0.1:\(host.port) network.up=\(up)"
                        + " push.topic=com.example.chat worker.pid=77",
                    "warning: network refused network.host=b.example:80 network.reason=not in NetworkHosts"
                        + " push.topic=com.example.chat worker.pid=77",
                ]
            )
        }
    }
}
