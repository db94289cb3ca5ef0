// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import UserNotifications

/// A delegate that answers at once, and keeps the titles that it heard.
final class Presenting: NSObject, UNUserNotificationCenterDelegate {
    let heard = Locked<[String]>([])
    private let options: @Sendable (UNNotification) -> UNNotificationPresentationOptions

    init(_ options: @escaping @Sendable (UNNotification) -> UNNotificationPresentationOptions) {
        self.options = options
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        heard.withLock { $0.append(notification.request.content.title) }
        completionHandler(options(notification))
    }
}

/// A delegate that answers when it is told to.
final class Silent: NSObject, UNUserNotificationCenterDelegate {
    private let open = Locked<[@Sendable (UNNotificationPresentationOptions) -> Void]>([])

    var openCount: Int { open.withLock(\.count) }

    func answerAll(_ options: UNNotificationPresentationOptions = [.banner]) {
        for answer in open.withLock(\.self) { answer(options) }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        open.withLock { $0.append(completionHandler) }
    }
}
