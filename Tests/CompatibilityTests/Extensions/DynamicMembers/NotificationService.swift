// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        if let aps = content.userInfo["aps"] as? [String: AnyObject] {
            content.badge = NSNumber(value: (aps["badge"]?.integerValue ?? 0) + 1)
        }
        contentHandler(content)
    }
}
