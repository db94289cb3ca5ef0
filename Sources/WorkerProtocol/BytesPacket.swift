// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A packet that carries part of a file in the place of JSON: type u8 ‖ id u64 big-endian ‖ 1 to 65,527 bytes.
///
/// Source: PROTOCOL.md, "Sealed files".
package enum BytesPacket {
    package static let maximumByteCount = Packet.maximumByteCount - Packet.headerByteCount

    /// `bytes` are at most `maximumByteCount`.
    package static func encode(_ type: MessageType, id: UInt64, _ bytes: Span<UInt8>) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(Packet.headerByteCount + bytes.count)
        PacketHeader(type: type.rawValue, id: id).write(to: &packet)
        for index in bytes.indices { packet.append(bytes[index]) }
        return packet
    }

    /// The id, if this is such a packet of that type; its bytes stand behind the header.
    package static func id(of packet: Span<UInt8>, _ type: MessageType) -> UInt64? {
        guard packet.count > Packet.headerByteCount, packet.count <= Packet.maximumByteCount,
            let header = PacketHeader(packet), header.type == type.rawValue
        else { return nil }
        return header.id
    }
}
