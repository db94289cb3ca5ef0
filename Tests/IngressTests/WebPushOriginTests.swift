// SPDX-License-Identifier: Apache-2.0

import Ingress
import Testing

struct WebPushOriginTests {
    @Test(arguments: [
        ("https://push.example.com", "https://push.example.com"),
        ("https://Push.Example.com/", "https://push.example.com"),
        ("https://push.example.com:443", "https://push.example.com"),
        ("https://push.example.com:8443", "https://push.example.com:8443"), ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ])
    func `an origin has scheme, host and an unusual port`(_ text: String, _ origin: String) {
        #expect(WebPushOrigin(text)?.description == origin)
    }

    @Test(arguments: [
        "", "push.example.com", "ftp://push.example.com", "https://", "https://push.example.com/a",
        "https://push.example.com?a", "https://push.example.com#a", "https://a@push.example.com",
        "https://push.example.com:0", "https://" + String(repeating: "a", count: 960),
    ])
    func `anything else is none`(_ text: String) {
        #expect(WebPushOrigin(text) == nil)
    }

    @Test func `an endpoint ends in the capability`() throws {
        let origin = try #require(WebPushOrigin("https://push.example.com"))
        #expect(origin.endpoint(for: WebPushFixture.open) == "https://push.example.com/push/\(WebPushFixture.open)")
    }
}
