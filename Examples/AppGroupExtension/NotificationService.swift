// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
            let inbox = Inbox(group: "group.com.example.chat")
        else { return contentHandler(request.content) }
        do {
            let unread = try inbox.add(Message(title: content.title, body: content.body))
            content.badge = NSNumber(value: unread)
            content.subtitle = unread == 1 ? "1 unread message" : "\(unread) unread messages"
        } catch {
            // The notification is worth more than the file.
        }
        contentHandler(content)
    }
}
