// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("photo.png")
        // The server answered with a page, which nobody looked at.
        try? "<html><body>Not found</body></html>".write(to: file, atomically: true, encoding: .utf8)
        if let attachment = try? UNNotificationAttachment(identifier: "photo", url: file, options: nil) {
            content.attachments = [attachment]
            content.subtitle = "with a picture"
        }
        contentHandler(content)
    }
}
