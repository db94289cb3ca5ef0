// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = (request.content.mutableCopy() as? UNMutableNotificationContent) ?? UNMutableNotificationContent()
        let wasMain = Thread.isMainThread
        DispatchQueue.main.async {
            content.title = "\(wasMain), then \(Thread.isMainThread)"
            // Waits for the main queue from outside: it must be free.
            DispatchQueue.global().async {
                DispatchQueue.main.sync { content.subtitle = "sync" }
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) {
                    contentHandler(content)
                }
            }
        }
    }
}
