// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let identifiers = [UUID().uuidString, NSUUID().uuidString, UUID().uuidString, NSUUID().uuidString]
        let versions = identifiers.filter { $0.dropFirst(14).first == "4" && !$0.hasPrefix("00000000-0000") }
        let names = Set((0..<2).map { _ in ProcessInfo.processInfo.globallyUniqueString })
        let isRandom = names.count == 2 && Set((0..<8).map { _ in Int.random(in: 0..<Int.max) }).count == 8
        content.subtitle = "\(Set(identifiers).count) identifiers, \(versions.count) versions, \(isRandom ? "random" : "not")"
        contentHandler(content)
    }
}
