// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// Shows nothing for what this person has muted.
///
/// On iOS that needs the entitlement `com.apple.developer.usernotifications.filtering`, which Apple grants on request.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let mute = Mute(request.content.userInfo), mute.applies else { return contentHandler(request.content) }
        let silent = UNMutableNotificationContent()
        silent.badge = request.content.badge
        contentHandler(silent)
    }
}

/// The topics and the text of a push, beside the topic and the words that this person has muted.
private struct Mute {
    private static let words = ["lottery", "discount"]

    private let topics: [String]
    private let text: String

    init?(_ userInfo: [AnyHashable: Any]) {
        guard let topics = userInfo["topics"] as? [String] else { return nil }
        self.topics = topics
        let alert = (userInfo["aps"] as? [String: Any])?["alert"] as? [String: Any]
        text = (alert?["body"] as? String ?? "").lowercased()
    }

    var applies: Bool { topics.contains("ads") || Self.words.contains { text.contains($0) } }
}
