// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The desktop agent with Xfce's notification daemon, alone and after another one.
extension DesktopTests {
    private static let need: Comment = "needs dunst, xfce4-notifyd, Xvfb and xdotool: scripts/setup test installs them"

    /// The level of popups that the daemon leaves on the screen until they are closed.
    private static let level = "time-sensitive"

    /// Expects that the next line of the agent's notes names a daemon.
    private func expect(_ daemon: String, from desktop: RunningDesktop) async {
        var note = await desktop.note()
        // The agent or the daemon is there first.
        if note?.contains("waiting") == true { note = await desktop.note() }
        #expect(note?.hasPrefix("notification-desktop: showing notifications on \(daemon) ") == true)
    }

    /// The notification with a title in the history, once it is there.
    private func history(of title: String, in folder: TemporaryFolder) async throws -> String {
        while true {
            let output = try await folder.centerCommand("history").output
            if let line = output.split(separator: "\n").first(where: { $0.contains(#""title":"\#(title)""#) }) {
                return String(line)
            }
            try Task.checkCancellation()
        }
    }

    @Test(.enabled(if: OwnScreen.hasXfce, need))
    func `on Xfce's daemon a button answers, a click beside it dismisses, and a removal takes the popup away`()
        async throws
    {
        try await withCenter { folder, bus in
            let screen = try await OwnScreen(folder, on: bus)
            try await screen.start(.xfce)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            await expect("Xfce Notify Daemon", from: desktop)
            try await folder.waitForDesktop()
            try await add("first", "Backup <done>", level: Self.level, in: folder)
            let first = try await screen.wait(forPopups: 1, of: .xfce)
            try await screen.click(window: first[0], onButton: true)
            let answered = try await history(of: "Backup <done>", in: folder)
            #expect(answered.contains(#""answered":true"#))
            try await screen.wait(forPopups: 0, of: .xfce)
            try await add("second", "Second", level: Self.level, in: folder)
            let second = try await screen.wait(forPopups: 1, of: .xfce)
            try await screen.click(window: second[0], onButton: false)
            let dismissed = try await history(of: "Second", in: folder)
            #expect(dismissed.contains(#""answered":false"#))
            try await screen.wait(forPopups: 0, of: .xfce)
            try await add("third", "Third", level: Self.level, in: folder)
            try await screen.wait(forPopups: 1, of: .xfce)
            let removed = try await folder.centerCommand("remove", try #require(try await folder.newest()))
            #expect(removed.status == 0, "\(removed.errors)")
            try await screen.wait(forPopups: 0, of: .xfce)
            #expect(desktop.terminate() == 0)
            let notes = try screen.notes()
            #expect(!notes.contains("markup"), "\(notes)")
        }
    }

    @Test(.enabled(if: OwnScreen.hasXfce, need))
    func `Xfce's daemon that follows dunst shows what is fresh once, and the next popup once`() async throws {
        try await withCenter { folder, bus in
            let screen = try await OwnScreen(folder, on: bus)
            try await screen.start(.dunst)
            let desktop = try RunningDesktop(folder, environment: bus.environment)
            await expect("dunst", from: desktop)
            try await folder.waitForDesktop()
            try await add("first", "First", level: Self.level, in: folder)
            try await screen.wait(forPopups: 1, of: .dunst)
            screen.killDaemon()
            let gone = await desktop.note()
            #expect(gone == "notification-desktop: the notification daemon has gone; waiting for one")
            try await screen.start(.xfce)
            await expect("Xfce Notify Daemon", from: desktop)
            let former = try await screen.wait(forPopups: 1, of: .xfce)
            try await add("second", "Second", level: Self.level, in: folder)
            let both = try await screen.wait(forPopups: 2, of: .xfce)
            let second = try #require(both.first { $0 != former[0] })
            try await screen.click(window: second, onButton: true)
            let answered = try await history(of: "Second", in: folder)
            #expect(answered.contains(#""answered":true"#))
            let left = try await screen.wait(forPopups: 1, of: .xfce)
            #expect(left == former)
            let titles = try await folder.centerTitles(1)
            #expect(titles == ["First"])
            #expect(desktop.terminate() == 0)
        }
    }
}
