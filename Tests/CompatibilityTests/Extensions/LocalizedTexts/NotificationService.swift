// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let kind = content.userInfo["kind"] as? String ?? ""
        let count = content.userInfo["count"] as? Int ?? 0
        content.title = String(format: NSLocalizedString("FROM_%@", comment: "title"), content.title)
        content.subtitle = NSLocalizedString(kind, tableName: "Kinds", bundle: .main, value: "?", comment: "")
        content.body = String(format: NSLocalizedString("PHOTOS", tableName: "Kinds", comment: ""), count)
            + String(localized: "Thanks")
            + NSLocalizedString("missing key", comment: "")
        contentHandler(content)
    }
}
