// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The types of one socket's packets, and the longest packet that the socket carries.
package protocol PacketKind: RawRepresentable<UInt8>, CaseIterable, Sendable, Equatable {
    /// Inclusive, with the header.
    static var maximumByteCount: Int { get }
}

/// One message on a socket of the notification centre: one packet.
///
/// Shape: type u8 ‖ id u64 big-endian ‖ UTF-8 JSON object. A message that needs no id carries 0.
/// Source: PROTOCOL.md, "Packets".
package struct CenterPacket<Kind: PacketKind>: Sendable, Equatable {
    /// The levels of a payload and of what may stand around it: an answer, a list, a notification and its request.
    package static var depthLimit: Int { Payload.depthLimit + 5 }

    package let type: Kind
    package let id: UInt64
    package let body: JSONObject

    package init(_ type: Kind, id: UInt64 = 0, body: JSONObject = [:]) {
        self.type = type
        self.id = id
        self.body = body
    }
}

/// A packet of the link between host and centre.
package typealias LinkPacket = CenterPacket<LinkMessageType>
/// A packet of the socket between an app and the centre.
package typealias AppPacket = CenterPacket<AppMessageType>

/// The reason for which bytes are no packet, or a packet cannot be sent.
package enum PacketFault: Error, Equatable {
    case tooShort(byteCount: Int)
    case tooLong(byteCount: Int, limit: Int)
    case unknownType(UInt8)
    case badBody(JSONError)
}

extension CenterPacket {
    package init(decoding bytes: Span<UInt8>) throws(PacketFault) {
        let (type, id) = try Self.header(of: bytes)
        do {
            body = try JSONObject(
                parsing: bytes.extracting(PacketHeader.byteCount..<bytes.count),
                depthLimit: Self.depthLimit
            )
        } catch {
            throw .badBody(error)
        }
        self.type = type
        self.id = id
    }

    /// Reads type and id of a packet whose length and type are allowed, without its body.
    static func header(of bytes: Span<UInt8>) throws(PacketFault) -> (type: Kind, id: UInt64) {
        guard let header = PacketHeader(bytes) else { throw .tooShort(byteCount: bytes.count) }
        try checkLength(bytes.count)
        guard let type = Kind(rawValue: header.type) else { throw .unknownType(header.type) }
        return (type, header.id)
    }

    package func encoded() throws(PacketFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        PacketHeader(type: type.rawValue, id: id).write(to: &bytes)
        body.write(to: &bytes)
        try Self.checkLength(bytes.count)
        return bytes
    }

    static func checkLength(_ byteCount: Int) throws(PacketFault) {
        guard byteCount <= Kind.maximumByteCount else {
            throw .tooLong(byteCount: byteCount, limit: Kind.maximumByteCount)
        }
    }
}
