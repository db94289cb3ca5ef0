// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let pipeline: [ContentStep] = [MentionStep(), ShoutStep(strength: 2)]

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        guard let content = request.content.mutable else { return contentHandler(request.content) }
        for step in pipeline where step.applies(to: content) { step.apply(to: content) }
        contentHandler(content)
    }
}
