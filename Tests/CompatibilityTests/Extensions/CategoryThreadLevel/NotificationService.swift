// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.categoryIdentifier = "MESSAGE"
        content.threadIdentifier = "room-\(content.userInfo["room"] as! String)"
        content.summaryArgument = content.title
        content.summaryArgumentCount = 2
        content.targetContentIdentifier = "kitchen-window"
        if #available(iOS 15.0, *) {
            content.interruptionLevel = .timeSensitive
            content.relevanceScore = 0.75
        }
        if #available(iOS 16.0, *) {
            content.filterCriteria = "work"
        }
        contentHandler(content)
    }
}
