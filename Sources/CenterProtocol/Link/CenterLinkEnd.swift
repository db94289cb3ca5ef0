// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The centre's end of the link: judges what comes from the host, and encodes what the centre sends.
///
/// A violation of the host ends the conversation. A message of the centre's own that the table does not allow is thrown
/// as well and is not sent; the conversation goes on.
package struct CenterLinkEnd: ~Copyable {
    package enum Event: Sendable, Equatable {
        /// Answer with `ready`, then with all gates.
        case hello(LinkHello)
        /// A part of the registry came, and others follow.
        case registryPiece
        /// The registry is complete and takes the place of the former one.
        case registry(LinkRegistry)
        /// A file of an app, which belongs to the registry that is complete next.
        case file(AppFile)
        case record(number: Int64, LinkRecord)
        /// The record is none that can be read: answer it with `unfit`.
        case unreadableRecord(number: Int64)
        /// Numbers below the floor may be forgotten.
        case floor(Int64)
        case call(id: UInt64, LinkCall)
        /// The host's answer to an ask.
        case told(id: UInt64, LinkAsk.Wish, CallAnswer)
        case viewScene(id: UInt64, JSONObject)
        /// A picture of a view, whose descriptor came with it.
        case viewFile(id: UInt64, LinkViewFile)
        case viewEnded(id: UInt64, ViewEnd)
        /// Nothing more comes; what is under way is answered.
        case shutdown
    }

    private var conversation = LinkConversation()

    package init() {}

    /// True if `taken`, `unfit`, answers and asks may be sent.
    package var isServing: Bool { conversation.center == .serving }
    /// The records that wait for `taken` or `unfit`.
    package var window: LinkWindow { conversation.window }
    package var hasRoomForAsk: Bool { conversation.asks.hasRoom }
    /// The id for the next ask.
    package var nextAskID: UInt64 { conversation.asks.lastID + 1 }
    /// The id for the next view; `nil` means that as many are open as may be, or that no host listens.
    package var nextViewID: UInt64? {
        guard isServing, conversation.host == .serving, conversation.views.hasRoom else { return nil }
        return conversation.views.lastID + 1
    }

    /// Judges and encodes a message.
    package mutating func send(_ message: CenterLinkMessage) throws(LinkViolation) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try message.packet.encoded() } catch { throw .packet(error) }
        try conversation.take(message)
        return bytes
    }

    /// Judges one packet of the host; `descriptorCount` is the number of descriptors that came with it.
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
        let (type, id): (LinkMessageType, UInt64)
        do { (type, id) = try LinkPacket.header(of: bytes) } catch { throw .packet(error) }
        guard type.isFromHost else { throw .wrongDirection(type) }
        try conversation.checkPhase(of: type)
        if type == .told, conversation.asks[id] == nil { throw .unknownID(.told, id) }
        let message: HostLinkMessage
        do throws(LinkViolation) {
            let packet: LinkPacket
            do { packet = try LinkPacket(decoding: bytes) } catch { throw .packet(error) }
            message = try HostLinkMessage(packet, wish: conversation.asks[id])
        } catch {
            // An outbox row that cannot be read would come again and again: it is settled, and the link goes on.
            guard type == .record, let number = Int64(exactly: id), number > 0 else { throw error }
            try conversation.takeRecord(number, byteCount: bytes.count)
            return .unreadableRecord(number: number)
        }
        guard descriptorCount == message.descriptorCount else {
            throw .descriptors(type, announced: message.descriptorCount, came: descriptorCount)
        }
        let registry = try conversation.take(message, byteCount: bytes.count)
        return Self.event(of: message, registry)
    }

    private static func event(of message: HostLinkMessage, _ registry: LinkRegistry?) -> Event {
        switch message {
        case .hello(let hello): .hello(hello)
        case .record(let number, let record): .record(number: number, record)
        case .floor(let floor): .floor(floor)
        case .call(let id, let call): .call(id: id, call)
        case .told(let id, let wish, let answer): .told(id: id, wish, answer)
        case .apps: registry.map(Event.registry) ?? .registryPiece
        case .file(let file): .file(file)
        case .viewScene(let id, let update): .viewScene(id: id, update)
        case .viewFile(let id, let file): .viewFile(id: id, file)
        case .viewEnded(let id, let reason): .viewEnded(id: id, reason)
        case .shutdown: .shutdown
        }
    }
}
