// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A click on a popup whose app has a desktop file: the app comes to the front, and the browser is for what has none.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopAppTests {
    private static let entry = "org.example.Chat"

    /// Writes the desktop file of the app into the user's folder.
    private func desktopFile(_ lines: String, in folder: TemporaryFolder) throws {
        let applications = folder.path + "/data/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        _ = try folder.write(
            "[Desktop Entry]\nType=Application\n\(lines)\n",
            to: "data/applications/\(Self.entry).desktop"
        )
    }

    private func withPopup(
        _ program: String = "xdg-open",
        script: String = DesktopLaunchTests.keeping,
        url: String? = DesktopLaunchTests.url,
        isOnBus: Bool = false,
        _ body: (TemporaryFolder, FakeDaemon, RunningDesktop, _ popup: Int64) async throws -> Void
    ) async throws {
        try await DesktopLaunchTests.withPopups(program, script: script, url: url, entry: Self.entry, isOnBus: isOnBus)
        {
            folder,
            daemon,
            desktop,
            popups in
            try await body(folder, daemon, desktop, popups[0])
        }
    }

    @Test func `an app that runs is called over the bus, with the token of the click, and no program is started`()
        async throws
    {
        try await withPopup(isOnBus: true) { folder, daemon, _, popup in
            try daemon.send("token \(popup) token-1")
            try daemon.send("chosen \(popup) default")
            let called = try await daemon.next("Activate")
            let expected: JSONObject = [
                "call": "Activate", "path": "/org/example/Chat", "activation-token": "token-1",
                "desktop-startup-id": "token-1",
            ]
            #expect(called == expected)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/opened"))
        }
    }

    @Test func `an app whose file says so is started by the call`() async throws {
        try await withPopup { folder, daemon, _, popup in
            try desktopFile("Exec=false\nDBusActivatable=true", in: folder)
            let program = "\(Programs.folder)/FakeNotifications"
            // The program ends with its input, which ends with the bus.
            let script = "tail -f /dev/null --pid=$PPID | '\(program)' app '' \(Self.entry) > '\(folder.path)/calls'\n"
            try await folder.desktopProgram("app", script)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/services",
                withIntermediateDirectories: true
            )
            _ = try folder.write(
                "[D-BUS Service]\nName=\(Self.entry)\nExec=\(folder.path)/bin/app\n",
                to: "services/\(Self.entry).service"
            )
            try daemon.send("chosen \(popup) default")
            var calls = ""
            while calls.count(where: \.isNewline) < 2 { calls = try await folder.written("calls") }
            #expect(calls == #"{"call":"ready"}"# + "\n" + #"{"call":"Activate","path":"/org/example/Chat"}"# + "\n")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/opened"))
        }
    }

    @Test func `any other app is started by its command, without a shell`() async throws {
        try await withPopup("chat", script: DesktopLaunchTests.keeping) { folder, daemon, _, popup in
            try desktopFile(
                #"Name=My Chat\nIcon=chat\nExec=chat "a \\$b;" %i %c %u"#.replacing(#"\n"#, with: "\n"),
                in: folder
            )
            try daemon.send("token \(popup) token-1")
            try daemon.send("chosen \(popup) default")
            let words = [
                "a $b;", "--icon", "chat", "My Chat", "\(DesktopLaunchTests.url)?target=lunch%201", "token-1",
                "token-1",
            ]
            let opened = try await folder.written("opened")
            #expect(opened == words.joined(separator: "\n") + "\n")
        }
    }

    @Test(
        arguments: [
            ("Exec=sh\nTerminal=true", "asks for a terminal, and a popup has none", "give the app a window of its own"),
            ("Exec=sh -c 'id'", "has a command that is none", "desktop-file-validate says what is wrong"),
            ("Exec=bin/sh", "names no program that is here", #"look at its line "Exec""#),
            (
                "Hidden=true\nExec=sh", "is none of an application",
                "name another one: apps[].center.desktop-entry"
            ),
        ]
    )
    func `a file that starts nothing is noted, and the address is opened`(
        lines: String,
        what: String,
        hint: String
    )
        async throws
    {
        try await withPopup { folder, daemon, desktop, popup in
            try desktopFile(lines, in: folder)
            try daemon.send("chosen \(popup) default")
            let notes = [await desktop.note(), await desktop.note(), await desktop.note()]
            #expect(
                notes == [
                    "notification-desktop: showing notifications on fake 1.0",
                    "notification-desktop: error: the desktop file \"\(Self.entry)\" \(what)",
                    "notification-desktop: hint: \(hint)",
                ]
            )
            let opened = try await folder.written("opened")
            #expect(opened == "\(DesktopLaunchTests.url)?target=lunch%201\n\n\n")
        }
    }

    // MARK: A desktop file alone

    @Test func `an app that has its desktop file alone is started by a click`() async throws {
        try await withPopup("chat", url: nil) { folder, daemon, _, popup in
            try desktopFile("Exec=chat %u", in: folder)
            try daemon.send("token \(popup) token-1")
            try daemon.send("chosen \(popup) default")
            let opened = try await folder.written("opened")
            #expect(opened == "token-1\ntoken-1\n")
        }
    }

    @Test(
        arguments: [
            (
                nil, #"no program of the desktop file "org.example.Chat" was started"#,
                "name one that starts a program: apps[].center.desktop-entry, or url beside it"
            ),
            (
                "Exec=bin/sh", #"the desktop file "org.example.Chat" names no program that is here"#,
                #"look at its line "Exec""#
            ),
        ] as [(String?, String, String)]
    )
    func `a desktop file alone that starts nothing is noted once`(
        lines: String?,
        what: String,
        hint: String
    )
        async throws
    {
        try await withPopup(url: nil) { folder, daemon, desktop, popup in
            if let lines { try desktopFile(lines, in: folder) }
            try daemon.send("chosen \(popup) default")
            let notes = [await desktop.note(), await desktop.note(), await desktop.note()]
            #expect(
                notes == [
                    "notification-desktop: showing notifications on fake 1.0", "notification-desktop: error: \(what)",
                    "notification-desktop: hint: \(hint)",
                ]
            )
            desktop.process.terminate()
            #expect(await desktop.note() == nil)
        }
    }

    // MARK: Actions

    private static let actions = """
        [{"identifier":"archive","title":"Archive","options":["foreground"]},\
        {"identifier":"mute","title":"Mute","options":[]}]
        """

    @Test(
        arguments: [
            ("DBusActivatable=true\nActions=new;archive;", ["call": "ActivateAction", "action": "archive"]),
            ("DBusActivatable=true\nActions=new;", ["call": "Activate"]),
            ("Exec=false\nActions=archive;", ["call": "Activate"]),
        ] as [(String, JSONObject)]
    )
    func `a button that shows the app is its action of that name, where the desktop file has it`(
        lines: String,
        expected: JSONObject
    ) async throws {
        try await DesktopLaunchTests.withPopups(
            "xdg-open",
            script: DesktopLaunchTests.keeping,
            count: 2,
            url: nil,
            entry: Self.entry,
            actions: Self.actions,
            isOnBus: true
        ) { folder, daemon, _, popups in
            try desktopFile(lines, in: folder)
            // The action that works unseen calls nothing: the first call is that of the other popup.
            for (popup, key) in zip(popups, ["action-1", "action-0"]) {
                try daemon.send("token \(popup) token-\(popup)")
                try daemon.send("chosen \(popup) \(key)")
            }
            let called = try await daemon.next(["Activate", "ActivateAction"])
            var all = expected
            if expected["action"] != nil { all["parameters"] = 0 }
            all["path"] = "/org/example/Chat"
            for name in ["activation-token", "desktop-startup-id"] { all[name] = .string("token-\(popups[1])") }
            #expect(called == all)
        }
    }
}
