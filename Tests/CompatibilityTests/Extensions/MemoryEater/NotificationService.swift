// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var cache: [Data] = []

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        // A full-size picture after the other, decoded.
        for number in 1...40 {
            cache.append(Data(repeating: UInt8(number), count: 4 << 20))
        }
        contentHandler(request.content)
    }
}
