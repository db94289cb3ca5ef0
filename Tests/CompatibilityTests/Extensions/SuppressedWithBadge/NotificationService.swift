// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let silent = UNMutableNotificationContent()
        silent.badge = request.content.userInfo["unread"] as? NSNumber
        contentHandler(silent)
    }
}
