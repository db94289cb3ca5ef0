// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
        guard let content = bestAttemptContent else { return }

        if let text = content.userInfo["image"] as? String, let url = URL(string: text) {
            if let attachment = save("image.png", from: url) { content.attachments = [attachment] }
        }
        contentHandler(content)
    }

    private func save(_ name: String, from url: URL) -> UNNotificationAttachment? {
        guard let data = try? Data(contentsOf: url) else { return nil }
        let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
        do {
            try data.write(to: file)
            return try UNNotificationAttachment(identifier: name, url: file, options: nil)
        } catch {
            return nil
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}
