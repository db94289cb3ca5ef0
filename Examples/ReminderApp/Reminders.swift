// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

/// Reminders as an app for a phone has them: this file compiles unchanged for iOS.
final class Reminders: NSObject, UNUserNotificationCenterDelegate {
    private let center = UNUserNotificationCenter.current()
    private let heard: @Sendable (String) -> Void

    /// `heard` takes what the owner answers, a line at a time.
    init(heard: @escaping @Sendable (String) -> Void) {
        self.heard = heard
    }

    /// Sets the delegate and the category, and asks the owner for permission.
    func start() async throws -> Bool {
        center.delegate = self
        let reply = UNTextInputNotificationAction(
            identifier: "reply",
            title: "Reply",
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Answer"
        )
        let done = UNNotificationAction(identifier: "done", title: "Done")
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "reminder", actions: [reply, done], intentIdentifiers: [])
        ])
        return try await center.requestAuthorization(options: [.alert, .sound, .badge])
    }

    func remind(_ text: String, after seconds: TimeInterval) async throws {
        let content = UNMutableNotificationContent()
        content.title = "Reminder"
        content.body = text
        content.badge = 1
        content.sound = .default
        content.categoryIdentifier = "reminder"
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        try await center.add(UNNotificationRequest(identifier: "sampleRequest", content: content, trigger: trigger))
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let text = (response as? UNTextInputNotificationResponse)?.userText
        heard(text.map { "\(response.actionIdentifier): \($0)" } ?? response.actionIdentifier)
    }
}
