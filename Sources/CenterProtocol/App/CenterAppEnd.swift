// SPDX-License-Identifier: Apache-2.0

/// The centre's end of an app's socket: judges what comes from the app, and encodes what the centre sends.
///
/// A violation of the app ends the conversation. A message of the centre's own that the table does not allow is thrown
/// as well and is not sent; the conversation goes on.
package struct CenterAppEnd: ~Copyable {
    package enum Event: Sendable, Equatable {
        /// Answer with `welcome` or `rejected`.
        case hello(AppHello)
        case call(id: UInt64, CenterCall)
        case presence(Presence)
        case present(id: UInt64, PresentationOptions)
        case completed(id: UInt64)
        case finished(id: UInt64, FetchResult)
        /// The answer to a question that was given up: without effect.
        case lateAnswer(id: UInt64)
    }

    private var conversation = AppConversation()

    package init() {}

    /// True from `welcome` on.
    package var isOpen: Bool { conversation.isOpen }
    /// The id for the next question.
    package var nextQuestionID: UInt64 { conversation.questions.lastID + 1 }
    package var hasRoomToPresent: Bool { conversation.hasRoom(for: .willPresent) }
    package var hasRoomForResponse: Bool { conversation.hasRoom(for: .response) }
    package var hasRoomForSilentPush: Bool { conversation.hasRoom(for: .silent) }

    /// The time for which the socket is left unread, so that calls that came together are no violation; zero means that
    /// the socket may be read.
    package func pause(at now: Duration) -> Duration { conversation.rate.pause(at: now) }

    /// Judges and encodes a message.
    package mutating func send(_ message: CenterAppMessage) throws(AppViolation) -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try message.packet.encoded() } catch { throw .packet(error) }
        try conversation.take(message)
        return bytes
    }

    /// Gives up waiting for the answer to a question; false if it was answered or given up before.
    ///
    /// The question keeps its place, so that an app which never answers is asked 16 times and no more.
    package mutating func expireQuestion(_ id: UInt64) -> Bool { conversation.expireQuestion(id) }

    /// Judges one packet of the app; `descriptorCount` is the number of descriptors that came with it.
    package mutating func receive(
        _ bytes: Span<UInt8>,
        descriptorCount: Int,
        at now: Duration
    ) throws(AppViolation) -> Event {
        do {
            let message = try message(in: bytes, descriptorCount)
            let lateID = lateID(of: message)
            try conversation.take(message, at: now)
            return lateID.map(Event.lateAnswer) ?? Self.event(of: message)
        } catch {
            conversation.end()
            throw error
        }
    }

    private func message(in bytes: Span<UInt8>, _ descriptorCount: Int) throws(AppViolation) -> AppMessage {
        let type: AppMessageType
        do { type = try AppPacket.header(of: bytes).type } catch { throw .packet(error) }
        guard type.isFromApp else { throw .wrongDirection(type) }
        // The body of a message that is not allowed now is not read.
        try conversation.checkPhase(of: type)
        let packet: AppPacket
        do { packet = try AppPacket(decoding: bytes) } catch { throw .packet(error) }
        let message = try AppMessage(packet)
        guard descriptorCount == message.descriptorCount else {
            throw .descriptors(type, announced: message.descriptorCount, came: descriptorCount)
        }
        return message
    }

    /// The question that a message answers too late; `nil` means that it does not.
    private func lateID(of message: AppMessage) -> UInt64? {
        switch message {
        case .present(let id, _), .completed(let id), .finished(let id, _):
            conversation.questions.isExpired(id) ? id : nil
        case .hello, .call, .presence: nil
        }
    }

    private static func event(of message: AppMessage) -> Event {
        switch message {
        case .hello(let hello): .hello(hello)
        case .call(let id, let call): .call(id: id, call)
        case .presence(let presence): .presence(presence)
        case .present(let id, let options): .present(id: id, options)
        case .completed(let id): .completed(id: id)
        case .finished(let id, let result): .finished(id: id, result)
        }
    }
}
