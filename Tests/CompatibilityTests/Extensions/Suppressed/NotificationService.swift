// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        if request.content.userInfo["muted"] as? Bool == true {
            // Nothing is shown: com.apple.developer.usernotifications.filtering
            contentHandler(UNNotificationContent())
        } else {
            contentHandler(request.content)
        }
    }
}
