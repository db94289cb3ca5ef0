// SPDX-License-Identifier: Apache-2.0

import UserNotifications

@available(iOSApplicationExtension 10.0, *)
class NotificationService: UNNotificationServiceExtension {

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        if #available(iOS 15.0, *) {
            content.interruptionLevel = .passive
            content.relevanceScore = 0.5
        }
        if #available(iOS 16, macOS 13, *) {
            decorate(content)
        } else {
            content.subtitle = "old"
        }
        if #unavailable(iOS 14) {
            content.body = "older"
        }
        guard #available(iOSApplicationExtension 12.0, *) else { return }
        contentHandler(content)
    }

    @available(iOS 16.0, macOS 13.0, *)
    private func decorate(_ content: UNMutableNotificationContent) {
        content.subtitle = "new"
    }

    @available(*, deprecated, message: "use decorate(_:)")
    private func adorn(_ content: UNMutableNotificationContent) {}
}
