// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import DesktopPresenter

/// The numbers on the icons of apps.
struct LauncherBadgeTests {
    private func app(_ topic: String, _ entry: JSON?, _ badge: JSON) -> JSONObject {
        var app: JSONObject = ["app": .string(topic), "badge": badge]
        app["desktopEntry"] = entry
        return app
    }

    private func change(_ entry: String, _ count: Int64) -> LauncherBadges.Change {
        LauncherBadges.Change(address: "application://\(entry).desktop", count: count)
    }

    @Test func `at the start each desktop file has its number, then each change, and none at the end`() {
        var badges = LauncherBadges()
        badges.take(
            front: [
                "apps": [
                    .object(app("a", "org.example.Chat", 3)), .object(app("b", "mail", 0)),
                    .object(app("c", nil, 7)),
                ]
            ]
        )
        #expect(badges.changes(at: .seconds(1)) == [change("mail", 0), change("org.example.Chat", 3)])
        badges.take(app: app("a", "org.example.Chat", 3))
        #expect(badges.changes(at: .seconds(2)) == [])
        badges.take(app: app("a", "org.example.Chat", 4))
        #expect(badges.changes(at: .seconds(2)) == [change("org.example.Chat", 4)])
        badges.take(app: app("c", nil, 8))
        #expect(badges.changes(at: .seconds(3)) == [])
        #expect(badges.takeEnd() == [change("org.example.Chat", 0)])
        #expect(badges.takeEnd() == [])
    }

    @Test func `apps with one desktop file have one number, and one that has another leaves nothing behind`() {
        var badges = LauncherBadges()
        badges.take(app: app("a", "chat", 3))
        #expect(badges.changes(at: .seconds(1)) == [change("chat", 3)])
        badges.take(app: app("b", "chat", 4))
        #expect(badges.changes(at: .seconds(2)) == [change("chat", 7)])
        badges.take(app: app("a", "mail", 3))
        #expect(badges.changes(at: .seconds(3)) == [change("chat", 4), change("mail", 3)])
        badges.take(front: ["apps": []])
        #expect(badges.changes(at: .seconds(4)) == [change("chat", 0), change("mail", 0)])
    }

    @Test func `a number that changes with every push is told four times a second, the last one of each icon`() {
        var badges = LauncherBadges()
        var told: [(at: Int, changes: [LauncherBadges.Change])] = []
        // A push each 10 ms for a second; another app has a number once.
        for push in 0..<100 {
            badges.take(app: app("a", "chat", .integer(Int64(push))))
            if push == 30 { badges.take(app: app("b", "mail", 5)) }
            let changes = badges.changes(at: .milliseconds(10 * push))
            if !changes.isEmpty { told.append((10 * push, changes)) }
        }
        #expect(told.map(\.at) == [0, 250, 500, 750])
        #expect(
            told.map(\.changes) == [
                [change("chat", 0)], [change("chat", 25)], [change("chat", 50), change("mail", 5)],
                [change("chat", 75)],
            ]
        )
        #expect(badges.wake == .seconds(1))
        #expect(badges.changes(at: .milliseconds(999)) == [])
        #expect(badges.changes(at: .seconds(1)) == [change("chat", 99)])
        #expect(badges.wake == nil)
    }

    @Test func `a number that is as before when it may be told is not told, and an end waits for nothing`() {
        var badges = LauncherBadges()
        badges.take(app: app("a", "chat", 3))
        #expect(badges.wake == .zero)
        #expect(badges.changes(at: .seconds(9)) == [change("chat", 3)])
        for badge in [4, 3] as [JSON] {
            badges.take(app: app("a", "chat", badge))
            #expect(badges.changes(at: .seconds(9)) == [])
        }
        #expect(badges.wake == .milliseconds(9_250))
        #expect(badges.changes(at: .milliseconds(9_250)) == [])
        #expect(badges.wake == nil)
        badges.take(app: app("a", "chat", 4))
        #expect(badges.changes(at: .milliseconds(9_250)) == [change("chat", 4)])
        badges.take(app: app("a", "chat", 5))
        #expect(badges.takeEnd() == [change("chat", 0)])
        #expect(badges.wake == nil)
    }

    @Test(arguments: ["", "../chat", "a b", "chat.desktop", "-chat", "a/b", 7, ["chat"]] as [JSON])
    func `what is no id of a desktop file is told to nobody`(entry: JSON) {
        var badges = LauncherBadges()
        badges.take(app: app("a", entry, 3))
        #expect(badges.changes(at: .zero) == [])
        #expect(AppFacts(app("a", entry, 3)).desktopEntry == nil)
    }

    @Test(
        arguments: [(-1, 0), (2_147_483_647, 2_147_483_647), (9_999_999_999, 2_147_483_647), ("many", 0)]
            as [(JSON, Int64)]
    )
    func `a number is one of a badge`(badge: JSON, count: Int64) {
        var badges = LauncherBadges()
        badges.take(app: app("a", "chat", badge))
        #expect(badges.changes(at: .zero) == [change("chat", count)])
    }

    @Test func `of more than a thousand apps with desktop files the rest have none`() {
        var badges = LauncherBadges()
        let apps = (0..<1_001).map { JSON.object(app("\($0)", .string("entry-\($0)"), 1)) }
        badges.take(front: ["apps": .array(apps)])
        #expect(badges.changes(at: .zero).count == 1_000)
    }

    @Test func `a popup names the desktop file of its app`() {
        var desk = Desk()
        var app = app(Told.app, "org.example.Chat", 1)
        app["name"] = "Chat"
        desk.front["apps"] = [.object(app)]
        desk.deliver(Told.notification(1))
        #expect(desk.popups.map { $0.hints["desktop-entry"] } == [.text("org.example.Chat")])
        var other = Desk()
        other.deliver(Told.notification(1))
        #expect(other.popups.map { $0.hints["desktop-entry"] } == [nil])
    }
}
