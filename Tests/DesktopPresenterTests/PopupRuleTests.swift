// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// A notification as a popup, by what the daemon can do.
struct PopupRuleTests {
    private static let all: Set<String> = ["actions", "body", "body-markup", "inline-reply", "sound"]

    private func popup(
        _ members: [String: JSON],
        _ capabilities: Set<String> = all,
        summary: String? = nil,
        playsSound: Bool = false
    ) throws -> Popup {
        let notification = try #require(DesktopNotification(Told.notification(1, members)))
        return PopupRule(daemon: DaemonFacts(capabilities: capabilities), language: .english).popup(
            of: notification,
            from: "Chat",
            summary: summary,
            replaces: 0,
            playsSound: playsSound
        )
    }

    private static func alert(_ alert: JSON) -> [String: JSON] { ["payload": ["aps": ["alert": alert]]] }

    @Test func `title and subtitle are the summary, and the stack's summary is the last line of the body`() throws {
        let texts: JSON = ["title": "Alice", "subtitle": "Lunch", "body": "At one?"]
        let popup = try popup(Self.alert(texts), summary: "5 more notifications from Alice and Me")
        #expect(popup.appName == "Chat")
        #expect(popup.summary == "Alice: Lunch")
        #expect(popup.body == "At one?\n5 more notifications from Alice and Me")
    }

    @Test func `an alert without a title is headed by its app`() throws {
        let popup = try popup(Self.alert("Backup done"))
        #expect(popup.summary == "Chat")
        #expect(popup.body == "Backup done")
    }

    @Test func `the body is escaped for a daemon that reads markup, and as it is for any other`() throws {
        let texts: JSON = ["title": "<i>A</i> & B", "body": "<a href=\"https://example.org\">&amp;</a>"]
        let escaped = try popup(Self.alert(texts), ["body", "body-markup"], summary: "from <b>")
        #expect(escaped.summary == "<i>A</i> & B")
        #expect(escaped.body == "&lt;a href=\"https://example.org\"&gt;&amp;amp;&lt;/a&gt;\nfrom &lt;b&gt;")
        let plain = try popup(Self.alert(texts), ["body"])
        #expect(plain.body == "<a href=\"https://example.org\">&amp;</a>")
        let none = try popup(Self.alert(texts), [])
        #expect(none.body == "")
    }

    @Test func `dunst is taken to read markup, whether or not it says so`() throws {
        let notification = try #require(DesktopNotification(Told.notification(1, Self.alert("<b>"))))
        let popup = PopupRule(daemon: DaemonFacts(name: "dunst", capabilities: ["body"]), language: .english).popup(
            of: notification,
            from: "Chat",
            summary: nil,
            replaces: 0,
            playsSound: false
        )
        #expect(popup.body == "&lt;b&gt;")
    }

    @Test func `buttons are the first two actions that a popup can carry out, and none without the capability`() throws
    {
        let actions: JSON = [
            ["identifier": "default", "title": "Archive", "options": []],
            ["identifier": "unlock", "title": "Unlock", "options": ["authenticationRequired"]],
            [
                "identifier": "reply", "title": "Reply", "options": [],
                "text": ["button": "Send", "placeholder": "Text"],
            ],
            ["identifier": "later", "title": "Later", "options": []],
        ]
        let plasma = try popup(["actions": actions])
        #expect(plasma.buttons.map(\.key) == ["default", "action-0", "inline-reply"])
        #expect(plasma.buttons.map(\.label) == ["Open", "Archive", "Reply"])
        #expect(plasma.hints["x-kde-reply-submit-button-text"] == .text("Send"))
        #expect(plasma.hints["x-kde-reply-placeholder-text"] == .text("Text"))
        let dunst = try popup(["actions": actions], ["actions", "body"])
        #expect(dunst.buttons.map(\.label) == ["Open", "Archive", "Later"])
        #expect(dunst.hints["x-kde-reply-submit-button-text"] == nil)
        let mute = try popup(["actions": actions], ["body"])
        #expect(mute.buttons == [])
    }

    @Test(arguments: [("active", 1, -1), ("time-sensitive", 2, -1), ("critical", 2, 0)] as [(String, UInt8, Int32)])
    func `urgency and stay follow the level`(level: String, urgency: UInt8, expiry: Int32) throws {
        let popup = try popup(["level": .string(level)])
        #expect(popup.hints["urgency"] == .byte(urgency))
        #expect(popup.expiry.rawValue == expiry)
    }

    @Test func `a sound is named or suppressed, and no daemon keeps a list of its own`() throws {
        let silent = try popup([:])
        #expect(silent.hints["suppress-sound"] == .flag(true))
        #expect(silent.hints["sound-name"] == nil)
        #expect(silent.hints["transient"] == .flag(true))
        #expect(silent.hints["x-gnome-privacy-scope"] == .text("user"))
        let heard = try popup([:], playsSound: true)
        #expect(heard.hints["sound-name"] == .text("message-new-instant"))
        #expect(heard.hints["suppress-sound"] == nil)
    }
}
