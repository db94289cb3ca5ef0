// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttemptContent else { return contentHandler(request.content) }

        do {
            let message = try ChatKey.phone.open(content.userInfo)
            content.title = message.sender
            content.body = message.text
            content.threadIdentifier = message.room
        } catch {
            // The server's own words stay: "New message".
            content.subtitle = "It cannot be read on this device."
        }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }
}
