// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

actor Inbox {
    static let shared = Inbox()

    private var senders: [String] = []

    func add(_ sender: String) -> Int {
        senders.append(sender)
        return senders.count
    }
}

final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task {
            let unread = await Inbox.shared.add(request.content.title)
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
                return contentHandler(request.content)
            }
            content.badge = NSNumber(value: unread)
            contentHandler(content)
        }
    }
}
