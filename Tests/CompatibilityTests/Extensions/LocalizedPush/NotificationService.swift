// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        let alert = (content.userInfo["aps"] as? [String: Any])?["alert"] as? [String: Any]
        let key = alert?["loc-key"] as? String ?? "none"
        let arguments = alert?["loc-args"] as? [String] ?? []
        content.body += " (\(key), \(arguments.count))"
        contentHandler(content)
    }
}
