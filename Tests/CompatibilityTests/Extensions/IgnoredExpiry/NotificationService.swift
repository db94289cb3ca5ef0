// SPDX-License-Identifier: Apache-2.0

import os.log
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var pending: [String: (UNNotificationContent) -> Void] = [:]

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        pending[request.identifier] = contentHandler
    }

    override func serviceExtensionTimeWillExpire() {
        os_log("%{public}d notifications are lost", type: .fault, pending.count)
    }
}
