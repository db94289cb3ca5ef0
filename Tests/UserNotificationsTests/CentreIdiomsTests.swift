// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// An extension of language mode 6 that cleans up: the handler is `@Sendable`, contents may cross threads.
final class CleaningService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        let center = UNUserNotificationCenter.current()
        center.getDeliveredNotifications { notifications in
            center.removeDeliveredNotifications(withIdentifiers: notifications.map(\.request.identifier))
            content.badge = (notifications.count + 1) as NSNumber
            contentHandler(content)
        }
    }
}

final class AwaitingService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            do {
                try await UNUserNotificationCenter.current().add(request)
            } catch UNError.notificationsNotAllowed {
                content.subtitle = "not allowed"
            } catch {
                content.subtitle = error.localizedDescription
            }
            contentHandler(content)
        }
    }
}

/// An app's delegate that lives on the main actor and answers from anywhere.
@MainActor
final class MainActorDelegate: NSObject, UNUserNotificationCenterDelegate {
    private(set) var actions: [String] = []

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner]
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {
        let action = response.actionIdentifier
        await MainActor.run { actions.append(action) }
    }
}

struct CentreIdiomsTests {
    private func content(from service: UNNotificationServiceExtension) async -> UNNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = "title"
        let request = UNNotificationRequest(identifier: "i", content: content, trigger: nil)
        return await withCheckedContinuation { done in
            service.didReceive(request) { done.resume(returning: $0) }
        }
    }

    @Test func `extensions that use the centre deliver`() async {
        #expect(await content(from: CleaningService()).badge == 1)
        #expect(await content(from: AwaitingService()).subtitle == "not allowed")
    }

    @Test func `a delegate on the main actor is told`() async {
        let delegate = await MainActorDelegate()
        let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)
        let notification = UNNotification(request: request, date: Date(timeIntervalSince1970: 0))
        let response = UNNotificationResponse(notification: notification, actionIdentifier: "a")
        await withCheckedContinuation { done in
            delegate.userNotificationCenter(.current(), didReceive: response) { done.resume() }
        }
        #expect(await delegate.actions == ["a"])
    }
}
