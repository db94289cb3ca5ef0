// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// The origin of a connection, as far as places are shared out: connections of one source stand together.
package enum PeerSource: Hashable, Sendable {
    /// The machine itself: nobody there is counted, since one address is everybody's.
    case local
    case address(UInt32)
    /// The first 64 bits of an IPv6 address: one customer has at least that many addresses.
    case network(UInt64)
    /// A user of the machine, as the kernel names who has connected to a Unix socket.
    case user(UInt32)

    /// A source that is counted has a limit of its own.
    package var isCounted: Bool {
        switch self {
        case .address, .network: true
        case .local, .user: false
        }
    }

    /// Idle connections of these sources give way to new ones: no limit of a source keeps places free for others.
    package var leavesIdlePlaces: Bool { !isCounted }
}

extension PeerSource {
    /// An address of which the kernel says nothing is the machine's own: a peer that is gone already has none.
    package init(_ address: SocketAddress?) {
        guard let address else {
            self = .local
            return
        }
        let bytes = address.withSockAddr { pointer, count in
            Array(UnsafeRawBufferPointer(start: pointer, count: count))
        }
        switch address {
        case .v4: self.init(four: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
        case .v6: self.init(six: Array(bytes[8..<24]))
        case .unixDomainSocket: self = .local
        }
    }

    private init(four bits: UInt32) {
        self = bits >> 24 == 127 ? .local : .address(bits)
    }

    private init(six bytes: [UInt8]) {
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (high, low) {
        case (0, 1): self = .local
        // RFC 4291, section 2.5.5.2: an IPv4 address in the form of one of IPv6.
        case (0, _) where low >> 32 == 0xffff:
            self.init(four: UInt32(truncatingIfNeeded: low))
        case (_, _): self = .network(high)
        }
    }
}
