// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The host's end of the link: encodes what the host sends, and judges what comes from the centre.
///
///     var end = HostLinkEnd()
///     try socket.send(end.send(.hello(hello)))
///     switch try end.receive(bytes, descriptorCount: 0) { … }
///
/// A violation of the centre ends the conversation. A message of the host's own that the table does not allow is thrown
/// as well and is not sent; the conversation goes on.
package struct HostLinkEnd: ~Copyable {
    package enum Event: Sendable, Equatable {
        case ready
        /// A part of a list of gates; the list takes effect with its last piece.
        case gates(Piece<GateList>)
        case taken(TakenRanges)
        /// The record becomes a dead letter.
        case unfit(number: Int64, UnfitReason)
        case answer(id: UInt64, CallAnswer)
        /// The answer to a call that was given up: without effect.
        case lateAnswer(id: UInt64)
        /// Answer it with `told`.
        case ask(id: UInt64, LinkAsk)
        /// Open it, and say with `viewEnded` when it is no more.
        case viewOpen(id: UInt64, LinkView)
        case viewEvent(id: UInt64, JSONObject)
    }

    private var conversation = LinkConversation()

    package init() {}

    /// True if records, calls and the floor may be sent.
    package var isServing: Bool { conversation.host == .serving }
    package var window: LinkWindow { conversation.window }
    /// True if one more call may be sent: calls without an answer keep their places, given up or not.
    package var hasRoomForCall: Bool { conversation.calls.hasRoom }
    /// The id for the next call.
    package var nextCallID: UInt64 { conversation.calls.lastID + 1 }

    /// Judges and encodes a message; the descriptors that it announces travel with the packet.
    package mutating func send(_ message: HostLinkMessage) throws(LinkViolation) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try message.packet.encoded() } catch { throw .packet(error) }
        _ = try conversation.take(message, byteCount: bytes.count)
        return bytes
    }

    /// Takes a record into the window that `LinkRecord.packet(number:owner:pushType:text:)` has encoded.
    package mutating func send(record number: Int64, packetByteCount: Int) throws(LinkViolation) {
        try conversation.takeRecord(number, byteCount: packetByteCount)
    }

    /// Gives up waiting for the answer to a call; false if it was answered or given up before.
    package mutating func expireCall(_ id: UInt64) -> Bool { conversation.expireCall(id) }

    /// Judges one packet of the centre; `descriptorCount` is the number of descriptors that came with it.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        descriptorCount: Int
    ) throws(LinkViolation) -> Event {
        do { return try event(for: bytes, descriptorCount) } catch {
            conversation.end()
            throw error
        }
    }

    private mutating func event(for bytes: Span<UInt8>, _ descriptorCount: Int) throws(LinkViolation) -> Event {
        let packet: LinkPacket
        do { packet = try LinkPacket(decoding: bytes) } catch { throw .packet(error) }
        guard !packet.type.isFromHost else { throw .wrongDirection(packet.type) }
        try conversation.checkPhase(of: packet.type)
        if packet.type == .answer, conversation.calls[packet.id] == nil { throw .unknownID(.answer, packet.id) }
        let message = try CenterLinkMessage(packet, answering: conversation.calls[packet.id])
        guard descriptorCount == message.descriptorCount else {
            throw .descriptors(packet.type, announced: message.descriptorCount, came: descriptorCount)
        }
        let isLate = conversation.calls.isExpired(packet.id)
        try conversation.take(message)
        switch message {
        case .ready: return .ready
        case .taken(let taken): return .taken(taken)
        case .unfit(let number, let reason): return .unfit(number: number, reason)
        case .answer(let id, _, let answer): return isLate ? .lateAnswer(id: id) : .answer(id: id, answer)
        case .ask(let id, let ask): return .ask(id: id, ask)
        case .gates(let piece): return .gates(piece)
        case .viewOpen(let id, let view): return .viewOpen(id: id, view)
        case .viewEvent(let id, let event): return .viewEvent(id: id, event)
        }
    }
}
