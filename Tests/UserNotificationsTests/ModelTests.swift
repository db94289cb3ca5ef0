// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Testing
import UserNotifications

/// Archives an object; returns what secure coding reads from the archive, of the object's static class or one below it.
private func unarchived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
}

struct ModelTests {
    private static let reply = UNTextInputNotificationAction(
        identifier: "reply",
        title: "Reply",
        options: .authenticationRequired,
        icon: UNNotificationActionIcon(systemImageName: "arrow"),
        textInputButtonTitle: "Send",
        textInputPlaceholder: "Message"
    )

    private static let mute = UNNotificationAction(identifier: "mute", title: "Mute", options: [.destructive])

    private static var notification: UNNotification {
        let content = UNMutableNotificationContent()
        content.title = "title"
        let request = UNNotificationRequest(identifier: "i", content: content, trigger: UNPushNotificationTrigger())
        return UNNotification(request: request, date: Date(timeIntervalSince1970: 1_795_284_181.25))
    }

    // MARK: Actions

    @Test func `an action holds what it was given`() {
        #expect(Self.mute.identifier == "mute")
        #expect(Self.mute.title == "Mute")
        #expect(Self.mute.options == .destructive)
        #expect(Self.mute.icon == nil)
        #expect(Self.reply.textInputButtonTitle == "Send")
        #expect(Self.reply.textInputPlaceholder == "Message")
        #expect(Self.reply.icon == UNNotificationActionIcon(systemImageName: "arrow"))
        #expect(Self.reply.icon != UNNotificationActionIcon(templateImageName: "arrow"))
        #expect(UNNotificationAction(identifier: "a", title: "A").options == [])
    }

    @Test func `an action is equal to one that holds the same, of the same class`() {
        #expect(Self.mute == UNNotificationAction(identifier: "mute", title: "Mute", options: [.destructive]))
        #expect(Self.mute != UNNotificationAction(identifier: "mute", title: "Mute", options: []))
        let plain = UNNotificationAction(
            identifier: Self.reply.identifier,
            title: Self.reply.title,
            options: Self.reply.options,
            icon: Self.reply.icon
        )
        #expect(plain != Self.reply)
        #expect(Self.reply != plain)
        #expect(plain.copy() as AnyObject === plain)
    }

    @Test func `an action survives its archive, as what it is`() throws {
        #expect(try unarchived(Self.mute) == Self.mute)
        let reply: UNNotificationAction = Self.reply
        #expect(try unarchived(reply) == Self.reply)
        let icon = UNNotificationActionIcon(templateImageName: "bell")
        #expect(try unarchived(icon) == icon)
    }

    // MARK: Categories

    @Test func `the initializers of a category`() {
        let plain = UNNotificationCategory(identifier: "c", actions: [Self.mute], intentIdentifiers: ["i"])
        #expect(plain.identifier == "c")
        #expect(plain.actions == [Self.mute])
        #expect(plain.intentIdentifiers == ["i"])
        #expect(plain.options == [])
        #expect(plain.hiddenPreviewsBodyPlaceholder == "")
        #expect(plain.categorySummaryFormat == "")
        let hiding = UNNotificationCategory(
            identifier: "c",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "%u messages",
            options: .customDismissAction
        )
        #expect(hiding.hiddenPreviewsBodyPlaceholder == "%u messages")
        #expect(hiding.options == .customDismissAction)
        let summing = UNNotificationCategory(
            identifier: "c",
            actions: [],
            intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: "%u more from %@"
        )
        #expect(summing.hiddenPreviewsBodyPlaceholder == "")
        #expect(summing.categorySummaryFormat == "%u more from %@")
    }

    @Test func `a set keeps the first category of a name`() {
        let first = UNNotificationCategory(identifier: "c", actions: [Self.mute], intentIdentifiers: [])
        let second = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
        var categories: Set<UNNotificationCategory> = [first]
        #expect(!categories.insert(second).inserted)
        #expect(categories.insert(UNNotificationCategory(identifier: "d", actions: [], intentIdentifiers: [])).inserted)
        #expect(categories.first { $0.identifier == "c" }?.actions == [Self.mute])
    }

