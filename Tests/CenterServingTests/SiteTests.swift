// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import Testing

@testable import CenterServing

/// The checks of a request that comes to the port: whose page, which name, which credential.
struct SiteTests {
    private static let site = Site(name: "nestbox-1a2b3c4d.localhost", port: 8787)
    private static let own = "nestbox-1a2b3c4d.localhost:8787"
    private static let cookie = PresentedCredential.cookie("secret")
    private static let bearer = PresentedCredential.bearer("nbt_secret")

    private static func head(_ method: HTTPMethod = .GET, _ headers: HTTPHeaders) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/front", headers: headers)
    }

    private func refusal(_ body: () throws(APIError) -> Void) -> APIError? {
        do throws(APIError) { try body() } catch { return error }
        return nil
    }

    @Test func `the name has twenty random digits of its own`() {
        let names = Set((0..<50).map { _ in Site.makeName() })
        #expect(names.count == 50)
        #expect(names.allSatisfy { $0.hasPrefix("nestbox-") && $0.hasSuffix(".localhost") && $0.utf8.count == 38 })
        #expect(Site(name: "a.localhost", port: 80).origin == "http://a.localhost")
    }

    @Test func `on HTTP's own port nobody names the port`() {
        let site = Site(name: "a.localhost", port: 80)
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let refusal = refusal { () throws(APIError) in
                try site.judgeHost(Self.head(.GET, ["host": host]), Self.bearer)
            }
            #expect(refusal == nil)
        }
    }

    @Test(
        arguments: [
            (own, cookie, true), (own, bearer, true), (own, .none, true),
            ("localhost:8787", cookie, false), ("localhost:8787", bearer, true), ("localhost:8787", .none, false),
            ("127.0.0.1:8787", bearer, true), ("127.9.8.7:8787", bearer, true), ("[::1]:8787", bearer, true),
            ("127.0.0.1:8788", bearer, false), ("127.0.0.1", bearer, false), ("127.1:8787", bearer, false),
            ("127.0.0.256:8787", bearer, false), ("127.0.0.+1:8787", bearer, false),
            ("127.evil.example:8787", bearer, false), ("127.0.0.1.evil.example:8787", bearer, false),
            ("10.0.0.1:8787", bearer, false), ("nestbox-1a2b3c4e.localhost:8787", cookie, false),
            ("NESTBOX-1a2b3c4d.localhost:8787", cookie, false), ("nestbox-1a2b3c4d.localhost", cookie, false),
            ("evil.example:8787", cookie, false), ("", bearer, false),
        ] as [(String, PresentedCredential, Bool)]
    )
    func `a name is ours, or a loopback address for who has a token`(
        host: String,
        presented: PresentedCredential,
        isOurs: Bool
    ) {
        let refusal = refusal { () throws(APIError) in
            try Self.site.judgeHost(Self.head(.GET, ["host": host]), presented)
        }
        #expect(refusal == (isOurs ? nil : .hostName))
    }

    @Test(
        arguments: [
            (.GET, [:], false, nil), (.GET, ["sec-fetch-site": "same-origin"], false, nil),
            (.GET, ["sec-fetch-site": "none"], false, nil),
            (.GET, ["sec-fetch-site": "same-site"], false, .origin),
            (.GET, ["sec-fetch-site": "cross-site"], false, .origin),
            (.POST, ["origin": "http://" + own], false, nil),
            (.POST, ["origin": "http://" + own, "content-type": "application/json"], true, nil),
            (.POST, ["origin": "http://" + own, "content-type": "text/plain"], true, .mediaType),
            (.POST, ["origin": "http://" + own], true, .mediaType),
            (.POST, [:], false, .origin), (.POST, ["origin": "null"], false, .origin),
            (.DELETE, ["origin": "https://" + own], false, .origin),
            (.DELETE, ["origin": "http://nestbox-1a2b3c4d.localhost:8788"], false, .origin),
            (.PATCH, ["origin": "http://" + own, "sec-fetch-site": "cross-site"], false, .origin),
        ] as [(HTTPMethod, HTTPHeaders, Bool, APIError?)]
    )
    func `a browser's request is of our own page`(
        method: HTTPMethod,
        headers: HTTPHeaders,
        hasBody: Bool,
        expected: APIError?
    ) {
        let refusal = refusal { () throws(APIError) in
            try Self.site.judgeBrowser(Self.head(method, headers), hasBody: hasBody)
        }
        #expect(refusal == expected)
    }

    @Test func `who signs in is a page of ours, or a program`() {
        let json = ("content-type", "application/json")
        func judge(_ headers: [(String, String)]) -> APIError? {
            refusal { () throws(APIError) in try Self.site.judgeSignIn(Self.head(.POST, HTTPHeaders(headers))) }
        }
        #expect(judge([json]) == nil)
        #expect(judge([json, ("origin", "http://" + Self.own)]) == nil)
        #expect(judge([json, ("origin", "http://evil.example")]) == .origin)
        #expect(judge([json, ("sec-fetch-site", "cross-site")]) == .origin)
        #expect(judge([("origin", "http://" + Self.own)]) == .mediaType)
    }

    @Test(
        arguments: [
            ([:], .none), (["cookie": "nestbox=abc"], .cookie("abc")),
            (["cookie": "theme=dark; nestbox=abc; x=y"], .cookie("abc")), (["cookie": "xnestbox=abc"], .none),
            (["cookie": "nestbox=abc;\u{35D}x=y"], .cookie("abc")),
            (["cookie": "nestbox"], .none), (["authorization": "Bearer nbt_abc"], .bearer("nbt_abc")),
            (["authorization": "bearer nbt_abc", "cookie": "nestbox=abc"], .bearer("nbt_abc")),
            (["authorization": "Basic abc", "cookie": "nestbox=abc"], .bearer("")),
        ] as [(HTTPHeaders, PresentedCredential)]
    )
    func `a token goes before a cookie, and another scheme is none`(headers: HTTPHeaders, expected: PresentedCredential)
    {
        #expect(PresentedCredential(headers, SessionCookie(isSecure: false)) == expected)
    }

    private func caller(_ address: String) throws -> CallerAddress {
        CallerAddress(try SocketAddress(ipAddress: address, port: 1))
    }

    @Test func `ten failures a minute of an address are one too many, and a hundred of all`() throws {
        var count = FailureCount()
        for number in 0..<10 {
            let isTooMany = count.add(try caller("192.0.2.1"), at: Int64(number))
            #expect(!isTooMany)
        }
        let eleventh = count.add(try caller("192.0.2.1"), at: 10)
        let other = count.add(try caller("192.0.2.2"), at: 10)
        #expect(eleventh && !other)
        let later = count.add(try caller("192.0.2.1"), at: 60_020)
        #expect(!later)
        var crowd = FailureCount()
        for number in 0..<100 { _ = crowd.add(try caller("198.51.100.\(number)"), at: 0) }
        let stranger = crowd.add(try caller("192.0.2.3"), at: 1)
        #expect(stranger)
    }

    @Test func `who has sixty-four bits of an address is one caller, and each address of this machine is one`() throws {
        #expect(try caller("2001:db8:1:2::1") == caller("2001:db8:1:2:ffff::9"))
        #expect(try caller("2001:db8:1:2::1") != caller("2001:db8:1:3::1"))
        #expect(try caller("::ffff:192.0.2.1") == caller("192.0.2.1"))
        #expect(try caller("127.0.0.1") != caller("127.0.1.90"))
    }
}
