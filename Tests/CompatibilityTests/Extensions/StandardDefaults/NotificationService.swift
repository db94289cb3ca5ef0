// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let defaults = UserDefaults.standard

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        defaults.register(defaults: ["signature": "— sent from chat", "shows": true])
        defaults.set(defaults.integer(forKey: "count") + 5, forKey: "count")
        defaults.set(["a", "b"], forKey: "rooms")
        defaults.set(Date(timeIntervalSince1970: 0), forKey: "last")
        defaults.synchronize()
        content.badge = defaults.integer(forKey: "count") as NSNumber
        if defaults.bool(forKey: "shows"), let signature = defaults.string(forKey: "signature") {
            content.body += " \(signature) \(defaults.stringArray(forKey: "rooms")!.count)"
        }
        content.subtitle = defaults.object(forKey: "last") is Date ? "date" : "none"
        defaults.removeObject(forKey: "last")
        contentHandler(content)
    }
}
