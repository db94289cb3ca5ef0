// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A click on a popup whose app has an address, and the token by which the browser may take the focus.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopLaunchTests {
    static let url = "https://chat.example.org/"

    /// An agent whose desktop has this program for addresses, and popups of an app that has an address.
    ///
    /// `actions` are those of the category of the popups.
    static func withPopups(
        _ program: String,
        script: String,
        count: Int = 1,
        url: String? = Self.url,
        entry: String? = nil,
        actions: String? = nil,
        isOnBus: Bool = false,
        environment: [String: String] = [:],
        _ body: (TemporaryFolder, FakeDaemon, RunningDesktop, _ popups: [Int64]) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await folder.desktopProgram("xdg-open", "exit 3")
            try await folder.desktopProgram(program, "cd '\(folder.path)'\n" + script)
            let named = (url.map { #", url: "\#($0)""# } ?? "") + (entry.map { ", desktop-entry: \($0)" } ?? "")
            try await RunningHost.with(folder, app: ["center: { name: Chat\(named) }"], top: folder.centerTop()) {
                host in
                if let actions {
                    let category = #"{"identifier":"chat","actions":\#(actions),"intents":[],"options":[]}"#
                    let call = #"{"call":"setCategories","categories":[\#(category)]}"#
                    try await folder.appCall("com.example.chat", call)
                }
                let bus = try await OwnBus(folder)
                let daemon = try await FakeDaemon(on: bus, app: isOnBus ? entry : nil)
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus, environment))
                try await folder.waitForDesktop()
                var popups: [Int64] = []
                for place in 1...count {
                    let members = #""thread-id":"\#(place)","target-content-id":"lunch \#(place)","category":"chat""#
                    _ = try await host.deliver(#"{"aps":{"alert":"Lunch?",\#(members)}}"#)
                    let popup = try await daemon.next("Notify")
                    #expect(popup["app"] == "Chat")
                    popups.append(try #require(popup["id"]?.integer))
                }
                try await body(folder, daemon, desktop, popups)
                #expect(desktop.terminate() == 0)
            }
            #expect(center.terminate() == 0)
        }
    }

    /// The script that keeps the arguments and the token.
    static let keeping =
        #"printf '%s\n' "$@" "$XDG_ACTIVATION_TOKEN" "$DESKTOP_STARTUP_ID" > part && mv part opened"#

    @Test(arguments: [("token-1", "token-1"), ("a token", "")])
    func `the address is opened with the token of the click`(said: String, token: String) async throws {
        try await Self.withPopups("xdg-open", script: Self.keeping) { folder, daemon, _, popups in
            try daemon.send("token \(popups[0]) \(said)")
            try daemon.send("chosen \(popups[0]) default")
            let opened = try await folder.written("opened")
            #expect(opened == "\(Self.url)?target=lunch%201\n\(token)\n\(token)\n")
            #expect(try await daemon.next("CloseNotification")["id"] == .integer(popups[0]))
        }
    }

    @Test func `a unit of its own has the token from the environment, where other users do not see it`() async throws {
        let environment = ["INVOCATION_ID": "0f"]
        try await Self.withPopups("systemd-run", script: Self.keeping, environment: environment) {
            folder,
            daemon,
            _,
            popups in
            try daemon.send("token \(popups[0]) token-1")
            try daemon.send("chosen \(popups[0]) default")
            let words = [
                "--user", "--quiet", "--collect", "--wait", "--property=KillMode=process",
                "--setenv=XDG_ACTIVATION_TOKEN", "--setenv=DESKTOP_STARTUP_ID", "--", folder.path + "/bin/xdg-open",
                "\(Self.url)?target=lunch%201",
                "token-1", "token-1",
            ]
            #expect(try await folder.written("opened") == words.joined(separator: "\n") + "\n")
        }
    }

    @Test func `three quick clicks open three addresses, while the program of the first one still runs`() async throws {
        // A browser that is started so runs for hours.
        let script = #"mkdir -p places && : > "places/${1##*%20}" && exec tail -f /dev/null --pid="$PPID""#
        try await Self.withPopups("xdg-open", script: script, count: 3) { folder, daemon, _, popups in
            #expect(popups == [1, 2, 3])
            for popup in popups { try daemon.send("chosen \(popup) default") }
            for place in 1...3 { #expect(try await folder.written("places/\(place)") == "") }
        }
    }

    @Test func `an address that no browser takes is noted without its words`() async throws {
        try await Self.withPopups("xdg-open", script: "exit 3") { _, daemon, desktop, popups in
            try daemon.send("chosen \(popups[0]) default")
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
