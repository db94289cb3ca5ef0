// SPDX-License-Identifier: Apache-2.0

/// A name or an address on the network, without a port.
package enum NetworkPlace: Hashable, Sendable, CustomStringConvertible {
    /// The host's name in lower case, without a dot at its end.
    case name(String)
    case address(IPAddress)

    /// Reads a name of letters, digits, `-` and `_`, an address of version 4, or one of version 6 in brackets.
    ///
    /// A name is at most 253 bytes and its labels 63; one dot at its end is taken away. Nil also for what looks like an
    /// address and is none: where the last label is a number, resolvers read `0x7f.1` and `2130706433` as loopback.
    /// Names in other scripts come as they are looked up, `xn--…`. Source: RFC 1123 section 2.1; RFC 3986 section
    /// 3.2.2.
    package init?(_ text: some StringProtocol) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            guard let address = IPAddress(text.dropFirst().dropLast()), address.isVersion6 else { return nil }
            self = .address(address)
            return
        }
        if let address = IPAddress(text), !address.isVersion6 {
            self = .address(address)
            return
        }
        let name = text.hasSuffix(".") ? String(text.dropLast()) : String(text)
        guard (1...253).contains(name.utf8.count) else { return nil }
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ Self.isLabel($0) }), let last = labels.last, !Self.isNumber(last) else { return nil }
        self = .name(name.lowercased())
    }

    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.isVersion6 ? "[\(address)]" : "\(address)"
        }
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen, UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// Decimal, octal or hexadecimal, as resolvers read numbers.
    private static func isNumber(_ label: Substring.UTF8View.SubSequence) -> Bool {
        let text = Substring(label).lowercased()
        if text.hasPrefix("0x") { return text.dropFirst(2).utf8.allSatisfy { isxdigit($0) } }
        return text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isxdigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

/// The target of an extension's request to the network: scheme, host and port.
package struct NetworkTarget: Hashable, Sendable {
    package enum Scheme: String, Hashable, Sendable {
        /// A request that the proxy reads and repeats.
        case http
        /// A tunnel, for TLS between the extension and the host.
        case https

        package var port: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    package let scheme: Scheme
    package let place: NetworkPlace
    package let port: UInt16

    package init(scheme: Scheme, place: NetworkPlace, port: UInt16) {
        self.scheme = scheme
        self.place = place
        self.port = port
    }
}
