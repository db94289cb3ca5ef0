// SPDX-License-Identifier: Apache-2.0

/// The first nine bytes of every packet between processes of Nestbox: type u8 ‖ id u64 big-endian.
///
/// Each conversation has types and a longest packet of its own; the header is the same in all of them.
/// Source: PROTOCOL.md, "Packets".
package struct PacketHeader: Sendable, Equatable {
    package static let byteCount = 9

    /// The type, known to the receiver or not.
    package let type: UInt8
    package let id: UInt64

    package init(type: UInt8, id: UInt64) {
        self.type = type
        self.id = id
    }

    /// Reads the header of a packet; returns `nil` for fewer bytes than a header has.
    package init?(_ packet: Span<UInt8>) {
        guard packet.count >= Self.byteCount else { return nil }
        var id: UInt64 = 0
        for index in 1..<Self.byteCount { id = id << 8 | UInt64(packet[index]) }
        self.init(type: packet[0], id: id)
    }

    /// Appends the nine bytes.
    package func write(to bytes: inout [UInt8]) {
        bytes.append(type)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: id >> UInt64(shift)))
        }
    }
}
