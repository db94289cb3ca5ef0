// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import PushDelivery
import UserNotifications

/// The buttons of a notification, as a category of its own.
///
/// Source: OneSignal/OneSignal-iOS-SDK, OneSignalAttachmentHandler.m at 0540578 and
/// OneSignalNotificationCategoryController.m at d6f9479.
struct ActionButtons {
    let category: UNNotificationCategory
    private let settings: SharedSettings

    /// Makes the category of a payload's buttons; `nil` without any.
    init?(_ payload: OneSignalPayload, _ settings: SharedSettings) {
        guard !payload.buttons.isEmpty else { return nil }
        var actions = payload.buttons.map { button in
            UNNotificationAction(
                identifier: button.identifier,
                title: button.title,
                options: .foreground,
                icon: Self.icon(of: button)
            )
        }
        // Two are shown in the other order.
        if actions.count == 2 { actions.reverse() }
        category = UNNotificationCategory(
            identifier: "__onesignal__dynamic__\(payload.identifier ?? UUID().uuidString)",
            actions: actions,
            intentIdentifiers: [],
            options: .customDismissAction
        )
        self.settings = settings
    }

    /// Says the category in the content, and adds it to those of the app before that is delivered.
    ///
    /// An app without a notification centre has the category said, and nobody shows its buttons.
    func add(to content: UNMutableNotificationContent, _ delivery: Delivery) {
        content.categoryIdentifier = category.identifier
        let category = category
        let old = settings.keepCategory(category.identifier).union([category.identifier])
        delivery.join { done in
            let center = UNUserNotificationCenter.current()
            center.getNotificationCategories { categories in
                let others = categories.filter { !old.contains($0.identifier) }
                center.setNotificationCategories(others.union([category]))
                // The answer to this one comes behind that to the last.
                center.getNotificationCategories { _ in done() }
            }
        }
    }

    private static func icon(of button: OneSignalPayload.Button) -> UNNotificationActionIcon? {
        guard let name = button.iconName else { return nil }
        switch button.iconKind {
        case "system": return UNNotificationActionIcon(systemImageName: name)
        case "custom": return UNNotificationActionIcon(templateImageName: name)
        default: return nil
        }
    }
}
