// SPDX-License-Identifier: Apache-2.0

import Testing
import UserNotifications

struct CenterTests {
    private let center = UNUserNotificationCenter.current()
    private let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)

    @Test func `there is one centre`() {
        #expect(UNUserNotificationCenter.current() === center)
        #expect(!center.supportsContentExtensions)
    }

    @Test func `lists are empty`() async {
        #expect(await center.deliveredNotifications().isEmpty)
        #expect(await center.pendingNotificationRequests().isEmpty)
        #expect(await center.notificationCategories().isEmpty)
        let settings = await center.notificationSettings()
        #expect(settings.authorizationStatus == .notDetermined)
        #expect(settings.alertSetting == .notSupported)
    }

    @Test func `changes are not allowed, or have no effect`() async throws {
        await #expect(throws: UNError(.notificationsNotAllowed)) { try await center.add(request) }
        await #expect(throws: UNError(.notificationsNotAllowed)) { try await center.setBadgeCount(3) }
        await #expect(throws: UNError(.badgeInputInvalid)) { try await center.setBadgeCount(-1) }
        await #expect(throws: UNError(.notificationsNotAllowed)) {
            try await center.requestAuthorization(options: [.alert, .badge])
        }
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
        ])
        center.removeDeliveredNotifications(withIdentifiers: ["i"])
        center.removeAllDeliveredNotifications()
        center.removePendingNotificationRequests(withIdentifiers: ["i"])
        center.removeAllPendingNotificationRequests()
        #expect(await center.notificationCategories().isEmpty)
    }

    @Test func `completion handlers say the same, once each`() async {
        await confirmation(expectedCount: 8) { completed in
            await withCheckedContinuation { done in
                let denied = UNError(.notificationsNotAllowed)
                let invalid = UNError(.badgeInputInvalid)
                center.getDeliveredNotifications { notifications in
                    #expect(notifications.isEmpty)
                    completed()
                }
                center.getPendingNotificationRequests { requests in
                    #expect(requests.isEmpty)
                    completed()
                }
                center.getNotificationCategories { categories in
                    #expect(categories.isEmpty)
                    completed()
                }
                center.getNotificationSettings { settings in
                    #expect(settings.authorizationStatus == .notDetermined)
                    completed()
                }
                center.requestAuthorization(options: .alert) { granted, error in
                    #expect(!granted)
                    #expect(error as? UNError == denied)
                    completed()
                }
                center.add(request) { error in
                    #expect(error as? UNError == denied)
                    completed()
                }
                center.setBadgeCount(-1) { error in
                    #expect(error as? UNError == invalid)
                    completed()
                }
                // Handlers run one after the other: this is the last.
                center.setBadgeCount(1) { error in
                    #expect(error as? UNError == denied)
                    completed()
                    done.resume()
                }
            }
        }
    }

    @Test func `a handler left out is none`() {
        center.add(request)
        center.setBadgeCount(1)
    }

    /// The notices of a process that makes some calls where no centre is.
    private func notices(_ result: ExitTest.Result) -> [Substring] {
        String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("notice: ") }
    }

    @Test func `an app without a centre is told once what to name`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let center = UNUserNotificationCenter.current()
                center.removeAllDeliveredNotifications()
                _ = await center.deliveredNotifications()
                center.removeAllPendingNotificationRequests()
            }
        )
        #expect(
            notices(result) == [
                "notice: no notification centre is reached: NESTBOX_CENTER names its folder, and NESTBOX_APP the app"
            ]
        )
    }

    @Test func `an extension is warned once`() async throws {
        let result = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                CenterReach.forbid()
                let center = UNUserNotificationCenter.current()
                center.removeAllDeliveredNotifications()
                _ = await center.deliveredNotifications()
            }
        )
        #expect(
            notices(result) == [
                "notice: UNUserNotificationCenter does not reach the app from here: "
                    + "lists are empty, changes have no effect"
            ]
        )
    }

    @Test func `the delegate is not kept alive`() {
        let center = center
        func set() {
            let delegate = SilentDelegate()
            center.delegate = delegate
            #expect(center.delegate === delegate)
        }
        set()
        #expect(center.delegate == nil)
    }
}

final class SilentDelegate: NSObject, UNUserNotificationCenterDelegate {}
