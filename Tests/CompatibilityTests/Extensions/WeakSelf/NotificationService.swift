// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent

        DispatchQueue.global(qos: .userInitiated).async { [weak self] in
            let words = ["soup", "bread"].joined(separator: ", ")
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
                guard let self = self else { return }
                self.bestAttemptContent?.body += " " + words
                self.finish()
            }
        }
    }

    private func finish() {
        guard let content = bestAttemptContent else { return }
        contentHandler?(content)
        contentHandler = nil
    }

    override func serviceExtensionTimeWillExpire() { finish() }
}
