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

/// What becomes of `aps` when an extension changes the content that way.
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
