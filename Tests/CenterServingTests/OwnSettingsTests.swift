// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NIOHTTP1
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter
import UserNotifications

@testable import CenterServing

/// A person who goes from an app's switches to the settings that the app has itself.
@Suite(.timeLimit(.minutes(2)))
struct OwnSettingsTests {
    private static let target = "/v1/apps/\(Bench.topic)/open-settings"

    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func open(_ body: String = "{}") async throws -> (status: UInt, reason: String?) {
        let answer = try await bench.ask(.POST, Self.target, body)
        return (answer.status, answer.body["reason"]?.string)
    }

    @Test func `the delegate of an app that has settings of its own is called, with the notification`() async throws {
        try await bench.deliver([Bench.record(1)])
        let number = try #require(try bench.list().first?.head.number)
        try await bench.withApps {
            let app = bench.app()
            #expect(try await app.requestAuthorization(options: [.alert, .providesAppNotificationSettings]))
            let delegate = SettingsDelegate()
            app.delegate = delegate
            // It may not have announced its delegate yet.
            while try await open().status == 409 { try await Task.turn() }
            #expect(try await open(#"{"notification":"\#(number)"}"#).status == 200)
            while delegate.heard.withLock(\.count) < 2 { try await Task.turn() }
            #expect(delegate.heard.withLock(\.self) == [nil, "push-1"])
        }
    }

    @Test func `who lists apps sees which have settings of their own`() async throws {
        let key = try bench.chat
        for options in [[.alert], [.alert, .providesAppNotificationSettings]] as [AuthorizationOptions] {
            _ = try await bench.center.ask(options, key)
            let app = try await bench.ask(.GET, "/v1/apps").body["apps"]?.array?.first?.object
            let isOffered = app?["providesAppNotificationSettings"]
            #expect(isOffered == (options.contains(.providesAppNotificationSettings) ? true : nil))
        }
    }

    @Test func `an app without settings, one that does not run, and an unknown one are told apart`() async throws {
        let key = try bench.chat
        _ = try await bench.center.ask([.alert], key)
        #expect(try await open() == (409, "noSettings"))
        _ = try await bench.center.ask([.alert, .providesAppNotificationSettings], key)
        #expect(try await open() == (409, "notRunning"))
        #expect(try await open(#"{"notification":"4711"}"#) == (404, "notFound"))
        #expect(try await open(#"{"notification":4711}"#) == (400, "badParameter"))
        #expect(try await bench.ask(.POST, "/v1/apps/com.example.other/open-settings", "{}").status == 404)
        #expect(try await bench.ask(.GET, Self.target).status == 405)
    }

    @Test func `an app that has a desktop file alone is opened by no page`() async throws {
        var registry = Bench.registry()
        registry.apps[0].desktopEntry = "org.example.Chat"
        try await bench.center.adopt(registry)
        _ = try await bench.center.ask([.alert, .providesAppNotificationSettings], bench.chat)
        #expect(try await open() == (409, "notRunning"))
    }

    @Test func `an app that is a web page is opened by whoever asks`() async throws {
        var registry = Bench.registry()
        registry.apps[0].desktopEntry = "org.example.Chat"
        registry.apps[0].url = "https://chat.example.org/"
        try await bench.center.adopt(registry)
        _ = try await bench.center.ask([.alert, .providesAppNotificationSettings], bench.chat)
        let answer = try await bench.ask(.POST, Self.target, "{}")
        #expect(answer.status == 200)
        #expect(answer.body == ["launch": ["url": "https://chat.example.org/"]])
    }
}

/// A delegate that keeps the identifiers of the notifications from which it was asked for its settings.
private final class SettingsDelegate: NSObject, UNUserNotificationCenterDelegate {
    let heard = Locked<[String?]>([])

    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        heard.withLock { $0.append(notification?.request.identifier) }
    }
}
