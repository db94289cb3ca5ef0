// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The desktop agent with Plasma's notifications on an X server of a test's own.
@Suite(
    .timeLimit(.minutes(3)),
    .enabled(if: OwnScreen.hasPlasma, "needs Plasma, 850 MB of packages: scripts/setup plasma installs it")
)
struct DesktopPlasmaTests {
    private static let topic = "com.example.chat"
    private static let reply =
        #"{"identifier":"reply","title":"Reply","options":[],"text":{"button":"Send","placeholder":"Message"}}"#
    private static let like = #"{"identifier":"like","title":"Like","options":[]}"#

    /// The popup of a push to an app that has an address, a reply and another action.
    private func withPopup(_ body: (TemporaryFolder, OwnScreen, _ window: String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await folder.desktopProgram("xdg-open", "cd '\(folder.path)'\n" + DesktopLaunchTests.keeping)
            let named = "center: { name: Chat, url: \"\(DesktopLaunchTests.url)\" }"
            try await RunningHost.with(folder, app: [named], top: folder.centerTop()) { host in
                let category = "\"identifier\":\"chat\",\"actions\":[\(Self.reply),\(Self.like)]"
                let categories = "[{\(category),\"intents\":[],\"options\":[]}]"
                try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":\#(categories)}"#)
                let bus = try await OwnBus(folder)
                let screen = try await OwnScreen(folder, on: bus)
                try await screen.start(.plasma)
                try await bus.waitForDaemon()
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
                let note = await desktop.note()
                #expect(note?.hasPrefix("notification-desktop: showing notifications on Plasma ") == true)
                try await folder.waitForDesktop()
                // Its banner stays until it is closed.
                let level = #""interruption-level":"time-sensitive""#
                _ = try await host.deliver(#"{"aps":{"alert":"Lunch?","category":"chat",\#(level)}}"#)
                let windows = try await screen.wait(forPopups: 1, of: .plasma)
                try await body(folder, screen, windows[0])
                try await screen.wait(forPopups: 0, of: .plasma)
                #expect(desktop.terminate() == 0)
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a reply that is typed into the popup reaches the app`() async throws {
        try await withPopup { folder, screen, window in
            let shape = try await screen.shape(of: window)
            var response = ""
            // The button opens the field, and then sends: keys before that, and a click before the popup is drawn, are
            // lost.
            while !response.contains("event: response") {
                try await screen.type("Yes, at one", into: window)
                try await screen.click(window: window, at: (shape.width - 32, shape.height - 20))
                response = try await folder.events(of: Self.topic)
                try Task.checkCancellation()
            }
            #expect(response.contains(#""action":"reply""#) && response.contains(#""Yes, at one""#), "\(response)")
        }
    }

    @Test func `a click opens the app's address with the token by which it may take the focus`() async throws {
        try await withPopup { folder, screen, window in
            let place = (try await screen.shape(of: window).width - 100, 45)
            // A click before the popup is drawn is lost.
            while !FileManager.default.fileExists(atPath: folder.path + "/opened") {
                try await screen.click(window: window, at: place)
                try Task.checkCancellation()
            }
            let opened = try await folder.written("opened").split(separator: "\n", omittingEmptySubsequences: false)
            #expect(opened.count == 4 && opened[0] == DesktopLaunchTests.url, "\(opened)")
            #expect(opened[1].contains("_TIME") && opened[1] == opened[2], "\(opened)")
        }
    }
}
