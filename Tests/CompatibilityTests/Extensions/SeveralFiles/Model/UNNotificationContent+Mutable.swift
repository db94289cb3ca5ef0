// SPDX-License-Identifier: Apache-2.0

import UserNotifications

extension UNNotificationContent {
    var mutable: UNMutableNotificationContent? {
        return mutableCopy() as? UNMutableNotificationContent
    }

    var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }

    var mentions: [String] { userInfo["tokens"] as? [String] ?? [] }
}
