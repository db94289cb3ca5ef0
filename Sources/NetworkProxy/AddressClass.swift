// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The class of an IP address by its reach; only a global one is connected to without being listed itself.
///
/// Forms of version 6 that carry an address of version 4 are refused whole: what they mean is decided by a router that
/// the host does not know.
/// Source: IANA, special-purpose address registries (RFC 6890).
enum AddressClass: String, Sendable {
    case global, unspecified, `private`, shared, loopback, multicast, broadcast, reserved
    case linkLocal = "link-local"
    case uniqueLocal = "unique-local"
    case mapped = "IPv4-mapped"
    case translated = "NAT64"
    case sixToFour = "6to4"
    case teredo
    /// An address of an interface of this machine, whatever else it is; the tables do not hold it.
    case own = "host's own"

    init(_ address: IPAddress) {
        let rows = address.isVersion6 ? Self.version6 : Self.version4
        self = rows.first { $0.contains(address.bytes) }?.kind ?? .global
    }

    private struct Row: Sendable {
        let prefix: [UInt8]
        let bitCount: Int
        let kind: AddressClass

        init(_ text: String, _ bitCount: Int, _ kind: AddressClass) {
            guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
            prefix = address.bytes
            self.bitCount = bitCount
            self.kind = kind
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let whole = bitCount / 8
            guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
            let rest = bitCount % 8
            return rest == 0 || bytes[whole] >> (8 - rest) == prefix[whole] >> (8 - rest)
        }
    }

    // The first row that holds an address decides.

    private static let version4 = [
        Row("0.0.0.0", 8, .unspecified), Row("10.0.0.0", 8, .private), Row("100.64.0.0", 10, .shared),
        Row("127.0.0.0", 8, .loopback), Row("169.254.0.0", 16, .linkLocal), Row("172.16.0.0", 12, .private),
        Row("192.0.0.0", 24, .reserved), Row("192.0.2.0", 24, .reserved), Row("192.88.99.0", 24, .sixToFour),
        Row("192.168.0.0", 16, .private), Row("198.18.0.0", 15, .reserved), Row("198.51.100.0", 24, .reserved),
        Row("203.0.113.0", 24, .reserved), Row("224.0.0.0", 4, .multicast), Row("255.255.255.255", 32, .broadcast),
        Row("240.0.0.0", 4, .reserved),
    ]

    private static let version6 = [
        Row("::", 128, .unspecified), Row("::1", 128, .loopback), Row("::ffff:0:0", 96, .mapped),
        Row("64:ff9b::", 96, .translated), Row("64:ff9b:1::", 48, .translated), Row("fc00::", 7, .uniqueLocal),
        Row("fe80::", 10, .linkLocal), Row("fec0::", 10, .private), Row("ff00::", 8, .multicast),
        Row("2001::", 32, .teredo), Row("2001::", 23, .reserved), Row("2001:db8::", 32, .reserved),
        Row("2002::", 16, .sixToFour), Row("3fff::", 20, .reserved), Row("2000::", 3, .global),
        // What no registry has given out.
        Row("::", 0, .reserved),
    ]
}
