// SPDX-License-Identifier: Apache-2.0

import os
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        Logger().notice("before the key is read")
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = content.userInfo["sender"] as! String
        contentHandler(content)
    }
}
