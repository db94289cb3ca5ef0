// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications

/// In the shape of Xcode's template, compiled in the language mode of this target.
class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
        if let bestAttemptContent = bestAttemptContent {
            bestAttemptContent.title = "\(bestAttemptContent.title) [modified]"
            contentHandler(bestAttemptContent)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}

/// The handler declared `@Sendable`, a plain `init`, URLSession without another import.
class SendableSpelling: UNNotificationServiceExtension {
    override init() {
        super.init()
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        guard let address = request.content.userInfo["image"] as? String, let url = URL(string: address) else {
            return contentHandler(request.content)
        }
        URLSession.shared.downloadTask(with: url) { _, _, _ in contentHandler(request.content) }.resume()
    }
}

struct TemplateExtensionTests {
    @Test func `the template's shape completes with a content`() async {
        await confirmation(expectedCount: 3) { completed in
            for service in [NotificationService(), SendableSpelling(), UNNotificationServiceExtension()] {
                let request = UNNotificationRequest(
                    identifier: "i",
                    content: UNNotificationContent(payload: Payload(["aps": ["alert": ["title": "A"]]])),
                    trigger: UNPushNotificationTrigger()
                )
                service.didReceive(request) { content in
                    #expect(content.title.hasPrefix("A"))
                    completed()
                }
            }
        }
    }
}
