// SPDX-License-Identifier: Apache-2.0

private import struct Foundation.URLComponents

/// The origin under which senders reach a Web Push server, `https://push.example.com`, and what it makes addresses of.
///
/// Source: RFC 6454, section 6; RFC 8030, section 5.
package struct WebPushOrigin: Sendable, Equatable, CustomStringConvertible {
    static let subscriptionPath = "/push/"
    /// The length of a capability: 20 random bytes in base64url.
    static let capabilityLength = 27
    /// The longest endpoint that UnifiedPush allows, in bytes.
    private static let longestEndpoint = 1000

    /// Scheme, host and a port that is not the scheme's own, in lower case.
    package let description: String

    /// Makes `nil` when the text is no origin of `http` or `https`, or leaves no room for an endpoint; a slash at its
    /// end is passed over.
    package init?(_ text: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let ownPort = ["http": 80, "https": 443][scheme], let host = url.host?.lowercased(), !host.isEmpty,
            url.path.isEmpty || url.path == "/", url.user == nil, url.password == nil, url.query == nil,
            url.fragment == nil, (1...65_535).contains(url.port ?? ownPort)
        else { return nil }
        let port = url.port.flatMap { $0 == ownPort ? nil : ":\($0)" } ?? ""
        let address = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        description = "\(scheme)://\(address)\(port)"
        guard endpoint(for: "").utf8.count + Self.capabilityLength <= Self.longestEndpoint else { return nil }
    }

    /// Returns the endpoint of a subscription, which an app hands to its senders.
    package func endpoint(for capability: String) -> String {
        description + Self.subscriptionPath + capability
    }

    /// Names an accepted push; nothing can be asked of it.
    func message(_ id: String) -> String {
        description + "/push-message/" + id
    }

    /// The audience of a token is this origin, however its writer put it.
    func isNamed(by audience: String) -> Bool {
        audience == description || WebPushOrigin(audience) == self
    }
}
