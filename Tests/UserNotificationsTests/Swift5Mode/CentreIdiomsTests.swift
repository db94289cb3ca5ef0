// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

/// An extension that cleans up what an earlier notification left, with the plain handler of Xcode's template.
class CleaningService: UNNotificationServiceExtension {
    static var handledCount = 0

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        Self.handledCount += 1
        let center = UNUserNotificationCenter.current()
        center.getDeliveredNotifications { [weak self] notifications in
            let old = notifications.filter { $0.request.content.threadIdentifier == request.content.threadIdentifier }
            center.removeDeliveredNotifications(withIdentifiers: old.map { $0.request.identifier })
            guard let self = self, let content = self.bestAttemptContent else { return }
            content.badge = NSNumber(value: old.count + 1)
            contentHandler(content)
        }
    }
}

/// An extension that awaits the centre and tells errors apart by their code.
class AwaitingService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        // swift-format-ignore: NeverForceUnwrap
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        Task {
            let center = UNUserNotificationCenter.current()
            let pending = await center.pendingNotificationRequests()
            content.subtitle = "\(pending.count) waiting"
            do {
                try await center.setBadgeCount(3)
            } catch let error as UNError where error.code == .notificationsNotAllowed {
                content.badge = 3
            } catch UNError.badgeInputInvalid {
                content.badge = 0
            } catch {
                content.body = error.localizedDescription
            }
            contentHandler(content)
        }
    }
}

/// The set-up of an app, in code that its extensions share.
enum Setup {
    static func reminder(_ text: String) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "REMINDER", arguments: nil)
        content.body = NSString.localizedUserNotificationString(forKey: "%@ is due", arguments: [text])
        content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: "bell.caf"))
        if #available(iOS 15.0, *) {
            content.interruptionLevel = .timeSensitive
            content.relevanceScore = 0.5
        }
        let time = Calendar.current.dateComponents([.hour, .minute], from: Date())
        let trigger = UNCalendarNotificationTrigger(dateMatching: time, repeats: true)
        return UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
    }

    static func register(with center: UNUserNotificationCenter = .current()) {
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY",
            title: "Reply",
            options: [],
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Message"
        )
        let delete = UNNotificationAction(identifier: "DELETE", title: "Delete", options: [.destructive, .foreground])
        let category = UNNotificationCategory(
            identifier: "MESSAGE",
            actions: [reply, delete],
            intentIdentifiers: [],
            options: .customDismissAction
        )
        center.setNotificationCategories([category])
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            if let error = error {
                print("not granted: \(error.localizedDescription), \(granted)")
            }
        }
        center.getNotificationSettings { settings in
            switch settings.authorizationStatus {
            case .authorized, .provisional: break
            default: print("not authorized")
            }
        }
        center.add(UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)) { error in
            print(error ?? "added")
        }
    }
}

/// A delegate as most apps write it: handlers, one class for all.
class NotificationDelegate: NSObject {
    static let shared = NotificationDelegate()

    var lastAction: String?
}

extension NotificationDelegate: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if #available(iOS 14.0, *) {
            completionHandler([.banner, .list])
        } else {
            completionHandler([.alert])
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: lastAction = "opened"
        case UNNotificationDismissActionIdentifier: lastAction = "dismissed"
        default: lastAction = (response as? UNTextInputNotificationResponse)?.userText ?? response.actionIdentifier
        }
        completionHandler()
    }
}

/// The other spelling.
class AsyncNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await center.deliveredNotifications().isEmpty ? [.banner] : []
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse
    ) async {}
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

    @Test func `an extension that cleans up delivers`() async {
        let service = CleaningService()
        #expect(await content(from: service).badge == 1)
    }

    @Test func `an extension that awaits the centre delivers`() async {
        let content = await content(from: AwaitingService())
        #expect(content.badge == 3)
        #expect(content.subtitle == "0 waiting")
    }

    @Test func `the set-up of an app has no effect and does not end`() {
        Setup.register()
        let request = Setup.reminder("tea")
        #expect(request.content.body == "tea is due")
        #expect(request.content.title == "REMINDER")
        #expect((request.trigger as? UNCalendarNotificationTrigger)?.nextTriggerDate() != nil)
    }

    @Test func `the host finds either spelling of a delegate`() async {
        let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)
        let notification = UNNotification(request: request, date: Date(timeIntervalSince1970: 0))
        let delegates: [(any UNUserNotificationCenterDelegate, UNNotificationPresentationOptions)] = [
            (NotificationDelegate.shared, [.banner, .list]), (AsyncNotificationDelegate(), .banner),
        ]
        for (delegate, expected) in delegates {
            let options = await withCheckedContinuation { done in
                delegate.userNotificationCenter(.current(), willPresent: notification) { done.resume(returning: $0) }
            }
            #expect(options == expected)
        }
        let answer = UNTextInputNotificationResponse(
            notification: notification,
            actionIdentifier: "REPLY",
            userText: "yes"
        )
        await withCheckedContinuation { done in
            NotificationDelegate.shared.userNotificationCenter(.current(), didReceive: answer) { done.resume() }
        }
        #expect(NotificationDelegate.shared.lastAction == "yes")
    }
}
