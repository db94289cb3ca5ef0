// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A click on a popup whose app has an address, and the token by which the browser may take the focus.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopLaunchTests {
    private static let url = "https://chat.example.org/"

    /// An agent whose desktop has this program for addresses, and the popup of an app that has an address.
    private func withPopup(
        _ program: String,
        script: String,
        environment: [String: String] = [:],
        _ body: (TemporaryFolder, FakeDaemon, RunningDesktop, _ popup: Int64) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await folder.desktopProgram("xdg-open", "exit 3")
            try await folder.desktopProgram(program, "cd '\(folder.path)'\n" + script)
            let words = #"center: { name: Chat, url: "\#(Self.url)" }"#
            try await RunningHost.with(folder, app: [words], top: folder.centerTop()) { host in
                let bus = try await OwnBus(folder)
                let daemon = try FakeDaemon(on: bus)
                try await bus.waitForDaemon()
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus, environment))
                while try await !folder.hasDesktop() {}
                _ = try await host.deliver(#"{"aps":{"alert":"Lunch?","target-content-id":"lunch 1"}}"#)
                let popup = try await daemon.next("Notify")
                #expect(popup["app"] == "Chat")
                try await body(folder, daemon, desktop, try #require(popup["id"]?.integer))
                #expect(desktop.terminate() == 0)
            }
            #expect(center.terminate() == 0)
        }
    }

    private static let keeping =
        #"printf '%s\n' "$@" "$XDG_ACTIVATION_TOKEN" "$DESKTOP_STARTUP_ID" > part && mv part opened"#

    @Test(arguments: [("token-1", "token-1"), ("a token", "")])
    func `the address is opened with the token of the click`(said: String, token: String) async throws {
        try await withPopup("xdg-open", script: Self.keeping) { folder, daemon, _, popup in
            try daemon.send("token \(popup) \(said)")
            try daemon.send("chosen \(popup) default")
            let opened = try await folder.written("opened")
            #expect(opened == "\(Self.url)?target=lunch%201\n\(token)\n\(token)\n")
            #expect(try await daemon.next("CloseNotification")["id"] == .integer(popup))
        }
    }

    @Test func `a unit of its own has the token from the environment, where other users do not see it`() async throws {
        let environment = ["INVOCATION_ID": "0f"]
        try await withPopup("systemd-run", script: Self.keeping, environment: environment) { folder, daemon, _, popup in
            try daemon.send("token \(popup) token-1")
            try daemon.send("chosen \(popup) default")
            let words = [
                "--user", "--quiet", "--collect", "--wait", "--setenv=XDG_ACTIVATION_TOKEN",
                "--setenv=DESKTOP_STARTUP_ID", "--", folder.path + "/bin/xdg-open", "\(Self.url)?target=lunch%201",
                "token-1", "token-1",
            ]
            #expect(try await folder.written("opened") == words.joined(separator: "\n") + "\n")
        }
    }

    @Test func `an address that no browser takes is noted without its words`() async throws {
        try await withPopup("xdg-open", script: "exit 3") { _, daemon, desktop, popup in
            try daemon.send("chosen \(popup) default")
            let notes = [await desktop.note(), await desktop.note(), await desktop.note()]
            #expect(
                notes == [
                    "notification-desktop: showing notifications on fake 1.0",
                    "notification-desktop: error: no browser took the address of an app",
                    "notification-desktop: hint: xdg-settings set default-web-browser NAME.desktop",
                ]
            )
        }
    }
}
