// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// The desktop agent between a centre and a notification daemon, on a bus of its own.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopTests {
    private static let topic = "com.example.backup"

    /// A centre alone, whose one app may notify, and a bus.
    func withCenter(_ body: (TemporaryFolder, OwnBus) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await allow(in: folder)
            let bus = try await OwnBus(folder)
            try await body(folder, bus)
            #expect(center.terminate() == 0)
        }
    }

    /// Has the app notify, with an action.
    private func allow(in folder: TemporaryFolder) async throws {
        let archive = #"{"identifier":"archive","title":"Archive","options":[]}"#
        let categories = #"[{"identifier":"backup","actions":[\#(archive)],"intents":[],"options":[]}]"#
        try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":\#(categories)}"#)
        let allowed = try await folder.centerCommand("authorize", Self.topic)
        try #require(allowed.status == 0, "\(allowed.errors)")
    }

    /// Adds notifications until one is a popup, since a surface takes a moment to join; returns the popup.
    private func firstPopup(_ daemon: FakeDaemon, in folder: TemporaryFolder) async throws -> JSONObject {
        // The agent says that it shows banners before it is told of what comes then.
        try await folder.waitForDesktop()
        try await add("first", "Backup <done>", in: folder)
        return try await daemon.next("Notify")
    }

    /// Adds a notification of the app, in a thread of its own.
    func add(
        _ identifier: String,
        _ title: String,
        attachments: JSON = [],
        level: String = "active",
        in folder: TemporaryFolder
    ) async throws {
        let payload: JSONObject = [
            "aps": [
                "alert": ["title": .string(title), "body": "in <b>5</b> s & more"], "category": "backup",
                "thread-id": .string(identifier), "interruption-level": .string(level),
            ]
        ]
        let request: JSONObject = [
            "identifier": .string(identifier), "payload": .object(payload), "attachments": attachments,
        ]
        let call: JSONObject = ["call": "add", "request": .object(request)]
        try await folder.appCall(Self.topic, String(decoding: call.serialized, as: UTF8.self))
    }

    /// Expects the next line of what the agent notes.
    private func expect(_ note: String, from desktop: RunningDesktop, at place: SourceLocation = #_sourceLocation) async
    {
        let said = await desktop.note()
        #expect(said == "notification-desktop: \(note)", sourceLocation: place)
    }

    /// Waits until the history has so many notifications.
    private func history(_ count: Int, in folder: TemporaryFolder) async throws -> String {
        while true {
            let output = try await folder.centerCommand("history").output
            if output.split(separator: "\n").count == count { return output }
        }
    }

    @Test func `a notification is a popup, and its button answers`() async throws {
        try await withCenter { folder, bus in
            let daemon = try await FakeDaemon(on: bus, capabilities: "actions,body,body-markup")
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            await expect("showing notifications on fake 1.0", from: desktop)
            let popup = try await firstPopup(daemon, in: folder)
            #expect(popup["app"] == .string(Self.topic))
            #expect(popup["summary"] == "Backup <done>")
            #expect(popup["body"] == "in &lt;b&gt;5&lt;/b&gt; s &amp; more")
            #expect(popup["actions"] == ["default", "Open", "action-0", "Archive"])
            #expect(popup["expire"] == -1)
            let id = try #require(popup["id"]?.integer)
            try daemon.send("chosen \(id) action-0")
            let closed = try await daemon.next("CloseNotification")
            #expect(closed["id"] == .integer(id))
            let history = try await history(1, in: folder)
            #expect(history.contains(#""answered":true"#))
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `a popup that a person closes dismisses, one that fades stays a row, and a removal closes`() async throws
    {
        try await withCenter { folder, bus in
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            let first = try await firstPopup(daemon, in: folder)
            try daemon.send("closed \(try #require(first["id"]?.integer)) 1")
            try await add("second", "Second", in: folder)
            let second = try await daemon.next("Notify")
            #expect(second["replaces"] == 0)
            try daemon.send("closed \(try #require(second["id"]?.integer)) 2")
            let history = try await history(1, in: folder)
            #expect(history.contains(#""title":"Second""#))
            #expect(history.contains(#""answered":false"#))
            let titles = try await folder.centerTitles(1)
            #expect(titles == ["Backup <done>"])
            try await add("third", "Third", in: folder)
            let third = try await daemon.next("Notify")
            let removed = try await folder.centerCommand("remove", try #require(try await folder.newest()))
            #expect(removed.status == 0, "\(removed.errors)")
            let closed = try await daemon.next("CloseNotification")
            #expect(closed["id"] == third["id"])
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `a daemon that is killed is followed by another, which shows again what is fresh`() async throws {
        try await withCenter { folder, bus in
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            await expect("no notification daemon is on the session bus; waiting for one", from: desktop)
            let first = try await FakeDaemon(on: bus, capabilities: "body")
            await expect("showing notifications on fake 1.0", from: desktop)
            let popup = try await firstPopup(first, in: folder)
            #expect(popup["actions"] == [])
            #expect(popup["body"] == "in <b>5</b> s & more")
            first.kill()
            await expect("the notification daemon has gone; waiting for one", from: desktop)
            let second = try await FakeDaemon(on: bus, name: "other", capabilities: "body,body-markup,actions")
            await expect("showing notifications on other 1.0", from: desktop)
            let again = try await second.next("Notify")
            #expect(again["summary"] == "Backup <done>")
            #expect(again["replaces"] == 0)
            #expect(again["body"] == "in &lt;b&gt;5&lt;/b&gt; s &amp; more")
            #expect(again["hints"]?.object?["suppress-sound"] == true)
            #expect(desktop.terminate() == 0)
        }
    }

    @Test(arguments: ["gnome", "login"])
    func `while the session is locked a popup has no word that the app's previews hide`(lock: String) async throws {
        try await withCenter { folder, bus in
            try await folder.settings(of: Self.topic, #"{"previews":"whenAuthenticated"}"#)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            let open = try await firstPopup(daemon, in: folder)
            #expect(open["summary"] == "Backup <done>")
            try daemon.send("lock \(lock) 1")
            let closed = try await daemon.next("CloseNotification")
            #expect(closed["id"] == open["id"])
            let hidden = try await daemon.next("Notify")
            #expect(hidden["summary"] == .string(Self.topic) && hidden["body"] == "Notification")
            #expect(hidden["hints"]?.object?["suppress-sound"] == true)
            try await add("second", "Behind the lock", in: folder)
            let second = try await daemon.next("Notify")
            #expect(second["summary"] == .string(Self.topic) && second["body"] == "Notification")
            try daemon.send("lock \(lock) 0")
            let again = [try await daemon.next("Notify"), try await daemon.next("Notify")]
            #expect(Set(again.map { $0["summary"]?.string }) == ["Backup <done>", "Behind the lock"])
            #expect(Set(again.map { $0["replaces"]?.integer }) == [hidden["id"]?.integer, second["id"]?.integer])
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `a popup has the picture as long as it is on the screen, and none while the session is locked`()
        async throws
    {
        try await withCenter { folder, bus in
            try await folder.settings(of: Self.topic, #"{"previews":"whenAuthenticated"}"#)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            _ = try await firstPopup(daemon, in: folder)
            let attachments = try await folder.attachment(Data(base64Encoded: Self.png)!, of: Self.topic)
            try await add("photo", "Photo", attachments: attachments, in: folder)
            let popup = try await daemon.next("Notify")
            let address = try #require(popup["hints"]?.object?["image-path"]?.string)
            let path = try #require(URL(string: address)?.path)
            let shown = try #require(FileManager.default.contents(atPath: path))
            #expect(shown == Data(base64Encoded: Self.png))
            try daemon.send("lock gnome 1")
            let hidden = [try await daemon.next("Notify"), try await daemon.next("Notify")]
            #expect(hidden.allSatisfy { $0["hints"]?.object?["image-path"] == nil })
            try daemon.send("lock gnome 0")
            var again: JSONObject = [:]
            while again["hints"]?.object?["image-path"] == nil { again = try await daemon.next("Notify") }
            let second = try #require(again["hints"]?.object?["image-path"]?.string.flatMap(URL.init)?.path)
            let removed = try await folder.centerCommand("remove", try #require(try await folder.newest()))
            #expect(removed.status == 0, "\(removed.errors)")
            _ = try await daemon.next("CloseNotification")
            while FileManager.default.fileExists(atPath: second) { try await Task.turn() }
            #expect(desktop.terminate() == 0)
        }
    }

    /// A picture of one point.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test(.enabled(if: OwnScreen.isThere, "needs dunst, Xvfb and xdotool: scripts/setup test installs them"))
    func `on dunst a notification is a popup, a click answers it, and a removal takes it from the screen`() async throws
    {
        try await withCenter { folder, bus in
            let screen = try await OwnScreen(folder, on: bus)
            try await screen.start(.dunst)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            var note = await desktop.note()
            // Whichever of the two is there first.
            if note?.contains("waiting") == true { note = await desktop.note() }
            #expect(note?.hasPrefix("notification-desktop: showing notifications on dunst ") == true)
            try await folder.waitForDesktop()
            try await add("first", "Backup <done>", in: folder)
            try await screen.wait(forPopups: 1, of: .dunst)
            try await screen.click()
            let history = try await history(1, in: folder)
            #expect(history.contains(#""answered":true"#))
            try await screen.wait(forPopups: 0, of: .dunst)
            try await add("second", "Second", in: folder)
            try await screen.wait(forPopups: 1, of: .dunst)
            let removed = try await folder.centerCommand("remove", try #require(try await folder.newest()))
            #expect(removed.status == 0, "\(removed.errors)")
            try await screen.wait(forPopups: 0, of: .dunst)
            #expect(desktop.terminate() == 0)
            let notes = try screen.notes()
            #expect(!notes.contains("Unable to parse markup"), "\(notes)")
        }
    }

    @Test func `a centre that is not there is waited for with one line, and heard when it comes`() async throws {
        try await TemporaryFolder.with { folder in
            let bus = try await OwnBus(folder)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            let http = folder.path + "/center/http.sock"
            let notes = [await desktop.note(), await desktop.note()].compactMap(\.self).sorted()
            #expect(
                notes == [
                    "notification-desktop: showing notifications on fake 1.0",
                    "notification-desktop: the centre on \"\(http)\" does not answer; waiting for it",
                ]
            )
            let center = try await RunningCenter(folder)
            await expect("the centre on \"\(http)\" is back", from: desktop)
            #expect(desktop.terminate() == 0)
            #expect(center.terminate() == 0)
            daemon.kill()
        }
    }

    @Test func `what a person does while no centre answers reaches the next one`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            try await allow(in: folder)
            let bus = try await OwnBus(folder)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            await expect("showing notifications on fake 1.0", from: desktop)
            let first = try await firstPopup(daemon, in: folder)
            try await add("second", "Second", in: folder)
            let second = try await daemon.next("Notify")
            center.kill()
            await expect(
                "the centre on \"\(folder.path)/center/http.sock\" does not answer; waiting for it",
                from: desktop
            )
            try daemon.send("chosen \(try #require(first["id"]?.integer)) action-0")
            let answer = try #require(await desktop.note())
            #expect(answer.contains("the answer to notification "))
            #expect(answer.contains(" is kept until a centre answers: no centre answers on "))
            try daemon.send("closed \(try #require(second["id"]?.integer)) 2")
            let dismissal = try #require(await desktop.note())
            #expect(dismissal.contains("the dismissal of notification "))
            center = try await RunningCenter(folder)
            let history = try await history(2, in: folder)
            #expect(history.contains(#""answered":true"#) && history.contains(#""answered":false"#))
            #expect(desktop.terminate() == 0)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `without a session bus it ends with 0 and leads to the page`() async throws {
        try await TemporaryFolder.with { folder in
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none", "LC_ALL": "C"]
            let result = try await CommandResult.run(
                Programs.notificationDesktop,
                ["--folder", folder.path],
                environment: environment
            )
            #expect(result.status == 0)
            #expect(
                result.errors == """
                    notification-desktop: there is no session bus (No such file or directory), so that no popup can be \
                    shown; the page shows notifications: "notification-center sign-in" prints its link

                    """
            )
        }
    }

    @Test func `doctor tells what the daemon can do, and shows a popup`() async throws {
        try await withCenter { folder, bus in
            let daemon = try await FakeDaemon(on: bus, name: "dunst", capabilities: "actions,body")
            let result = try await folder.desktopDoctor(on: bus)
            let lines = result.output.split(separator: "\n")
            #expect(
                lines.dropLast() == [
                    "yes  bus", "yes  daemon    dunst 1.0", "yes  body      a popup has the text",
                    "yes  markup    what a sender writes is escaped", "yes  actions   a click and buttons answer",
                    "no   reply     answers are written on the page",
                    "no   sound     it is left to the page or a terminal",
                    "no   closing   a popup that is closed leaves its notification in the list",
                    "yes  popup     \"Nestbox: this is a popup\" is on the screen",
                    #"no   portal    none answers, and none is used: this is no Flatpak, and "--portal" was not given"#,
                    "yes  settings  the settings portal says that Do Not Disturb is off",
                ]
            )
            #expect(lines.last?.hasPrefix("yes  centre    version ") == true)
            #expect(result.status == 0, "\(result.errors)")
            let popup = try await daemon.next("Notify")
            #expect(popup["summary"] == "Nestbox: this is a popup")
        }
    }
}
