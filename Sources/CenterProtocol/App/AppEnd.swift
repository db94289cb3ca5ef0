// SPDX-License-Identifier: Apache-2.0

/// The app's end of its socket to the centre: encodes what the app sends, and judges what comes from the centre.
///
/// A violation of the centre ends the conversation. A message of the app's own that the table does not allow is thrown
/// as well and is not sent; the conversation goes on.
package struct AppEnd: ~Copyable {
    private var conversation = AppConversation()

    package init() {}

    /// True from `welcome` on.
    package var isOpen: Bool { conversation.isOpen }
    package var hasRoomForCall: Bool { conversation.calls.hasRoom }
    /// The id for the next call.
    package var nextCallID: UInt64 { conversation.calls.lastID + 1 }
    /// The time until the next call may be sent; zero means now.
    package func pause(at now: Duration) -> Duration { conversation.rate.pause(at: now) }

    /// Judges and encodes a message; the descriptors that it announces travel with the packet.
    package mutating func send(_ message: AppMessage, at now: Duration) throws(AppViolation) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try message.packet.encoded() } catch { throw .packet(error) }
        try conversation.take(message, at: now)
        return bytes
    }

    /// Judges one packet of the centre; whatever it returns is what the centre said.
    ///
    /// `willPresent`, `response` and `silent` are answered with `present`, `completed` and `finished` of the same id.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        descriptorCount: Int
    ) throws(AppViolation) -> CenterAppMessage {
        do {
            let message = try message(in: bytes, descriptorCount)
            try conversation.take(message)
            return message
        } catch {
            conversation.end()
            throw error
        }
    }

    private func message(in bytes: Span<UInt8>, _ descriptorCount: Int) throws(AppViolation) -> CenterAppMessage {
        let packet: AppPacket
        do { packet = try AppPacket(decoding: bytes) } catch { throw .packet(error) }
        guard !packet.type.isFromApp else { throw .wrongDirection(packet.type) }
        guard descriptorCount == 0 else { throw .descriptors(packet.type, announced: 0, came: descriptorCount) }
        try conversation.checkPhase(of: packet.type)
        if packet.type == .answer, conversation.calls[packet.id] == nil { throw .unknownID(.answer, packet.id) }
        return try CenterAppMessage(packet, answering: conversation.calls[packet.id])
    }
}
