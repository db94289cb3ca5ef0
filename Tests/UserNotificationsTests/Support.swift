// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications

func content(_ payload: JSONObject) -> UNNotificationContent {
    UNNotificationContent(payload: Payload(payload))
}

func content(aps: JSONObject) -> UNNotificationContent {
    content(["aps": .object(aps)])
}

/// Returns the `aps` of a notification whose content an extension has changed by `change`.
func aps(_ aps: JSONObject, _ change: (UNMutableNotificationContent) -> Void) throws -> JSONObject? {
    let mutable = try #require(content(aps: aps).mutableCopy() as? UNMutableNotificationContent)
    change(mutable)
    return mutable.payload().payload.aps
}

/// The same content with its `userInfo` set anew, so that the way back reads Foundation types.
func withUserInfoSet(_ content: UNNotificationContent) throws -> UNMutableNotificationContent {
    let mutable = try #require(content.mutableCopy() as? UNMutableNotificationContent)
    mutable.userInfo = content.userInfo
    return mutable
}
