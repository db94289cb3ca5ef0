// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// The spelling of most sources: handlers, not declared `@Sendable`.
final class HandlerDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}

final class AsyncDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.list]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        await Task.yield()
    }
}

struct DelegateTests {
    /// The host calls the handler form, whichever one the app wrote.
    private static func options(
        of delegate: any UNUserNotificationCenterDelegate
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { done in
            delegate.userNotificationCenter(.current(), willPresent: notification) { done.resume(returning: $0) }
        }
    }

    private static var notification: UNNotification {
        let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)
        return UNNotification(request: request, date: Date(timeIntervalSince1970: 0))
    }

    @Test func `either spelling is found`() async {
        #expect(await Self.options(of: HandlerDelegate()) == [.banner, .sound])
        #expect(await Self.options(of: AsyncDelegate()) == .list)
        #expect(await Self.options(of: SilentDelegate()) == [])
    }

    @Test func `a response is completed in either spelling`() async {
        let response = UNNotificationResponse(notification: Self.notification, actionIdentifier: "a")
        let delegates: [any UNUserNotificationCenterDelegate] = [HandlerDelegate(), AsyncDelegate(), SilentDelegate()]
        for delegate in delegates {
            await withCheckedContinuation { done in
                delegate.userNotificationCenter(.current(), didReceive: response) { done.resume() }
            }
            delegate.userNotificationCenter(.current(), openSettingsFor: nil)
        }
    }
}
