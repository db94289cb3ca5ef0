// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// The address of a gpsd on this machine.
///
/// Positions come over the loopback alone, because gpsd's protocol neither encrypts nor asks who is there.
package struct GpsdAddress: Sendable, Equatable, CustomStringConvertible {
    /// An address of the loopback, without brackets.
    let host: String
    package let port: UInt16

    /// Reads `HOST:PORT`, as `127.0.0.1:2947`, `[::1]:2947` or `localhost:2947`; `nil` means any other text.
    ///
    /// `localhost` is 127.0.0.1, so that nobody is asked for its address.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        self.port = port
        let name = text[..<colon]
        if name == "localhost" {
            host = "127.0.0.1"
        } else if name.first == "[", name.last == "]", Self.isLoopback(six: String(name.dropFirst().dropLast())) {
            host = String(name.dropFirst().dropLast())
        } else if Self.isLoopback(four: String(name)) {
            host = String(name)
        } else {
            return nil
        }
    }

    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }

    // Parsed and not compared with a beginning: "127.evil.example" is a name.
    private static func isLoopback(four text: String) -> Bool {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return false }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    private static func isLoopback(six text: String) -> Bool {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
        return withUnsafeBytes(of: address) { bytes in bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 }
    }
}
