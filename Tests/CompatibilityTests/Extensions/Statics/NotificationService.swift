// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private static var received = 0
    private static let queue = DispatchQueue(label: "com.example.chat.received")
    static let shared = Settings()

    class Settings {
        lazy var suffix: String = " #"
    }

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let number: Int = Self.queue.sync {
            NotificationService.received += 1
            return NotificationService.received
        }
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title += "\(Self.shared.suffix)\(number)"
        contentHandler(content)
    }
}
