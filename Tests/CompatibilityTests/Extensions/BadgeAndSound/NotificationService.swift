// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return contentHandler(request.content) }
        content.badge = NSNumber(integerLiteral: (content.badge?.intValue ?? 0) + 4)
        if content.sound == .default, content.userInfo["from"] as? String == "boss" {
            content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: "boss.caf"))
        }
        contentHandler(content)
    }
}
