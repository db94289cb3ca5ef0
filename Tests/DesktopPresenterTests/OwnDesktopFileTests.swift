// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

@testable import DesktopPresenter

/// The desktop files of apps that name none.
struct OwnDesktopFileTests {
    private func files(_ apps: JSON...) -> OwnDesktopFiles {
        var files = OwnDesktopFiles(center: "/run/http.sock") { ["notification-desktop", "open", $0] }
        files.take(front: ["apps": .array(apps)])
        return files
    }

    @Test func `a file has a name, no place in menus, and a command that opens the page of the app`() {
        var files = files(["app": "com.example.chat", "name": "Chat"])
        let changes = files.changes()
        #expect(changes?.map(\.name) == ["nestbox.com.example.chat.desktop"])
        #expect(
            changes?.map(\.text) == [
                """
                [Desktop Entry]
                Type=Application
                Name=Chat
                Icon=dialog-information
                Exec="notification-desktop" "open" "com.example.chat"
                NoDisplay=true
                X-GNOME-UsesNotifications=true
                X-Nestbox-Center=/run/http.sock

                """
            ]
        )
        #expect(files.changes() == nil)
    }

    @Test(
        arguments: [
            ("A\nExec=evil", "A Exec=evil"), ("  \\n%s", "\\s \\\\n%s"), ("\u{1b}[2J\u{0}\u{202e}x", "[2Jx"),
            ("[Desktop Action x]", "[Desktop Action x]"),
            (String(repeating: "a", count: 9_999), String(repeating: "a", count: 200)),
        ]
    )
    func `an app's name is one value of one line, whatever it has`(name: String, value: String) {
        var files = files(["app": "a", "name": .string(name)])
        let lines = files.changes()?.first?.text.split(separator: "\n").map(String.init)
        #expect(lines?.count == 8)
        #expect(lines?[2] == "Name=" + value)
    }

    @Test(arguments: [#"/a b"c"#, "/$HOME/`x`", #"/back\slash"#, "/100%u", "/line\nend", "/tab\tand ü"])
    func `a command reads as it was written`(folder: String) throws {
        let command = ["notification-desktop", "open", "com.example.chat", "--folder", folder]
        let own = try #require(OwnDesktopFile(of: "a", called: "A", command: command, center: folder))
        let file = try #require(DesktopFile(Array(own.text.utf8)))
        let words = try file.command(at: "/x", showing: nil, in: "en")
        #expect(words == command)
        #expect(file.center == folder)
    }

    @Test(arguments: ["../evil", "a/b", "-rf", ".hidden", "a b", "", "x.desktop", String(repeating: "a", count: 121)])
    func `a topic that makes no name of a file has none`(topic: String) {
        var files = files(["app": .string(topic), "name": "A"])
        #expect(files.changes() == [])
        #expect(OwnDesktopFile.entry(of: topic) == nil)
    }

    @Test func `an app that names its own has none, and 256 have one`() {
        var files = files(["app": "a", "desktopEntry": "org.example.A"], ["app": "b"])
        #expect(files.changes()?.map(\.name) == ["nestbox.b.desktop"])
        files.take(app: ["app": "b", "desktopEntry": "org.example.B"])
        #expect(files.changes() == [])
        for number in 0..<300 { files.take(app: ["app": .string("app\(1000 + number)")]) }
        let names = files.changes()?.map(\.name)
        #expect(names?.count == 256)
        #expect(names?.last == "nestbox.app1255.desktop")
    }

    @Test func `an app that was removed has none any more, and is forgotten`() {
        var files = files(["app": "a", "name": "A"], ["app": "b"])
        _ = files.changes()
        files.take(app: ["app": "a", "removed": true])
        files.take(app: ["app": "c", "removed": true])
        #expect(files.changes()?.map(\.name) == ["nestbox.b.desktop"])
        var apps = KnownApps()
        for number in 0..<1_000 { apps.take(["app": .string("\(number)"), "name": "N"]) }
        apps.take(["app": "new", "name": "New"])
        #expect(apps["new"].name == nil)
        apps.take(["app": "7", "removed": true])
        apps.take(["app": "new", "name": "New"])
        #expect(apps["7"].name == nil)
        #expect(apps["new"].name == "New")
    }

    @Test func `a popup names the file of its app`() {
        var desk = Desk(board: PopupBoard(language: .english, since: .told, hasOwnFiles: true))
        desk.deliver(Told.notification(1))
        #expect(desk.popups.map { $0.hints["desktop-entry"] } == [.text("nestbox.com.example.chat")])
        let chosen = desk.board.take(chosen: "default", of: 1)
        #expect(chosen == [.close(1), .respond(id: 1, action: "default", text: nil)])
    }
}
