// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotificationCenter
import UserNotifications

@testable import CenterServing

/// An app that calls Apple's API against a centre, over a real socket.
@Suite(.timeLimit(.minutes(2)))
struct AppSocketTests {
    private let bench: Bench

    init() async throws {
        bench = try Bench()
    }

    private func content(_ title: String, category: String = "", badge: Int? = nil) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        content.categoryIdentifier = category
        content.badge = badge.map { NSNumber(value: $0) }
        return content
    }

    /// Adds a request that is delivered at once; its title is its identifier in capitals.
    private func add(_ identifier: String, to app: UNUserNotificationCenter) async throws {
        let content = content(identifier.uppercased())
        try await app.add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
    }

    private func allow(_ app: UNUserNotificationCenter) async throws {
        try await bench.center.adopt(Bench.registry())
        #expect(try await app.requestAuthorization(options: [.alert, .badge, .sound]))
    }

    /// Answers the newest notification as a person does.
    private func respond(_ action: String, _ text: String? = nil) async throws {
        let number = try #require(try bench.list().first?.head.number)
        let draft = ResponseDraft(owner: bench.me, number: number, action: action, text: text)
        _ = try await bench.center.perform([.respond(draft)])
    }

    @Test func `the owner is asked once, and the app reads what was decided`() async throws {
        try await bench.withApps {
            let app = bench.app()
            #expect(await app.notificationSettings().authorizationStatus == .notDetermined)
            async let isGranted = app.requestAuthorization(options: [.alert, .sound, .providesAppNotificationSettings])
            while try bench.center.permission(of: bench.chat).question == nil { try await Task.turn() }
            // A call that waits for a person holds up no other.
            #expect(await app.pendingNotificationRequests().isEmpty)
            _ = try await bench.center.decide(.decide(.allow(without: [.sound])), bench.chat)
            #expect(try await isGranted)
            let settings = await app.notificationSettings()
            #expect(settings.authorizationStatus == .authorized)
            #expect(settings.alertSetting == .enabled)
            #expect(settings.soundSetting == .disabled)
            #expect(settings.badgeSetting == .notSupported)
            #expect(settings.providesAppNotificationSettings)
        }
    }

    @Test func `an app that is denied hears false and no error, and adds nothing`() async throws {
        try await bench.withApps {
            let app = bench.app()
            async let isGranted = app.requestAuthorization(options: [.alert])
            while try bench.center.permission(of: bench.chat).question == nil { try await Task.turn() }
            _ = try await bench.center.decide(.decide(.deny), bench.chat)
            #expect(try await isGranted == false)
            let request = UNNotificationRequest(identifier: "a", content: content("A"), trigger: nil)
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await app.add(request) }
            await #expect(throws: UNError(.notificationsNotAllowed)) { try await app.setBadgeCount(1) }
        }
    }

    @Test func `the sample request waits, is read back, fires and is listed`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
            let content = content("Notification Title", badge: 1)
            content.userInfo = ["room": 7]
            try await app.add(UNNotificationRequest(identifier: "sampleRequest", content: content, trigger: trigger))
            let pending = await app.pendingNotificationRequests()
            #expect(pending.map(\.identifier) == ["sampleRequest"])
            #expect((pending.first?.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 5)
            #expect(pending.first?.content.userInfo["room"] as? Int == 7)
            #expect(await app.deliveredNotifications().isEmpty)
            bench.time.advance(by: 5000)
            while try await Scheduler(bench.center).fire() {}
            let delivered = await app.deliveredNotifications()
            #expect(delivered.map(\.request.content.title) == ["Notification Title"])
            #expect(delivered.first?.date == Date(timeIntervalSince1970: Double(Bench.now + 5000) / 1000))
            #expect(try bench.center.store.installation(bench.chat)?.badge == 1)
            // Removals and a list after them: in the order in which they were called.
            app.removeDeliveredNotifications(withIdentifiers: ["sampleRequest", "", "unknown"])
            #expect(await app.deliveredNotifications().isEmpty)
        }
    }

    @Test func `more requests than one answer holds are read in pages`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            for number in 0..<40 {
                let content = content("\(number)")
                content.body = String(repeating: "x", count: 6000)
                try await app.add(UNNotificationRequest(identifier: "\(number)", content: content, trigger: nil))
            }
            let titles = await app.deliveredNotifications().map(\.request.content.title)
            #expect(titles == (0..<40).reversed().map { "\($0)" })
        }
    }

    @Test func `errors are Apple's`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            let empty = UNNotificationRequest(identifier: "a", content: UNNotificationContent(), trigger: nil)
            await #expect(throws: UNError(.notificationInvalidNoContent)) { try await app.add(empty) }
            let never = DateComponents(month: 2, day: 30)
            let request = UNNotificationRequest(
                identifier: "a",
                content: content("A"),
                trigger: UNCalendarNotificationTrigger(dateMatching: never, repeats: false)
            )
            await #expect(throws: UNError(.notificationInvalidNoDate)) { try await app.add(request) }
            await #expect(throws: UNError(.badgeInputInvalid)) { try await app.setBadgeCount(-1) }
            let large = content("A")
            large.body = String(repeating: "x", count: 66_000)
            let tooLarge = UNNotificationRequest(identifier: "a", content: large, trigger: nil)
            let error = await #expect(throws: NSError.self) { try await app.add(tooLarge) }
            #expect(error?.domain == NSPOSIXErrorDomain)
            #expect(error?.code == Int(EMSGSIZE))
        }
    }

    @Test func `categories come back as they were set`() async throws {
        let reply = UNTextInputNotificationAction(
            identifier: "reply",
            title: "Reply",
            options: [.authenticationRequired],
            icon: UNNotificationActionIcon(systemImageName: "arrow"),
            textInputButtonTitle: "Send",
            textInputPlaceholder: "Message"
        )
        let like = UNNotificationAction(identifier: "like", title: "Like", options: [.foreground, .destructive])
        let category = UNNotificationCategory(
            identifier: "message",
            actions: [reply, like],
            intentIdentifiers: ["INSendMessageIntent"],
            hiddenPreviewsBodyPlaceholder: "%u messages",
            categorySummaryFormat: "%u more from %@",
            options: [.customDismissAction, .hiddenPreviewsShowTitle]
        )
        try await bench.withApps {
            let app = bench.app()
            app.setNotificationCategories([category])
            let read = try #require(await app.notificationCategories().first)
            #expect(read.actions == category.actions)
            #expect(read.intentIdentifiers == category.intentIdentifiers)
            #expect(read.hiddenPreviewsBodyPlaceholder == "%u messages")
            #expect(read.categorySummaryFormat == "%u more from %@")
            #expect(read.options == category.options)
        }
    }

    @Test func `a reply reaches the delegate whole, and is done with when the app says so`() async throws {
        let text = String(repeating: "👋", count: 4096)
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 1, repeats: false)
            try await app.add(UNNotificationRequest(identifier: "a", content: content("A"), trigger: trigger))
            bench.time.advance(by: 1000)
            while try await Scheduler(bench.center).fire() {}
            let hearing = Hearing()
            app.delegate = hearing
            try await respond("reply", text)
            let response = try #require(await hearing.next() as? UNTextInputNotificationResponse)
            #expect(response.actionIdentifier == "reply")
            #expect(response.userText == text)
            #expect(response.notification.request.content.title == "A")
            #expect(response.notification.request.trigger is UNTimeIntervalNotificationTrigger)
            #expect(response.notification.date == Date(timeIntervalSince1970: Double(Bench.now + 1000) / 1000))
            while try !bench.center.store.responses(of: bench.chat, limit: 1).isEmpty { try await Task.turn() }
        }
    }

    @Test(arguments: [
        ("default", UNNotificationDefaultActionIdentifier), ("dismiss", UNNotificationDismissActionIdentifier),
    ])
    func `what waited comes when the delegate is set`(action: String, identifier: String) async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            try await add("a", to: app)
            try await respond(action)
            let hearing = Hearing()
            app.delegate = hearing
            #expect(await hearing.next()?.actionIdentifier == identifier)
        }
    }

    @Test func `a response and a payload too long for one packet come with the text whole`() async throws {
        let text = String(repeating: "t", count: 16_384)
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            let long = content("A", category: "message")
            long.body = String(repeating: "x", count: 60_000)
            try await app.add(UNNotificationRequest(identifier: "a", content: long, trigger: nil))
            try await respond("reply", text)
            let hearing = Hearing()
            app.delegate = hearing
            let response = await hearing.next() as? UNTextInputNotificationResponse
            #expect(response?.userText == text)
            #expect(response?.notification.request.content.categoryIdentifier == "message")
            #expect(response?.notification.request.content.body == "")
        }
    }

    @Test func `an app whose centre went away and came back goes on`() async throws {
        let app = bench.app()
        let hearing = Hearing()
        app.delegate = hearing
        try await bench.withApps {
            try await allow(app)
            try await add("a", to: app)
        }
        try await respond("default")
        try await bench.withApps {
            // Its presence is announced again, and its calls are made.
            #expect(await hearing.next()?.notification.request.identifier == "a")
            try await add("b", to: app)
        }
        #expect(try bench.titles() == ["B"])
    }

    @Test func `a delegate that was set before there was a centre hears with the first call`() async throws {
        let app = bench.app { [path = bench.appSocket] in FileManager.default.fileExists(atPath: path) }
        let hearing = Hearing()
        app.delegate = hearing
        try await bench.withApps {
            try await allow(app)
            try await add("a", to: app)
            try await respond("default")
            #expect(await hearing.next()?.notification.request.identifier == "a")
        }
    }

    @Test func `more responses than an app may have at once come as it completes them`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            for number in 0..<40 {
                try await add("\(number)", to: app)
                try await respond("default")
            }
            let hearing = Hearing()
            app.delegate = hearing
            for number in 0..<40 {
                #expect(await hearing.next()?.notification.request.identifier == "\(number)")
            }
        }
    }

    @Test func `a delegate that goes and comes hears each response once`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            try await add("a", to: app)
            try await respond("default")
            let first = Hearing(completes: false)
            app.delegate = first
            #expect(await first.next()?.notification.request.identifier == "a")
            app.delegate = nil
            let second = Hearing()
            app.delegate = second
            try await add("b", to: app)
            try await respond("default")
            #expect(await second.next()?.notification.request.identifier == "b")
            #expect(try bench.center.store.responses(of: bench.chat, limit: 1).first?.tries == 0)
        }
    }

    @Test func `an identifier that JSON cannot carry ends its own call and no connection`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await allow(app)
            app.removePendingNotificationRequests(withIdentifiers: ["\0"])
            let request = UNNotificationRequest(identifier: "\0", content: content("A"), trigger: nil)
            await #expect(throws: NSError.self) { try await app.add(request) }
            try await add("b", to: app)
            #expect(try bench.titles() == ["B"])
        }
    }

    @Test func `a call that ends each connection is tried three times and no more`() async throws {
        let listener = try PacketListener(path: bench.appSocket)
        let app = bench.app()
        let centre = HostileCentre(listener)
        async let connections = centre.serve(ending: 3)
        #expect(await app.notificationSettings().authorizationStatus == .notDetermined)
        #expect(await connections == 3)
    }

    @Test func `an app without a centre hears at once that nothing is allowed`() async throws {
        let app = bench.app()
        let request = UNNotificationRequest(identifier: "a", content: content("A"), trigger: nil)
        await #expect(throws: UNError(.notificationsNotAllowed)) { try await app.add(request) }
        #expect(await app.pendingNotificationRequests().isEmpty)
    }
}
