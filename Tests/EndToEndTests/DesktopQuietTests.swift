// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The desktop's own Do Not Disturb, as Plasma's daemon and GNOME's settings tell it.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopQuietTests {
    private static let topic = "com.example.backup"

    private func add(_ identifier: String, in folder: TemporaryFolder, thread: String = "") async throws {
        let aps = #"{"alert":{"title":"\#(identifier)"},"thread-id":"\#(thread)"}"#
        let request = #"{"identifier":"\#(identifier)","payload":{"aps":\#(aps)}}"#
        try await folder.appCall(Self.topic, #"{"call":"add","request":\#(request)}"#)
    }

    @Test(arguments: ["plasma", "gnome"])
    func `while it is on nothing has a popup, and when it ends one popup tells of it`(whose: String) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":[]}"#)
            let allowed = try await folder.centerCommand("authorize", Self.topic)
            try #require(allowed.status == 0, "\(allowed.errors)")
            let bus = try await OwnBus(folder)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            try await folder.waitForDesktop()
            try await add("gone", in: folder, thread: "of its own")
            let gone = try await daemon.next("Notify")
            #expect(gone["summary"] == "gone")
            try await add("first", in: folder)
            let first = try await daemon.next("Notify")
            #expect(first["summary"] == "first")
            // The agent has read the first answer once it asks for a second one.
            for _ in 1...2 {
                try daemon.send("quiet \(whose) 1")
                var asked = JSONObject()
                repeat {
                    asked = try await daemon.next("Quiet")
                } while asked["of"] != .string(whose)
                    || asked["on"] != true
            }
            try await add("second", in: folder)
            // The agent has heard of the second once it closes what is removed behind it.
            try await folder.appCall(Self.topic, #"{"call":"removeDelivered","identifiers":["gone"]}"#)
            _ = try await daemon.next("CloseNotification")
            try daemon.send("quiet \(whose) 0")
            let missed = try await daemon.next("Notify")
            #expect(missed["app"] == "Nestbox")
            let summary = try #require(missed["summary"]?.string)
            #expect(summary.hasPrefix("2 notifications since ") && summary.hasSuffix(", from 1 app"))
            #expect(desktop.terminate() == 0)
            #expect(center.terminate() == 0)
        }
    }
}
