// SPDX-License-Identifier: Apache-2.0

import UserNotifications
import WidgetKit

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        if #available(iOSApplicationExtension 14.0, *) {
            WidgetCenter.shared.reloadAllTimelines()
            WidgetCenter.shared.reloadTimelines(ofKind: "com.example.chat.unread")
        }
        content.subtitle = "reloaded"
        contentHandler(content)
    }
}
