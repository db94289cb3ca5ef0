// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import Locking
import NotificationPayload
import PacketSockets
import UserNotificationCenter

// What the centre asks an app by its socket, and what it tells without being asked.

extension AppSession: ForegroundAsker {
    func ask(_ notification: ToldNotification) -> Question<PresentationOptions>? {
        // Too long for a packet, more than an app has at a time, or of an app that has just gone.
        try? end.withLock { end throws(AppViolation) in
            let id = end.nextQuestionID
            var notification = notification
            // The store's own number of the wait counts those of all owners.
            notification.number = Int64(clamping: id)
            let packet = try end.send(.willPresent(id: id, notification))
            let question = Question<PresentationOptions> { [weak self] in self?.forget(id) }
            state.withLock { $0.questions[id] = question }
            // In the order of the ids, which rise.
            writer.async { [socket] in
                if !socket.send(packet) { question.answer(nil) }
            }
            return question
        }
    }

    /// Takes an answer that comes from now on for a late one.
    private func forget(_ id: UInt64) {
        state.withLock { $0.questions[id] = nil }
        _ = end.withLock { $0.expireQuestion(id) }
    }
}

extension AppSession: SilentReceiver {
    var takesSilentPushes: Bool { state.withLock(\.presence.silent) && end.withLock { $0.hasRoomForSilentPush } }

    func handle(_ payload: Payload) async throws -> FetchResult? {
        let (question, packet) = try end.withLock { end throws(AppViolation) in
            let id = end.nextQuestionID
            let packet = try end.send(.silent(id: id, payload))
            let question = Question<FetchResult> { [weak self] in _ = self?.end.withLock { $0.expireQuestion(id) } }
            state.withLock { $0.silentPush = question }
            return (question, packet)
        }
        try await hand(packet)
        return await question.wait(SilentDelivery.limit, clock)
    }
}

extension AppSession: AppNewsReceiver {
    var showsSettings: Bool { state.withLock(\.presence.listens) }

    func tell(_ message: AppNews.Message) -> Bool {
        switch message {
        case .token(let token): sendAside(.token(token))
        // One that fits no packet is left out, and the app shows its settings all the same.
        case .openSettings(let notification):
            sendAside(.openSettings(notification)) || notification != nil && sendAside(.openSettings(nil))
        }
    }

    /// Has a message that the app does not answer sent behind those before it; false: the table does not allow it now.
    private func sendAside(_ message: CenterAppMessage) -> Bool {
        guard let packet = try? end.withLock({ end throws(AppViolation) in try end.send(message) }) else {
            return false
        }
        writer.async { [socket] in
            // An app that reads nothing, or one that is gone.
            if !socket.send(packet) { socket.shutDown() }
        }
        return true
    }
}
