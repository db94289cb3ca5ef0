// SPDX-License-Identifier: Apache-2.0

import CenterAsking
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
                "encryption": ["format": "v1", "authenticated": .bool(true), "sender": "569e210ce4742c83"],
            ]
        ]
        var view = view()
        let remote = view.lines(of: "delivered", Self.notification(1, sealed))
        #expect(remote[0] == "2020-01-02 03:04  Chat      ⌁ sealed, sender 569e210ce47…  1")
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

    @Test func `what is shown in grey has no line of its own, and keys reach it no more`() {
        var view = view()
        for id in 1...2 { _ = view.lines(of: "delivered", Self.notification(id)) }
        let removed: JSONObject = ["ids": ["1", "2"], "by": "user"]
        let lines = view.lines(of: "removed", removed, greyed: ["2"])
        #expect(lines == ["       1 Chat: dismissed"])
        #expect(view.current == nil)
    }

    @Test func `a link leads to the page of the app, and to nothing that a sender writes`() {
        var style = Self.style
        style.page = CenterPage(api: ["page": "http://127.0.0.1:8080/"])
        var view = WatchView(style: style, filter: WatchFilter())
        let evil = "com.evil\u{1b}]8;;http://evil/\u{1b}\\#\u{7}"
        let lines = view.lines(of: "delivered", Self.notification(7, ["app": .string(evil)]))
        let start =
            "\u{1b}]8;;http://127.0.0.1:8080/#app=com%2Eevil%1B%5D8%3B%3Bhttp%3A%2F%2Fevil%2F%1B%5C%23%07\u{1b}\\"
        let end = "\u{1b}]8;;\u{1b}\\"
        #expect(lines[0].hasSuffix(start + "7" + end))
        let rest = lines.joined().replacing(start, with: "").replacing(end, with: "")
        #expect(rest.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(view.plainLines(of: Self.notification(7))[0].hasSuffix("  7"))
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:x", "http://a b/", "http://a/#b", "http://a/\u{1b}", ""])
    func `what is no address of a page is none`(text: String) {
        #expect(CenterPage(api: ["page": .string(text)]) == nil)
    }

    /// Rows of a terminal with 60 columns, on which two blocks and a line stand.
    private func screen() -> WatchScreen {
        var screen = WatchScreen(columns: 60)
        screen.take(block: "1", ["a", "b"])
        screen.take(lineCount: 2)
        screen.take(block: "2", ["c"])
        screen.take(lineCount: 2)
        return screen
    }

    @Test func `a block that is on the screen turns grey where it stands, once`() {
        var screen = screen()
        let size = WatchScreen.Size(columns: 60, rows: 24)
        let first = "\u{1b}[4A\r\u{1b}[2K\u{1b}[2ma\u{1b}[0m\n\u{1b}[2K\u{1b}[2mb\u{1b}[0m\n\u{1b}[2B\r"
        // A line that is wider than the terminal is cut, in grey too.
        #expect(screen.grey("1", on: size) == "\u{1b}[?7l" + first + "\u{1b}[?7h")
        #expect(screen.grey("1", on: size) == nil)
        let second = "\u{1b}[2A\r\u{1b}[2K\u{1b}[2mc\u{1b}[0m\n\u{1b}[1B\r"
        #expect(screen.grey("2", on: size) == WatchScreen.unwrapped(second))
        #expect(screen.grey("3", on: size) == nil)
    }

    @Test(arguments: [(60, 4, false), (60, 5, true), (59, 24, false), (61, 24, false)])
    func `what has left the screen, or was broken anew, is not written over`(columns: Int, rows: Int, isThere: Bool) {
        var screen = screen()
        #expect((screen.grey("1", on: WatchScreen.Size(columns: columns, rows: rows)) != nil) == isThere)
    }

    @Test func `what somebody else has written moves what is above`() {
        var screen = screen()
        screen.lose()
        #expect(screen.grey("2", on: WatchScreen.Size(columns: 60, rows: 24)) == nil)
        screen.take(block: "3", ["d"])
        screen.take(lineCount: 1)
        let grey = screen.grey("3", on: WatchScreen.Size(columns: 60, rows: 24))
        #expect(grey == WatchScreen.unwrapped("\u{1b}[1A\r\u{1b}[2K\u{1b}[2md\u{1b}[0m\n"))
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
