// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// One message: one packet on a SOCK_SEQPACKET socket.
///
/// Shape: type u8 ‖ request id u64 big-endian ‖ UTF-8 JSON object; 65,536 bytes at most. Messages that belong to no
/// request carry id 0.
/// Source: PROTOCOL.md, "Packets".
package struct Packet: Sendable, Equatable {
    package static let maximumByteCount = 65_536
    package static let headerByteCount = PacketHeader.byteCount
    /// A payload, the object around it, and what stands beside it.
    package static let depthLimit = Payload.depthLimit + 2
    /// A list of notifications in an answer has more around each payload.
    package static let answerDepthLimit = Payload.depthLimit + 5

    package let type: MessageType
    package let id: UInt64
    package let body: JSONObject

    package init(_ type: MessageType, id: UInt64 = 0, body: JSONObject = [:]) {
        self.type = type
        self.id = id
        self.body = body
    }
}

/// The reason for which bytes are no packet, or a packet cannot be sent.
package enum PacketError: Error, Equatable {
    case tooShort(byteCount: Int)
    case tooLong(byteCount: Int)
    case unknownType(UInt8)
    case badBody(JSONError)
}

extension Packet {
    /// `isAnswer` says that it may be an answer to a call.
    package init(decoding bytes: Span<UInt8>, isAnswer: Bool = false) throws(PacketError) {
        guard let header = PacketHeader(bytes) else { throw .tooShort(byteCount: bytes.count) }
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong(byteCount: bytes.count) }
        guard let type = MessageType(rawValue: header.type) else { throw .unknownType(header.type) }
        self.type = type
        id = header.id
        do {
            body = try JSONObject(
                parsing: bytes.extracting(Self.headerByteCount..<bytes.count),
                depthLimit: isAnswer && type == .answer ? Self.answerDepthLimit : Self.depthLimit
            )
        } catch {
            throw .badBody(error)
        }
    }

    package func encoded() throws(PacketError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        PacketHeader(type: type.rawValue, id: id).write(to: &bytes)
        body.write(to: &bytes)
        guard bytes.count <= Self.maximumByteCount else { throw .tooLong(byteCount: bytes.count) }
        return bytes
    }
}
