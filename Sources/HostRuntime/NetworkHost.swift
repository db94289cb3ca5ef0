// SPDX-License-Identifier: Apache-2.0

/// One entry of a bundle's `NetworkHosts`: whom its extension may reach.
///
/// | entry | admits |
/// |---|---|
/// | `media.example.com` | https, port 443 |
/// | `media.example.com:8443` | https, that port |
/// | `*.example.com` | https to every name below, however deep, and not to `example.com` |
/// | `http://media.example.com` | plain http, port 80, or the port that is written |
/// | `192.0.2.1`, `[2001:db8::1]:8443`, `http://127.0.0.1:8080` | that address; the only way to a private one |
///
/// Source: docs/network.md, "How does my extension reach a server?".
package struct NetworkHost: Hashable, Sendable, CustomStringConvertible {
    package enum Pattern: Hashable, Sendable {
        case place(NetworkPlace)
        /// Every name that ends in a dot and this one.
        case below(String)
    }

    /// Entries that a bundle may have.
    package static let limit = 64

    package let scheme: NetworkTarget.Scheme
    package let pattern: Pattern
    package let port: UInt16

    package init(parsing text: String) throws(NetworkHostError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw .foreignCharacter }
        var rest = text[...]
        scheme = rest.lowercased().hasPrefix("http://") ? .http : .https
        if scheme == .http { rest = rest.dropFirst("http://".count) }
        guard !rest.contains("://") else { throw .otherScheme }
        guard !rest.contains("@") else { throw .userInformation }
        guard !rest.contains(where: { "/?#".contains($0) }) else { throw .path }
        let (host, port) = try Self.split(rest)
        self.port = port ?? scheme.port
        let isWildcard = host.hasPrefix("*.")
        let place = isWildcard ? host.dropFirst(2) : host
        guard !place.contains("*") else { throw .wildcard }
        guard let place = NetworkPlace(place) else { throw .malformedHost }
        guard isWildcard else {
            pattern = .place(place)
            return
        }
        guard case .name(let name) = place else { throw .wildcard }
        guard name.contains(".") else { throw .wideWildcard }
        pattern = .below(name)
    }

    package func admits(_ target: NetworkTarget) -> Bool {
        guard target.scheme == scheme, target.port == port else { return false }
        switch (pattern, target.place) {
        case (.place(let place), _): return place == target.place
        case (.below(let name), .name(let wanted)): return wanted.hasSuffix("." + name)
        case (.below, .address): return false
        }
    }

    package var description: String {
        let host =
            switch pattern {
            case .place(let place): "\(place)"
            case .below(let name): "*.\(name)"
            }
        return (scheme == .http ? "http://" : "") + host + (port == scheme.port ? "" : ":\(port)")
    }

    /// Parts a host and the port behind it, if there is one.
    package static func split(_ text: Substring) throws(NetworkHostError) -> (host: Substring, port: UInt16?) {
        // Colons inside brackets belong to the address.
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let colon = text[end...].firstIndex(of: ":") else { return (text, nil) }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw .port }
        return (text[..<colon], port)
    }
}

/// The reason for which an entry of `NetworkHosts` is refused.
package enum NetworkHostError: Error, Equatable, CustomStringConvertible {
    case empty, foreignCharacter, otherScheme, userInformation, path, port, wildcard, wideWildcard, malformedHost

    package var description: String {
        switch self {
        case .empty: "it is empty"
        case .foreignCharacter: "it has a character that no host has; write names of other scripts as xn--…"
        case .otherScheme: "a scheme is \"http://\", or none for https"
        case .userInformation: "it has user information"
        case .path: "it has a path; a host is granted whole"
        case .port: "its port is no number from 1 to 65535"
        case .wildcard: "a wildcard stands at the start, for whole labels: *.example.com"
        case .wideWildcard: "the wildcard is too wide: two labels must follow"
        case .malformedHost: "it is neither a name nor an address"
        }
    }
}
