// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

/// The grammar of `NetworkHosts`, and whom an entry admits.
struct NetworkHostTests {
    private func target(_ text: String) throws -> NetworkTarget {
        let scheme: NetworkTarget.Scheme = text.hasPrefix("http://") ? .http : .https
        let rest = scheme == .http ? text.dropFirst(7) : text[...]
        let (host, port) = try NetworkHost.split(rest)
        return NetworkTarget(scheme: scheme, place: try #require(NetworkPlace(host)), port: port ?? scheme.port)
    }

    @Test(arguments: [
        ("media.example.com", "media.example.com"), ("Media.Example.COM.", "media.example.com"),
        ("media.example.com:443", "media.example.com"), ("media.example.com:8443", "media.example.com:8443"),
        ("*.example.com", "*.example.com"), ("*.example.com:444", "*.example.com:444"),
        ("http://media.example.com", "http://media.example.com"), ("HTTP://m.example:80", "http://m.example"),
        ("http://media.example.com:8080", "http://media.example.com:8080"), ("localhost", "localhost"),
        ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:8443", "192.0.2.1:8443"), ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ("[2001:DB8::0:1]", "[2001:db8::1]"), ("[::1]:65535", "[::1]:65535"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func `an entry is read and said again in one form`(text: String, canonical: String) throws {
        #expect(try NetworkHost(parsing: text).description == canonical)
    }

    @Test(arguments: [
        ("", NetworkHostError.empty), ("http://", .malformedHost), (" a.example", .foreignCharacter),
        ("a.example\n", .foreignCharacter), ("bücher.example", .foreignCharacter),
        ("https://a.example", .otherScheme), ("ftp://a.example", .otherScheme),
        ("u@a.example", .userInformation), ("http://u:p@a.example", .userInformation),
        ("a.example/", .path), ("a.example?x", .path), ("a.example#x", .path),
        ("a.example:", .port), ("a.example:0", .port), ("a.example:65536", .port), ("a.example:+80", .port),
        ("a.example:080000", .port), ("::1", .port), ("a.example:1:2", .port),
        ("*", .wildcard), ("a.*.example", .wildcard), ("*a.example.com", .wildcard), ("*.*.example.com", .wildcard),
        ("*.192.0.2.1", .wildcard), ("*.com", .wideWildcard), ("*.com.", .wideWildcard),
        (".example.com", .malformedHost), ("a..example", .malformedHost), ("a.example..", .malformedHost),
        ("-a.example", .malformedHost), ("a-.example", .malformedHost), ("a,b", .malformedHost),
        ("0x7f.1", .malformedHost), ("127.1", .malformedHost), ("2130706433", .malformedHost),
        ("0x7f000001", .malformedHost), ("0177.0.0.1", .malformedHost), ("127.0.0.01", .malformedHost),
        ("a.0x1", .malformedHost), ("[127.0.0.1]", .malformedHost), ("[fe80::1%25lo]", .malformedHost),
        ("[::1", .port), ("[::1]x", .malformedHost), (String(repeating: "a", count: 64), .malformedHost),
        (String(repeating: "a.", count: 128), .malformedHost),
    ])
    func `what is no entry is refused with its reason`(text: String, error: NetworkHostError) {
        #expect(throws: error) { try NetworkHost(parsing: text) }
    }

    @Test(arguments: [
        ("media.example.com", "media.example.com"), ("media.example.com", "MEDIA.example.COM.:443"),
        ("media.example.com:8443", "media.example.com:8443"), ("*.example.com", "a.example.com"),
        ("*.example.com", "a.b.example.com"), ("http://a.example", "http://a.example:80"),
        ("127.0.0.1", "127.0.0.1"), ("[::1]:1", "[0:0::0:1]:1"),
    ])
    func `an entry admits`(entry: String, wanted: String) throws {
        #expect(try NetworkHost(parsing: entry).admits(target(wanted)))
    }

    @Test(arguments: [
        ("media.example.com", "example.com"), ("media.example.com", "x.media.example.com"),
        ("media.example.com", "media.example.com:80"), ("media.example.com", "http://media.example.com:443"),
        ("http://media.example.com:443", "media.example.com"), ("*.example.com", "example.com"),
        ("*.example.com", "badexample.com"), ("*.example.com", "a.example.com.evil.example"),
        ("*.example.com", "127.0.0.1"), ("127.0.0.1", "127.0.0.2"), ("127.0.0.1", "[::ffff:127.0.0.1]"),
        ("localhost", "127.0.0.1"), ("[::1]", "127.0.0.1"),
    ])
    func `an entry does not admit`(entry: String, wanted: String) throws {
        #expect(try !NetworkHost(parsing: entry).admits(target(wanted)))
    }

    @Test func `an address is told by its bytes`() throws {
        #expect(try #require(IPAddress("192.0.2.1")).bytes == [192, 0, 2, 1])
        #expect(IPAddress("::ffff:1.2.3.4")?.bytes.suffix(6) == [255, 255, 1, 2, 3, 4])
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress("192.0.2.1\u{0}") == nil)
    }
}
