// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// The address under which browsers reach a centre from other machines: `https://nestbox.example.org:8443`.
///
/// A public origin is compared byte for byte with what a browser sends, and is therefore written as browsers write it.
/// Source: RFC 6454, section 6.2.
package struct PublicOrigin: Equatable, Sendable {
    /// A name in small letters, an address of IPv4, or one of IPv6 in brackets.
    let name: String
    let port: Int

    /// The port that browsers leave out.
    static let ownPort = 443

    /// The reason for which a text is no such address.
    package enum Fault: Error, Equatable {
        case scheme
        /// Something stands behind the name and the port.
        case rest
        case name
        case port
        /// Every port of this machine gets the cookies of its name.
        case loopback
    }

    package init(_ text: String) throws(Fault) {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { throw .scheme }
        let authority = text.dropFirst(scheme.count)
        guard !authority.contains(where: { "/?#@".contains($0) }) else { throw .rest }
        // The colons of an address of IPv6 are inside its brackets.
        let end = authority.hasPrefix("[") ? authority.lastIndex(of: "]") : authority.startIndex
        guard let end else { throw .name }
        let colon = authority[end...].firstIndex(of: ":")
        let name = String(authority[..<(colon ?? authority.endIndex)])
        guard Self.isName(name) else { throw .name }
        guard !Self.isLoopback(name) else { throw .loopback }
        self.name = name
        port = try colon.map { colon throws(Fault) in try Self.port(authority[colon...].dropFirst()) } ?? Self.ownPort
    }

    /// A browser writes neither zeros before a number nor its own port.
    private static func port(_ text: Substring) throws(Fault) -> Int {
        guard let port = UInt16(text), String(port) == text, port != 0, port != ownPort else { throw .port }
        return Int(port)
    }

    private static func isName(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") {
            return isAddress(AF_INET6, String(name.dropFirst().dropLast()))
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= 253, labels.allSatisfy(isLabel) else { return false }
        // What ends in a number is an address to a browser (URL Standard, "ends in a number").
        guard let last = labels.last, last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x") else { return true }
        return isAddress(AF_INET, name)
    }

    private static func isLoopback(_ name: String) -> Bool {
        name == "localhost" || name == "[::1]" || (name.hasPrefix("127.") && isAddress(AF_INET, name))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                isDigit(byte) || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// True if the text is an address in its one usual form.
    private static func isAddress(_ family: CInt, _ text: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(family, text, &bytes) == 1 else { return false }
        var usual = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &usual, socklen_t(usual.count)) != nil else { return false }
        return usual.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } == Array(text.utf8)
    }
}
