// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "nobody", kSecReturnData: true] as CFDictionary
        var found: CFTypeRef?
        content.subtitle = SecItemCopyMatching(query, &found) == errSecItemNotFound ? "no item" : "an item"
        contentHandler(content)
    }
}
