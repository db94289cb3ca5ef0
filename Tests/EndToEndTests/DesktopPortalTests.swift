// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The desktop agent in a sandbox, where the notification portal shows its popups.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopPortalTests {
    private static let topic = "com.example.chat"
    /// A picture of one point, of 70 bytes.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    private static let wav = Data("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt 0123".utf8)

    /// A centre alone, whose app has two actions, and an agent whose portal has a version.
    private func withPortal(
        _ version: Int,
        _ body: (TemporaryFolder, OwnBus, FakeDaemon, RunningDesktop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let actions = """
                [{"identifier":"reply","title":"Reply","options":[],"text":{"button":"Send","placeholder":""}},\
                {"identifier":"archive","title":"Archive","options":[]}]
                """
            let categories = #"[{"identifier":"chat","actions":\#(actions),"intents":[],"options":[]}]"#
            try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":\#(categories)}"#)
            let allowed = try await folder.centerCommand("authorize", Self.topic)
            try #require(allowed.status == 0, "\(allowed.errors)")
            let bus = try await OwnBus(folder)
            let portal = try await FakeDaemon(on: bus, name: "portal-\(version)")
            try await bus.wait(for: "org.freedesktop.portal.Desktop")
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus), options: ["--portal"])
            let note = await desktop.note()
            #expect(note == "notification-desktop: showing notifications on portal \(version)")
            try await folder.waitForDesktop()
            try await body(folder, bus, portal, desktop)
            #expect(desktop.terminate() == 0)
            #expect(center.terminate() == 0)
        }
    }

    private func add(_ identifier: String, in folder: TemporaryFolder, attachments: JSON = []) async throws {
        let payload: JSONObject = [
            "aps": ["alert": ["title": .string(identifier), "body": "<b>&"], "category": "chat", "sound": "default"]
        ]
        let request: JSONObject = [
            "identifier": .string(identifier), "payload": .object(payload), "attachments": attachments,
        ]
        let call: JSONObject = ["call": "add", "request": .object(request)]
        try await folder.appCall(Self.topic, String(decoding: call.serialized, as: UTF8.self))
    }

    @Test func `version 1 is handed what it knows, and a button answers`() async throws {
        try await withPortal(1) { folder, _, portal, _ in
            let attachments = try await folder.attachment(Data(base64Encoded: Self.png)!, of: Self.topic)
            try await add("Lunch", in: folder, attachments: attachments)
            let popup = try await portal.next("AddNotification")
            let expected: JSONObject = [
                "call": "AddNotification", "id": "popup-1", "body": "<b>&",
                "buttons": [["action": "action-1", "label": "Archive"]], "default-action": "default",
                "icon": ["bytes", ["bytes": 70]], "priority": "normal", "title": "com.example.chat: Lunch",
            ]
            #expect(popup == expected)
            try portal.send("invoke popup-1 action-1")
            let removed = try await portal.next("RemoveNotification")
            #expect(removed["id"] == "popup-1")
            // The popup goes as soon as the button is pressed.
            while try await !folder.centerCommand("history").output.contains(#""answered":true"#) {
                try Task.checkCancellation()
            }
        }
    }

    @Test func `version 2 is handed hints, purposes and sealed memory, and a reply comes with its text`() async throws {
        try await withPortal(2) { folder, _, portal, _ in
            let attachments = try await folder.attachment(Data(base64Encoded: Self.png)!, of: Self.topic)
            try await add("Lunch", in: folder, attachments: attachments)
            let popup = try await portal.next("AddNotification")
            let expected: JSONObject = [
                "call": "AddNotification", "id": "popup-1", "body": "<b>&",
                "buttons": [
                    ["action": "inline-reply", "label": "Reply", "purpose": "im.reply-with-text"],
                    ["action": "action-1", "label": "Archive"],
                ], "category": "im.received", "default-action": "default",
                "display-hint": ["transient", "hide-content-on-lockscreen"],
                // SEAL, SHRINK, GROW and WRITE.
                "icon": ["file-descriptor", ["bytes": 70, "seals": 15]], "priority": "normal", "sound": "default",
                "title": "com.example.chat: Lunch",
            ]
            #expect(popup == expected)
            try await add("Dinner", in: folder)
            let second = try await portal.next("AddNotification")
            #expect(second["id"] == "popup-1")
            #expect(second["display-hint"] == ["transient", "hide-content-on-lockscreen", "show-as-new"])
            #expect(second["icon"] == nil)
            try portal.send("invoke popup-1 inline-reply At one, then")
            let removed = try await portal.next("RemoveNotification")
            #expect(removed["id"] == "popup-1")
            let response = try await folder.response(of: Self.topic)
            #expect(response.contains(#""text":"At one, then""#))
        }
    }

    @Test func `a popup whose files the portal refuses is shown without them`() async throws {
        try await withPortal(2) { folder, _, portal, _ in
            let attachments = try await folder.attachment(Data(base64Encoded: Self.png)!, of: Self.topic)
            try await add("refused", in: folder, attachments: attachments)
            let first = try await portal.next("AddNotification")
            let second = try await portal.next("AddNotification")
            #expect(first["icon"] != nil && second["icon"] == nil)
            #expect(second["id"] == "popup-1" && second["title"] == first["title"])
            try portal.send("invoke popup-1 default")
            let removed = try await portal.next("RemoveNotification")
            #expect(removed["id"] == "popup-1")
        }
    }

    @Test func `an app's sound is sealed memory too`() async throws {
        try await TemporaryFolder.with { folder in
            let sounds = folder.path + "/Sounds"
            try FileManager.default.createDirectory(atPath: sounds, withIntermediateDirectories: true)
            try Self.wav.write(to: URL(filePath: sounds + "/Ding.wav"))
            for (path, mode) in [(sounds, 0o755), (sounds + "/Ding.wav", 0o644)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            }
            let center = try await RunningCenter(folder)
            let words = ["center: { name: Chat, sounds: ./Sounds }"]
            try await RunningHost.with(folder, app: words, top: folder.centerTop()) { host in
                let bus = try await OwnBus(folder)
                let portal = try await FakeDaemon(on: bus, name: "portal-2")
                try await bus.wait(for: "org.freedesktop.portal.Desktop")
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus), options: ["--portal"])
                try await folder.waitForDesktop()
                _ = try await host.deliver(#"{"aps":{"alert":"Lunch?","sound":"Ding.wav"}}"#)
                let popup = try await portal.next("AddNotification")
                #expect(popup["title"] == "Chat")
                #expect(popup["sound"] == ["file-descriptor", ["bytes": 20, "seals": 15]])
                #expect(desktop.terminate() == 0)
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a portal that restarts is waited for, also where one in between shows nothing`() async throws {
        try await withPortal(1) { folder, bus, first, desktop in
            first.kill()
            let gone = await desktop.note()
            #expect(gone == "notification-desktop: the notification portal has gone; waiting for one")
            let without = try await FakeDaemon(on: bus, name: "portal-0")
            _ = try await without.next("Get")
            without.kill()
            let again = await desktop.note()
            #expect(again == gone)
            let second = try await FakeDaemon(on: bus, name: "portal-2")
            let note = await desktop.note()
            #expect(note == "notification-desktop: showing notifications on portal 2")
            try await add("Lunch", in: folder)
            let popup = try await second.next("AddNotification")
            #expect(popup["title"] == "com.example.chat: Lunch")
        }
    }

    @Test func `without a portal the agent ends with 0 and leads to the page`() async throws {
        try await TemporaryFolder.with { folder in
            let bus = try await OwnBus(folder)
            let result = try await CommandResult.run(
                Programs.notificationDesktop,
                ["--portal", "--folder", folder.path],
                environment: folder.desktop(on: bus)
            )
            #expect(result.status == 0)
            #expect(
                result.errors.contains(
                    """
                    notification-desktop: no notification portal is on the session bus, so that no popup can be shown; \
                    the page shows notifications: "notification-center sign-in" prints its link

                    """
                )
            )
        }
    }

    // MARK: Doctor

    @Test(arguments: [
        (1, "no   reply     answers are written on the page"), (2, "yes  reply     an answer is written in the popup"),
    ])
    func `doctor tells what the portal can do, and shows a popup by it`(version: Int, reply: String) async throws {
        try await TemporaryFolder.with { folder in
            let bus = try await OwnBus(folder)
            let portal = try await FakeDaemon(on: bus, name: "portal-\(version)")
            try await bus.wait(for: "org.freedesktop.portal.Desktop")
            let result = try await folder.desktopDoctor(on: bus, "--portal")
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(
                lines.prefix(4) == [
                    "yes  bus", "yes  portal    version \(version) answers, and is used because of \"--portal\"",
                    "yes  actions   a click and buttons answer", reply,
                ]
            )
            #expect(
                lines.suffix(5).dropLast() == [
                    "no   closing   it is not told that a popup was closed: its notification stays",
                    "no   badge     no number of an app is on an icon",
                    "yes  popup     \"Nestbox: this is a popup\" is on the screen",
                    "no   settings  no settings portal says whether Do Not Disturb is on; a daemon may",
                ]
            )
            // There is no centre.
            #expect(lines.last?.hasPrefix("no   centre ") == true)
            #expect(result.status == 1)
            let popup = try await portal.next("AddNotification")
            #expect(popup["title"] == "Nestbox: this is a popup")
        }
    }

    @Test func `doctor names a portal that the agent does not use, and starts none`() async throws {
        try await TemporaryFolder.with { folder in
            let script = ": > '\(folder.path)/started'\n"
            try await folder.desktopProgram("portal", script)
            let services = folder.path + "/services"
            try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
            let name = "org.freedesktop.portal.Desktop"
            let file = "services/\(name).service"
            _ = try folder.write("[D-BUS Service]\nName=\(name)\nExec=\(folder.path)/bin/portal\n", to: file)
            let bus = try await OwnBus(folder)
            let without = try await folder.desktopDoctor(on: bus)
            #expect(
                without.output.split(separator: "\n").dropLast() == [
                    "yes  bus",
                    "no   daemon    nobody is org.freedesktop.Notifications; start the one of your desktop",
                    #"no   portal    none answers, and none is used: this is no Flatpak, and "--portal" was not given"#,
                    "no   settings  no settings portal says whether Do Not Disturb is on; a daemon may",
                ]
            )
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/started"))
            let portal = try await FakeDaemon(on: bus, name: "portal-1")
            try await bus.wait(for: name)
            let with = try await folder.desktopDoctor(on: bus)
            let line = """
                no   portal    version 1 answers, and is not used: this is no Flatpak, and "--portal" was not given; \
                it cannot take an answer in a popup, play sounds, tell that a popup was closed, put numbers on icons
                """
            #expect(with.output.contains("\n\(line)\n"))
            portal.kill()
        }
    }
}
