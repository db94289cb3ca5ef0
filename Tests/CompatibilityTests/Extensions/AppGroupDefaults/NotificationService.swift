// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    let groupDefaults = UserDefaults(suiteName: "group.com.example.chat")

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
        if let bestAttemptContent = bestAttemptContent {
            var count: Int = groupDefaults?.value(forKey: "count") as? Int ?? 1
            bestAttemptContent.badge = count as NSNumber
            count += 1
            groupDefaults?.set(count, forKey: "count")
            bestAttemptContent.subtitle = "next \(groupDefaults?.integer(forKey: "count") ?? 0)"
            // A group that is not in the entitlements.
            let other = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.other")
            bestAttemptContent.body = other == nil ? "one group" : "two groups"
            contentHandler(bestAttemptContent)
        }
    }
}
