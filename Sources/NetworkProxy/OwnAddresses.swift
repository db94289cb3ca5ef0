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

    /// Asks the kernel; returns `nil` when it does not answer.
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

    /// By offsets (ip(7), ipv6(7)), not by fields: which module those belong to depends on who else imports the header.
    private static func address(_ address: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
        let start = UnsafeRawPointer(address)
        return switch CInt(start.loadUnaligned(as: UInt16.self)) {
        case AF_INET: IPAddress(bytes: Array(UnsafeRawBufferPointer(start: start + 4, count: 4)))
        case AF_INET6: IPAddress(bytes: Array(UnsafeRawBufferPointer(start: start + 8, count: 16)))
        default: nil
        }
    }
}
