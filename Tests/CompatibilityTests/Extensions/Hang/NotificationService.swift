// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let reply = DispatchSemaphore(value: 0)
        // Nobody ever signals.
        reply.wait()
        contentHandler(request.content)
    }
}
