// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        // Pictures of some size, decoded: well below what a phone allows.
        let pictures = (1...4).map { Data(repeating: UInt8($0), count: 4 << 20) }
        content.badge = pictures.reduce(0) { $0 + Int($1.last ?? 0) } as NSNumber
        contentHandler(content)
    }
}
