// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import notification_center

/// The lines that a watching person sees of what a centre tells.
struct WatchViewTests {
    private static let style = TerminalStyle(columns: 60, hasColours: false, zone: .gmt)

    private static func notification(_ id: Int, _ more: [String: JSON] = [:]) -> JSONObject {
        var notification: JSONObject = [
            "id": .string("\(id)"), "app": "com.example.chat", "date": "2020-01-02T03:04:05.678Z",
            "remote": .bool(true),
            "payload": ["aps": ["alert": ["title": "Alice", "subtitle": "Lunch", "body": "At the usual place?"]]],
        ]
        for (name, value) in more { notification[name] = value }
        return notification
    }

    private func view(_ style: TerminalStyle = style, filter: WatchFilter = WatchFilter()) -> WatchView {
        var view = WatchView(style: style, filter: filter)
        view.learn([["app": "com.example.chat", "name": "Chat"]])
        return view
    }

    @Test func `a notification is whose it is, its texts, its files and its actions`() {
        var view = view()
        let lines = view.lines(
            of: "delivered",
            Self.notification(
                4711,
                [
                    "attachments": [
                        ["identifier": "photo.jpg", "size": .integer(48_211)],
                        ["identifier": "b", "refused": "tooLarge"],
                    ],
                    "actions": [
                        ["identifier": "reply", "title": "Reply", "text": ["button": "Send"]],
                        ["identifier": "archive", "title": "Archive"],
                    ],
                ]
            )
        )
        #expect(
            lines == [
                "2020-01-02 03:04  Chat · Alice                          4711", "       Lunch",
                "       At the usual place?",
                "       [photo.jpg 48 KB]", "       [b: refused, tooLarge]", "       1 Reply…  2 Archive",
            ]
        )
    }

    @Test func `a seal is shown where the host wrote it, and not where an app did`() {
        var sealed: [String: JSON] = [
            "payload": [
                "aps": ["alert": "Hello"],
                "encryption": ["format": "v1", "authenticated": .bool(true), "sender": "chat-server"],
            ]
        ]
        var view = view()
        let remote = view.lines(of: "delivered", Self.notification(1, sealed))
        #expect(remote[0] == "2020-01-02 03:04  Chat       ⌁ sealed, sender chat-server  1")
        sealed["remote"] = .bool(false)
        let local = view.lines(of: "delivered", Self.notification(2, sealed))
        #expect(local[0] == "2020-01-02 03:04  Chat                                     2")
    }

    @Test func `previews that are hidden show no word of a notification`() {
        var style = Self.style
        style.hidesPreviews = true
        var view = view(style)
        let lines = view.lines(
            of: Self.notification(7, ["attachments": [["identifier": "photo", "size": .integer(1)]]]),
            summary: "5 more from Bob"
        )
        #expect(lines == ["2020-01-02 03:04  Chat                                     7"])
    }

    @Test func `what is closed elsewhere is a line, once, and what is replaced is none`() {
        var view = view()
        for id in 1...4 { _ = view.lines(of: "delivered", Self.notification(id)) }
        let closed: (String, String) -> JSONObject = { ["ids": [.string($0)], "by": .string($1)] }
        #expect(view.lines(of: "removed", closed("1", "user")) == ["       1 Chat: dismissed"])
        #expect(view.lines(of: "removed", closed("1", "user")) == [])
        #expect(view.lines(of: "removed", closed("2", "response")) == ["       2 Chat: answered"])
        #expect(view.lines(of: "removed", closed("3", "app")) == ["       3 Chat: taken back by its app"])
        #expect(view.lines(of: "removed", closed("4", "update")) == [])
        #expect(view.current == nil)
    }

    @Test func `keys act on the newest, and on another after a move`() {
        var view = view()
        for id in 1...3 { _ = view.lines(of: "delivered", Self.notification(id)) }
        #expect(view.current?["id"]?.string == "3")
        #expect(view.move(by: -1) == ["→ 2020-01-02 03:04  Chat · Alice                           2"])
        _ = view.lines(of: "delivered", Self.notification(4))
        #expect(view.current?["id"]?.string == "2")
        _ = view.lines(of: "removed", ["ids": ["1"], "by": "user"])
        #expect(view.current?["id"]?.string == "2")
        _ = view.lines(of: "removed", ["ids": ["2"], "by": "user"])
        #expect(view.current?["id"]?.string == "4")
        _ = view.move(by: -9)
        #expect(view.current?["id"]?.string == "3")
        _ = view.move(by: 9)
        #expect(view.current?["id"]?.string == "4")
    }

    @Test func `an app that was removed is told of by its name, which is forgotten`() {
        var view = view()
        let removed: JSONObject = ["app": "com.example.chat", "removed": true]
        #expect(view.lines(of: "app", removed) == ["Chat was removed"])
        #expect(view.lines(of: "app", removed) == ["com.example.chat was removed"])
        #expect(EventLine("app", removed).line == "com.example.chat: removed")
    }

    @Test func `a filter leaves the others out`() {
        var view = view(filter: WatchFilter(app: "com.example.chat", thread: "a"))
        #expect(view.lines(of: "delivered", Self.notification(1, ["thread": "b"])) == [])
        #expect(view.lines(of: "delivered", Self.notification(2, ["thread": "a"])).count == 3)
        #expect(view.lines(of: "delivered", Self.notification(3, ["thread": "a", "app": "com.example.mail"])) == [])
    }

    @Test func `an app that asks is said with what to do, and other events are for people or nothing`() {
        var view = view()
        let question: JSONObject = ["app": "com.example.chat", "name": "Chat", "question": ["options": []]]
        #expect(
            view.lines(of: "app", question) == ["Chat asks to notify: notification-center authorize com.exam…"]
        )
        #expect(view.lines(of: "app", ["app": "com.example.chat", "name": "Chat"]) == [])
        #expect(
            view.lines(of: "missed", ["count": .integer(3), "apps": ["com.example.chat"]]) == [
                "3 came during Do Not Disturb: Chat"
            ]
        )
        #expect(view.lines(of: "owner", [:]) == [])
    }

    /// Control characters in every field that a sender or an app fills.
    @Test func `whatever the texts are, no line has a byte that a terminal obeys`() {
        let evil = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\r\u{8}\u{7f}\u{85}"
        var view = WatchView(style: TerminalStyle(columns: 30, hasColours: false, zone: .gmt), filter: WatchFilter())
        view.learn([["app": .string(evil), "name": .string(evil)]])
        let lines = view.lines(
            of: "delivered",
            [
                "id": .string(evil), "app": .string(evil), "date": .string(evil), "remote": .bool(true),
                "payload": [
                    "aps": ["alert": ["title": .string(evil), "subtitle": .string(evil), "body": .string(evil)]],
                    "encryption": ["authenticated": .bool(true), "sender": .string(evil)],
                ], "attachments": [["identifier": .string(evil), "refused": .string(evil)]],
                "actions": [["identifier": "a", "title": .string(evil)]],
            ]
        )
        let more =
            view.lines(of: "removed", ["ids": [.string(evil)], "by": "user"])
            + view.lines(of: "missed", ["apps": [.string(evil)]])
            + view.lines(of: "app", ["app": .string(evil), "question": [:]])
            + view.lines(of: "app", ["app": .string(evil), "removed": true])
        #expect(lines.count > 4 && more.count == 4)
        for scalar in (lines + more).joined().unicodeScalars {
            #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
        }
    }
}
