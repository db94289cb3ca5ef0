// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let expired = DispatchSemaphore(value: 0)

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        // Blocks its own thread until the last call comes on another one.
        expired.wait()
        content.subtitle = "just in time"
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        expired.signal()
    }
}
