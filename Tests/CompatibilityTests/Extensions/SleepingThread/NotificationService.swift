// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let lock = NSLock()

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        lock.lock()
        defer { lock.unlock() }
        let start = Date()
        Thread.sleep(forTimeInterval: 0.1)
        usleep(50_000)
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.subtitle = Date().timeIntervalSince(start) >= 0.15 ? "slept" : "woke early"
        contentHandler(content)
    }
}
