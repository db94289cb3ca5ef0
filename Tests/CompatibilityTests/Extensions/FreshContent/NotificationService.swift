// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        // Nothing of the push but its number.
        let content = UNMutableNotificationContent()
        content.body = "Order \(request.content.userInfo["order"] as? Int ?? 0) has left"
        contentHandler(content)
    }
}