    @Test func `a category survives its archive, actions included`() throws {
        let before = UNNotificationCategory(
            identifier: "c",
            actions: [Self.mute, Self.reply],
            intentIdentifiers: ["i", "j"],
            hiddenPreviewsBodyPlaceholder: "hidden",
            categorySummaryFormat: "%u more",
            options: [.hiddenPreviewsShowTitle, .customDismissAction]
        )
        let after = try unarchived(before)
        #expect(after.identifier == "c")
        #expect(after.actions == [Self.mute, Self.reply])
        #expect(after.intentIdentifiers == ["i", "j"])
        #expect(after.hiddenPreviewsBodyPlaceholder == "hidden")
        #expect(after.categorySummaryFormat == "%u more")
        #expect(after.options == [.hiddenPreviewsShowTitle, .customDismissAction])
        let bare = UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: [])
        #expect(try unarchived(bare).actions.isEmpty)
        #expect(before.copy() as AnyObject === before)
    }

    // MARK: Notifications, responses, settings

    @Test func `a notification survives its archive`() throws {
        let before = Self.notification
        let after = try unarchived(before)
        #expect(after == before)
        #expect(after.date == before.date)
        #expect(after.request.trigger is UNPushNotificationTrigger)
        #expect(before.copy() as AnyObject === before)
        #expect(before != UNNotification(request: before.request, date: Date(timeIntervalSince1970: 0)))
    }

    @Test func `a response survives its archive, as what it is`() throws {
        let tap = UNNotificationResponse(
            notification: Self.notification,
            actionIdentifier: UNNotificationDefaultActionIdentifier
        )
        #expect(try unarchived(tap) == tap)
        let answer = UNTextInputNotificationResponse(
            notification: Self.notification,
            actionIdentifier: "reply",
            userText: "yes"
        )
        let response: UNNotificationResponse = answer
        let after = try #require(try unarchived(response) as? UNTextInputNotificationResponse)
        #expect(after == answer)
        #expect(after.userText == "yes")
        #expect(after.actionIdentifier == "reply")
        #expect(after.notification == Self.notification)
        let other = UNTextInputNotificationResponse(
            notification: Self.notification,
            actionIdentifier: "reply",
            userText: "no"
        )
        #expect(other != answer)
        #expect(UNNotificationResponse(notification: Self.notification, actionIdentifier: "reply") != answer)
    }

    @Test func `settings survive their archive`() throws {
        var values = UNNotificationSettings.Values()
        values.authorizationStatus = .provisional
        values.soundSetting = .enabled
        values.lockScreenSetting = .disabled
        values.alertStyle = .banner
        values.showPreviewsSetting = .whenAuthenticated
        let before = UNNotificationSettings(values)
        let after = try unarchived(before)
        #expect(after == before)
        #expect(after.authorizationStatus == .provisional)
        #expect(after.soundSetting == .enabled)
        #expect(after.alertSetting == .notSupported)
        #expect(after.lockScreenSetting == .disabled)
        #expect(after.alertStyle == .banner)
        #expect(after.showPreviewsSetting == .whenAuthenticated)
        #expect(before != UNNotificationSettings(.init()))
    }

    @Test func `what does not exist here is not supported`() {
        let settings = UNNotificationSettings(.init())
        #expect(settings.carPlaySetting == .notSupported)
        #expect(settings.announcementSetting == .notSupported)
        #expect(settings.scheduledDeliverySetting == .notSupported)
        #expect(settings.directMessagesSetting == .notSupported)
        #expect(!settings.providesAppNotificationSettings)
    }

    // MARK: Triggers

    @Test func `triggers survive their archive, as what they are`() throws {
        var components = DateComponents(timeZone: TimeZone(identifier: "Asia/Tokyo"), day: 31, hour: 9)
        components.calendar = Calendar(identifier: .gregorian)
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4),
            radius: 100,
            identifier: "home"
        )
        let triggers: [UNNotificationTrigger] = [
            UNTimeIntervalNotificationTrigger(timeInterval: 60.5, repeats: true),
            UNCalendarNotificationTrigger(dateMatching: components, repeats: true),
            UNLocationNotificationTrigger(region: region, repeats: false),
            UNPushNotificationTrigger(),
        ]
        for before in triggers {
            let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: before)
            let after = try unarchived(request)
            #expect(after.trigger == before)
            #expect(before.copy() as AnyObject === before)
        }
        #expect(Set(triggers).count == 4)
    }

    @Test func `triggers of other numbers are others`() {
        let minute = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
        #expect(minute == UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false))
        #expect(minute != UNTimeIntervalNotificationTrigger(timeInterval: 61, repeats: false))
        #expect(minute != UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        let nine = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: false)
        #expect(nine != UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: false))
        #expect(nine.dateComponents == DateComponents(hour: 9))
    }

    @Test func `a location trigger keeps a region of its own`() {
        let region = CLBeaconRegion(uuid: UUID(), major: 7, identifier: "shelf")
        let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
        region.notifyOnExit = false
        trigger.region.notifyOnEntry = false
        #expect(trigger.region.notifyOnExit)
        #expect(trigger.region.notifyOnEntry)
        #expect(trigger.region.identifier == "shelf")
        #expect(trigger.repeats)
    }
}
