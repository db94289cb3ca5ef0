// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let center = UNUserNotificationCenter.current()

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        if let identifier = content.userInfo["retracted"] as? String {
            center.removeDeliveredNotifications(withIdentifiers: [identifier])
            center.removePendingNotificationRequests(withIdentifiers: [identifier])
        }
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send", textInputPlaceholder: "Message")
        let like = UNNotificationAction(identifier: "LIKE", title: "Like", options: .foreground)
        let category = UNNotificationCategory(identifier: "MESSAGE", actions: [reply, like], intentIdentifiers: [], options: [])
        center.getNotificationCategories { [center] categories in
            center.setNotificationCategories(categories.union([category]))
            content.categoryIdentifier = category.identifier

            center.getDeliveredNotifications { notifications in
                let rooms = Dictionary(grouping: notifications, by: { $0.request.content.threadIdentifier })
                content.subtitle = "\(notifications.count) in \(rooms.count)"

                let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
                let reminder = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
                center.add(reminder) { error in
                    if let error = error as? UNError { content.body = "not added: \(error.code.rawValue)" }
                    contentHandler(content)
                }
            }
        }
    }
}
