// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import NetworkProxy

/// The texts that are read as a request, and those that are refused because two programs could read them in two ways.
struct ProxyRequestReaderTests {
    private func read(_ text: String, limit: Int = 8192) -> ProxyRequestReader.Result {
        var reader = ProxyRequestReader(limit: limit)
        return reader.read(Array(text.utf8))
    }

    private func name(_ text: String) -> NetworkPlace { .name(text) }

    @Test(arguments: [
        ("a.example:443", NetworkPlace.name("a.example"), UInt16(443)), ("A.Example.:8443", .name("a.example"), 8443),
        ("xn--bcher-kva.example:1", .name("xn--bcher-kva.example"), 1),
        ("127.0.0.1:443", .address(IPAddress("127.0.0.1")!), 443), ("[::1]:443", .address(IPAddress("::1")!), 443),
    ])
    func `a tunnel names a host and a port`(authority: String, place: NetworkPlace, port: UInt16) {
        let head = "CONNECT \(authority) HTTP/1.1\r\nHost: whatever\r\nProxy-Connection: Keep-Alive\r\n\r\n"
        #expect(
            read(head + "tunnelled")
                == .request(
                    ProxyRequest(target: NetworkTarget(scheme: .https, place: place, port: port), kind: .tunnel),
                    headByteCount: head.utf8.count
                )
        )
    }

    @Test func `a fetch is repeated with its host, without what was meant for the proxy, and with an end`() throws {
        let head = """
            GET http://A.Example:8080/p?q=1&r HTTP/1.1\r
            Host: evil.example\r
            Accept:  */*\t\r
            Connection: keep-alive, X-Secret\r
            X-Secret: 1\r
            Proxy-Connection: keep-alive\r
            Proxy-Authorization: Basic x\r
            Upgrade: h2c\r
            TE: trailers\r
            Content-Length: 0\r
            Range: bytes=0-1\r
            \r\n
            """
        let expected = """
            GET /p?q=1&r HTTP/1.1\r
            Host: a.example:8080\r
            Accept: */*\r
            Range: bytes=0-1\r
            Connection: close\r
            \r\n
            """
        #expect(
            read(head)
                == .request(
                    ProxyRequest(
                        target: NetworkTarget(scheme: .http, place: .name("a.example"), port: 8080),
                        kind: .fetch(head: Array(expected.utf8))
                    ),
                    headByteCount: head.utf8.count
                )
        )
    }

    @Test(arguments: [
        ("http://a.example", "GET / HTTP/1.0"), ("http://a.example?q", "GET /?q HTTP/1.0"),
        ("HTTP://a.example/http://b.example/", "GET /http://b.example/ HTTP/1.0"),
        ("http://a.example/@b.example", "GET /@b.example HTTP/1.0"),
        ("http://a.example/%0d%0a", "GET /%0d%0a HTTP/1.0"),
    ])
    func `the path of a fetch is what follows the host`(address: String, line: String) {
        let result = read("GET \(address) HTTP/1.0\r\n\r\n")
        guard case .request(let request, _) = result, case .fetch(let head) = request.kind else {
            Issue.record("\(result)")
            return
        }
        #expect(request.target == NetworkTarget(scheme: .http, place: .name("a.example"), port: 80))
        #expect(String(decoding: head, as: UTF8.self) == line + "\r\nHost: a.example\r\nConnection: close\r\n\r\n")
    }

    @Test(arguments: ["", "C", "CONNECT a.example:443 HTTP/1.1\r\n", "CONNECT a.example:443 HTTP/1.1\r\n\r"])
    func `a head without its end is incomplete`(text: String) {
        #expect(read(text) == .incomplete)
    }

    @Test func `a head is read the same in any pieces`() {
        let text = "CONNECT a.example:443 HTTP/1.1\r\nA: b\r\n\r\n"
        let whole = read(text)
        for step in 1...text.utf8.count {
            var reader = ProxyRequestReader(limit: 8192)
            var end = 0
            var result = ProxyRequestReader.Result.incomplete
            while result == .incomplete, end < text.utf8.count {
                end = min(end + step, text.utf8.count)
                result = reader.read(Array(text.utf8.prefix(end)))
            }
            #expect(result == whole)
        }
    }

    @Test func `a head may have 8192 bytes and not one more`() {
        let start = "CONNECT a.example:443 HTTP/1.1\r\nA: "
        let fitting = start + String(repeating: "x", count: 8192 - start.utf8.count - 4) + "\r\n\r\n"
        guard case .request(_, headByteCount: 8192) = read(fitting) else {
            Issue.record("8192 bytes were refused")
            return
        }
        #expect(read(start + "x" + fitting.dropFirst(start.count)) == .refused(.headTooLarge))
        #expect(read(start + String(repeating: "x", count: 8192)) == .refused(.headTooLarge))
        #expect(
            read("CONNECT a.example:443 HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 64) + "\r\n")
                == .refused(.headTooLarge)
        )
    }

    @Test(arguments: [
        // The line.
        ("CONNECT a.example:443\r\n\r\n", Refusal.malformed), ("CONNECT  a.example:443 HTTP/1.1\r\n\r\n", .malformed),
        (" CONNECT a.example:443 HTTP/1.1\r\n\r\n", .malformed),
        ("\r\nCONNECT a.example:443 HTTP/1.1\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/2.0\r\n\r\n", .malformed), ("CONNECT a.example:443 HTTP/1.1 \r\n\r\n", .malformed),
        ("CONNECT a.example:443 http/1.1\r\n\r\n", .malformed), ("CONNECT\ta.example:443 HTTP/1.1\r\n\r\n", .malformed),
        ("\u{16}\u{3}\u{1}\r\n\r\n", .malformed), ("CONNECT b\u{fc}cher.example:443 HTTP/1.1\r\n\r\n", .malformed),
        // Methods.
        ("POST http://a.example/ HTTP/1.1\r\n\r\n", .method), ("connect a.example:443 HTTP/1.1\r\n\r\n", .method),
        ("OPTIONS * HTTP/1.1\r\n\r\n", .method), ("GET https://a.example/ HTTP/1.1\r\n\r\n", .method),
        // Targets.
        ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", .malformed), ("GET a.example HTTP/1.1\r\n\r\n", .malformed),
        ("GET ftp://a.example/ HTTP/1.1\r\n\r\n", .malformed), ("GET http:/a.example/ HTTP/1.1\r\n\r\n", .malformed),
        ("GET http://u:p@a.example/ HTTP/1.1\r\n\r\n", .malformed),
        ("GET http://a.example/#x HTTP/1.1\r\n\r\n", .malformed),
        ("GET http://b.example@a.example/ HTTP/1.1\r\n\r\n", .malformed),
        ("GET http:/// HTTP/1.1\r\n\r\n", .unreadableHost),
        ("GET http://a.example\\@b.example/ HTTP/1.1\r\n\r\n", .malformed),
        ("GET http://a.example\\.b.example/ HTTP/1.1\r\n\r\n", .unreadableHost),
        ("GET http://a.example:80:80/ HTTP/1.1\r\n\r\n", .malformed),
        ("GET http://a%2eexample/ HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT a.example HTTP/1.1\r\n\r\n", .malformed), ("CONNECT a.example:0 HTTP/1.1\r\n\r\n", .malformed),
        ("CONNECT a.example:65979 HTTP/1.1\r\n\r\n", .malformed),
        ("CONNECT http://a.example:443 HTTP/1.1\r\n\r\n", .malformed),
        ("CONNECT u@a.example:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT :443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT ::1:443 HTTP/1.1\r\n\r\n", .malformed),
        // Addresses in other spellings.
        ("CONNECT 0x7f.1:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT 127.1:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT 2130706433:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT 0x7f000001:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT 0177.0.0.1:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT 127.0.0.1.:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT [::1%25lo]:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        ("CONNECT a.example..:443 HTTP/1.1\r\n\r\n", .unreadableHost),
        // Lines.
        ("CONNECT a.example:443 HTTP/1.1\nHost: a\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA: b\rC: d\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA : b\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\n A: b\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA: b\r\n c\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\n: b\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA: \u{0}\r\n\r\n", .malformed),
        ("CONNECT a.example:443 HTTP/1.1\r\nA(: b\r\n\r\n", .malformed),
        // Bodies.
        ("GET http://a.example/ HTTP/1.1\r\nContent-Length: 5\r\n\r\n", .malformed),
        ("GET http://a.example/ HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", .malformed),
        ("GET http://a.example/ HTTP/1.1\r\nContent-Length: +0\r\n\r\n", .malformed),
        ("GET http://a.example/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", .malformed),
        ("GET http://a.example/ HTTP/1.1\r\ntransfer-encoding: identity\r\n\r\n", .malformed),
        ("GET http://a.example/ HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n", .malformed),
    ])
    func `is refused`(text: String, refusal: Refusal) {
        #expect(read(text) == .refused(refusal))
    }
}
