// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The words and pictures that are left where nobody is to see them: behind a lock, and after the agent's end.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopRestTests {
    private static let topic = "com.example.backup"

    private func withCenter(_ body: (TemporaryFolder, FakeDaemon, OwnBus) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":[]}"#)
            let allowed = try await folder.centerCommand("authorize", Self.topic)
            try #require(allowed.status == 0, "\(allowed.errors)")
            try await folder.settings(of: Self.topic, #"{"previews":"whenAuthenticated"}"#)
            let bus = try await OwnBus(folder)
            try await body(folder, try await FakeDaemon(on: bus), bus)
            #expect(center.terminate() == 0)
        }
    }

    private func add(_ title: String, attachments: JSON = [], in folder: TemporaryFolder) async throws {
        let alert: JSONObject = ["title": .string(title), "body": .string("the body of " + title)]
        let aps: JSONObject = ["alert": .object(alert), "thread-id": .string(title)]
        let request: JSONObject = [
            "identifier": .string(title), "payload": ["aps": .object(aps)], "attachments": attachments,
        ]
        let call: JSONObject = ["call": "add", "request": .object(request)]
        try await folder.appCall(Self.topic, String(decoding: call.serialized, as: UTF8.self))
    }

    /// Presenters.md, D22: measured and printed, since a machine may stand still for any time.
    @Test func `a lock takes eight popups from the screen, and no word of theirs or of later ones is told behind it`()
        async throws
    {
        try await withCenter { folder, daemon, bus in
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            try await folder.waitForDesktop()
            for place in 1...8 { try await add("canary-\(place)", in: folder) }
            for _ in 1...8 { _ = try await daemon.next("Notify") }
            let begin = ContinuousClock.now
            try daemon.send("lock login 1")
            for _ in 1...8 { _ = try await daemon.next("CloseNotification") }
            let time = ContinuousClock.now - begin
            print("a lock took eight popups from the screen within \(time / .milliseconds(1)) ms")
            for place in 9...12 { try await add("canary-\(place)", in: folder) }
            for _ in 1...12 {
                let popup = try await daemon.next("Notify")
                #expect(popup["summary"] == .string(Self.topic))
                #expect(!String(decoding: popup.serialized, as: UTF8.self).contains("canary"))
            }
            try daemon.send("lock login 0")
            let open = try await daemon.next("Notify")
            #expect(open["body"]?.string?.hasPrefix("the body of canary-") == true)
            #expect(desktop.terminate() == 0)
        }
    }

    /// Presenters.md, D23.
    @Test func `an agent that is killed leaves no picture, and the next one shows a number and nothing of the past`()
        async throws
    {
        try await withCenter { folder, daemon, bus in
            let runtime = folder.path + "/run"
            try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
            let environment = folder.desktop(on: bus, ["XDG_RUNTIME_DIR": runtime, "TMPDIR": runtime])
            let first = try RunningDesktop(folder, environment: environment)
            try await folder.waitForDesktop()
            let picture = Data(base64Encoded: Self.png)!
            let attachments = try await folder.attachment(picture, of: Self.topic)
            try await add("photo", attachments: attachments, in: folder)
            let popup = try await daemon.next("Notify")
            let path = try #require(popup["hints"]?.object?["image-path"]?.string.flatMap(URL.init)?.path)
            #expect(FileManager.default.contents(atPath: path) == picture)
            first.kill()
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: runtime) == [])
            let second = try RunningDesktop(folder, environment: environment)
            let missed = try await daemon.next("Notify")
            #expect(missed["summary"]?.string?.hasPrefix("1 notification since ") == true)
            #expect(missed["hints"]?.object?["image-path"] == nil)
            try await folder.waitForDesktop()
            try await add("later", in: folder)
            #expect(try await daemon.next("Notify")["summary"] == "later")
            #expect(second.terminate() == 0)
        }
    }

    /// A picture of one point.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}
