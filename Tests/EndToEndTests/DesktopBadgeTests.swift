// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The number on the icon of an app whose desktop file host.yaml names.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopBadgeTests {
    /// The next number that a launcher is told.
    private func next(_ daemon: FakeDaemon) async throws -> JSONObject { try await daemon.next("Update") }

    private func told(_ count: Int64) -> JSONObject {
        [
            "call": "Update", "address": "application://org.example.Chat.desktop", "count": .integer(count),
            "visible": .bool(count > 0),
        ]
    }

    @Test func `launchers are told the badge at the start, at each change, and none at the end`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let words = "center: { name: Chat, desktop-entry: org.example.Chat }"
            try await RunningHost.with(folder, app: [words], top: folder.centerTop()) { host in
                // What is seen brings no popup of its own.
                _ = try await host.deliver(#"{"aps":{"alert":"One","badge":3}}"#)
                while try await folder.ask("/v1/front")["badge"] != 3 { try Task.checkCancellation() }
                try await folder.change("PUT", "/v1/seen", #"{"number":"9999"}"#)
                let bus = try await OwnBus(folder)
                let daemon = try await FakeDaemon(on: bus)
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
                #expect(try await next(daemon) == told(3))
                try await folder.waitForDesktop()
                _ = try await host.deliver(#"{"aps":{"alert":"Two","badge":4}}"#)
                var (number, popup) = (nil as JSONObject?, nil as JSONObject?)
                // A number so soon after the first one may come after the popup.
                while number == nil || popup == nil {
                    let call = try await daemon.next(["Update", "Notify"])
                    if call["call"] == "Update" { number = call }
                    if call["app"] == "Chat" { popup = call }
                }
                #expect(number == told(4))
                #expect(popup?["hints"]?.object?["desktop-entry"] == "org.example.Chat")
                try await folder.appCall("com.example.chat", #"{"call":"badge","count":0}"#)
                #expect(try await next(daemon) == told(0))
                try await folder.appCall("com.example.chat", #"{"call":"badge","count":7}"#)
                #expect(try await next(daemon) == told(7))
                #expect(desktop.terminate() == 0)
                #expect(try await next(daemon) == told(0))
            }
            #expect(center.terminate() == 0)
        }
    }
}
