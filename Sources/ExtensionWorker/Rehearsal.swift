// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotifications
import WorkerProtocol

/// A request that nobody sent goes the way of all others, up to the extension and back without it.
///
/// What the first use of code costs (symbols bound, pages copied, tables built) is then paid before `ready`, where a
/// spare process has time, and not by a notification.
enum Rehearsal {
    /// True when the way is open; it does no I/O and leaves nothing behind.
    @discardableResult
    static func run() -> Bool {
        var conversation = ServeConversation()
        let hello = HostMessage.hello(
            .init(bundleIdentifier: "rehearsal", topic: "rehearsal", scratch: nil, maxConcurrentRequests: 1)
        )
        let request = HostMessage.request(
            id: 1,
            .init(
                identifier: "00000000-0000-0000-0000-000000000000",
                date: "2001-01-01T00:00:00.000Z",
                payload: payload,
                budgetMilliseconds: 1000
            )
        )
        guard let greeting = try? hello.packet.encoded(), let order = try? request.packet.encoded(),
            case .hello = try? conversation.receive(greeting.span),
            case .request(let id, let received) = try? conversation.receive(order.span)
        else { return false }
        let original = UNNotificationRequest(
            identifier: received.identifier,
            content: UNNotificationContent(payload: received.payload),
            trigger: UNPushNotificationTrigger()
        )
        guard let content = original.content.mutableCopy() as? UNMutableNotificationContent else { return false }
        content.title += content.subtitle
        content.threadIdentifier = content.userInfo["room"] as? String ?? ""
        guard conversation.complete(id: id), case .success = OutgoingContent(content, scratch: nil).encoded(id: id)
        else { return false }
        return true
    }

    private static var payload: Payload {
        Payload([
            "aps": [
                "alert": ["title": "Title", "subtitle": "Subtitle", "body": "Body"], "badge": 1, "sound": "default",
                "mutable-content": 1, "thread-id": "thread", "category": "category",
            ],
            "room": "room", "numbers": [1, 2.5, true, nil],
        ])
    }
}
