// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let formatter: NumberFormatter
    private let prefix: String

    override init() {
        formatter = NumberFormatter()
        prefix = "№"
        super.init()
        formatter.numberStyle = .decimal
        formatter.locale = Locale(identifier: "en_US")
    }

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = prefix + (formatter.string(from: 12345.5) ?? "") + " " + content.title
        contentHandler(content)
    }
}
