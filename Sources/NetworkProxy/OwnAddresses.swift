// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import HostRuntime

/// The addresses of this machine's interfaces, as they were a short while ago.
///
/// A name that leads to one leads to the host itself, however global the address is.
final class OwnAddresses {
    /// For how long they are believed.
    static let age = Duration.seconds(10)

    private let read: @Sendable () -> Set<IPAddress>?
    private var known: (addresses: Set<IPAddress>, readAt: Duration)?

    init(_ read: @escaping @Sendable () -> Set<IPAddress>?) {
        self.read = read
    }

    /// True for any address as long as they cannot be read.
    func contain(_ address: IPAddress, now: Duration) -> Bool {
        if let known, now - known.readAt < Self.age { return known.addresses.contains(address) }
        guard let addresses = read() else { return true }
        known = (addresses, now)
        return addresses.contains(address)
    }

    /// Nil when the kernel does not say.
    static func system() -> Set<IPAddress>? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var addresses: Set<IPAddress> = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ifa_addr.flatMap(Self.address) { addresses.insert(address) }
            next = entry.ifa_next
        }
        return addresses
    }

    private static func address(_ address: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
        switch CInt(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: nil
        }
    }
}
