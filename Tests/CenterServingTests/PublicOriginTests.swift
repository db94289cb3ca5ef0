// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterServing

/// A centre that is reached from other machines: its address, and what is judged by it.
struct PublicOriginTests {
    private static let cookie = PresentedCredential.cookie("secret")
    private static let bearer = PresentedCredential.bearer("nbt_secret")

    private func site(_ text: String, port: Int = 8443) throws -> Site { Site(try PublicOrigin(text), port: port) }

    private func refusal(_ body: () throws(APIError) -> Void) -> APIError? {
        do throws(APIError) { try body() } catch { return error }
        return nil
    }

    private func head(_ method: HTTPMethod, _ headers: HTTPHeaders) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/front", headers: headers)
    }

    @Test(arguments: [
        "https://nestbox.example.org", "https://nestbox.example.org:8443", "https://nas", "https://192.0.2.1:8443",
        "https://[2001:db8::1]", "https://[2001:db8::1]:8443", "https://xn--bcher-kva.example",
    ])
    func `an origin is written as browsers write it`(text: String) throws {
        let origin = try site(text).origin
        #expect(origin == text)
    }

    @Test(
        arguments: [
            ("http://a.example", .scheme), ("HTTPS://a.example", .scheme), ("a.example", .scheme), ("", .scheme),
            ("https://a.example/", .rest), ("https://a.example/x", .rest), ("https://a.example?x", .rest),
            ("https://a.example#x", .rest), ("https://a@b.example", .rest), ("https://", .name),
            ("https://A.example", .name), ("https://a..example", .name), ("https://a.example.", .name),
            ("https://-a.example", .name), ("https://a_b.example", .name), ("https://bücher.example", .name),
            ("https:// a.example", .name), ("https://*.example", .name), ("https://127.1", .name),
            ("https://192.0.2.256", .name), ("https://a.1", .name), ("https://192.0.2.0x1", .name),
            ("https://[2001:DB8::1]", .name), ("https://[2001:db8:0::1]", .name), ("https://[::1", .name),
            ("https://2001:db8::1", .name), ("https://a.example:", .port), ("https://a.example:0", .port),
            ("https://a.example:443", .port), ("https://a.example:08443", .port), ("https://a.example:65536", .port),
            ("https://a.example:8443:1", .port), ("https://a.example:+1", .port),
            ("https://localhost:8443", .loopback), ("https://127.0.0.1:8443", .loopback), ("https://[::1]", .loopback),
        ] as [(String, PublicOrigin.Fault)]
    )
    func `any other text is refused with its reason`(text: String, fault: PublicOrigin.Fault) {
        #expect(throws: fault) { () throws(PublicOrigin.Fault) in try PublicOrigin(text) }
    }

    @Test(
        arguments: [
            ("nestbox.example.org:8443", cookie, true), ("nestbox.example.org:8443", .none, true),
            ("nestbox.example.org", cookie, false), ("nestbox.example.org:443", cookie, false),
            ("nestbox.example.org:84430", cookie, false), ("nestbox.example.org:8443.evil.example", cookie, false),
            ("nestbox.example.org.evil.example:8443", bearer, false), ("evil.example:8443", cookie, false),
            ("Nestbox.example.org:8443", cookie, false), ("192.0.2.1:8443", bearer, false),
            ("127.0.0.1:9000", cookie, false), ("127.0.0.1:9000", bearer, true), ("localhost:9000", bearer, true),
            ("127.0.0.1:8443", bearer, false), ("127.0.0.1", bearer, false), ("127.evil.example:9000", bearer, false),
        ] as [(String, PresentedCredential, Bool)]
    )
    func `a request names the public origin, or this machine's port for who has a token`(
        host: String,
        presented: PresentedCredential,
        isOurs: Bool
    ) throws {
        let site = try site("https://nestbox.example.org:8443", port: 9000)
        let refusal = refusal { () throws(APIError) in try site.judgeHost(head(.GET, ["host": host]), presented) }
        #expect(refusal == (isOurs ? nil : .hostName))
    }

    @Test(arguments: [
        ("https://nestbox.example.org", true), ("https://nestbox.example.org:443", false),
        ("http://nestbox.example.org", false), ("https://nestbox.example.org.evil.example", false),
        ("https://nestbox.example.org:8443", false), ("https://NESTBOX.example.org", false), ("null", false),
    ])
    func `a change comes from a page of the public origin`(origin: String, isOurs: Bool) throws {
        let site = try site("https://nestbox.example.org")
        let change = head(.DELETE, ["origin": origin])
        let refusal = refusal { () throws(APIError) in try site.judgeBrowser(change, hasBody: false) }
        #expect(refusal == (isOurs ? nil : .origin))
    }

    @Test func `the cookie is the host's alone, and goes over TLS alone`() throws {
        let (secure, clear) = (SessionCookie(isSecure: true), Site(name: "a.localhost", port: 80).cookie)
        let secret = Secret(presented: "s")
        #expect(
            secure.set(secret) == "__Host-nestbox=s; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000"
        )
        #expect(secure.cleared == "__Host-nestbox=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0")
        #expect(clear.set(secret) == "nestbox=s; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")
        #expect(PresentedCredential(["cookie": "__Host-nestbox=s"], secure) == .cookie("s"))
        // A page in the clear at the same name can make such a cookie.
        #expect(PresentedCredential(["cookie": "nestbox=s"], secure) == .none)
        #expect(PresentedCredential(["cookie": "__Host-nestbox=s"], clear) == .none)
    }

    @Test func `browsers keep to TLS where the name is the centre's in whole`() throws {
        #expect(try site("https://a.example").transportHeaders.map(\.0) == ["strict-transport-security"])
        #expect(try site("https://a.example:8443").transportHeaders.isEmpty)
        #expect(Site(name: "a.localhost", port: 80).transportHeaders.isEmpty)
    }

    @Test func `sign-in leads to the public origin`() async throws {
        let bench = try Bench()
        let gate = WebGate(bench.center, origin: try PublicOrigin("https://nestbox.example.org"))
        let name = try await gate.name()
        let origin = gate.open(name, port: 8443)
        #expect(origin == "https://nestbox.example.org")
        let made = try await bench.ask(.POST, "/v1/codes").body
        #expect(made["link"]?.string?.hasPrefix("https://nestbox.example.org/#sign-in=") == true)
    }
}
