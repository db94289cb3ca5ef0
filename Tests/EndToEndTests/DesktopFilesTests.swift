// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// The desktop files that the agent writes for apps that name none, and the command in them.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopFilesTests {
    private static let topic = "com.example.backup"
    private static let pictures = "data/icons/hicolor/256x256/apps/"
    /// A picture of one point.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test func `an app has a file, one that is gone has none any more, and the files of others stay`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: ["--http", "0"])
            try await folder.appCall(Self.topic, #"{"call":"setCategories","categories":[]}"#)
            let allowed = try await folder.centerCommand("authorize", Self.topic)
            try #require(allowed.status == 0, "\(allowed.errors)")
            // Its file comes first, and has no place.
            try await folder.appCall("com.example.a", #"{"call":"setCategories","categories":[]}"#)
            let first = try await folder.centerCommand("authorize", "com.example.a")
            try #require(first.status == 0, "\(first.errors)")
            let applications = folder.path + "/data/applications"
            try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
            let socket = folder.path + "/center/http.sock"
            let others = ["gone": socket, "other": "/elsewhere/http.sock"]
            for (name, center) in others {
                let text = "[Desktop Entry]\nX-Nestbox-Center=\(center)\n"
                _ = try folder.write(text, to: "data/applications/nestbox.\(name).desktop")
            }
            _ = try folder.write("", to: "data/applications/nestbox.mine.desktop")
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + Self.pictures,
                withIntermediateDirectories: true
            )
            // The app has a picture no more, a former agent was killed in the middle, and others are not the agent's.
            let former = "[Desktop Entry]\nX-Nestbox-Center=\(socket)\n"
            _ = try folder.write(former, to: "data/applications/nestbox.\(Self.topic).desktop")
            for name in [
                "nestbox.gone.png", "nestbox.other.png", "nestbox.mine.png", "nestbox.alone.png",
                "nestbox.\(Self.topic).png", ".nestbox.half.png.4194305.part",
            ] { _ = try folder.write("picture", to: Self.pictures + name) }
            // No process has the one number, and one has the other.
            let part = ".nestbox.half.desktop.1.part"
            for name in [".nestbox.half.desktop.4194305.part", part] {
                _ = try folder.write("half", to: "data/applications/" + name)
            }
            let taken = "nestbox.com.example.a.desktop"
            try FileManager.default.createDirectory(
                atPath: applications + "/" + taken + "/full",
                withIntermediateDirectories: true
            )
            let bus = try await OwnBus(folder)
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            try await folder.waitForDesktop()
            let request = #"{"identifier":"first","payload":{"aps":{"alert":"First"}}}"#
            try await folder.appCall(Self.topic, #"{"call":"add","request":\#(request)}"#)
            let popup = try await daemon.next("Notify")
            #expect(popup["hints"]?.object?["desktop-entry"] == "nestbox.com.example.backup")
            let names = try FileManager.default.contentsOfDirectory(atPath: applications).sorted()
            let own = "nestbox.\(Self.topic).desktop"
            #expect(names == [part, taken, own, "nestbox.mine.desktop", "nestbox.other.desktop"])
            let pictures = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + Self.pictures)
            #expect(pictures.sorted() == ["nestbox.alone.png", "nestbox.mine.png", "nestbox.other.png"])
            let text = try await folder.written("data/applications/" + own)
            let command = #""notification-desktop" "open" "\#(Self.topic)" "--folder" "\#(folder.path)/center""#
            #expect(text.contains("\nName=\(Self.topic)\n") && text.contains("\nExec=\(command)\n"))
            #expect(desktop.terminate() == 0)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `an app that has a picture has it in the user's folder, and one that cannot be written has none`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let png = try #require(Data(base64Encoded: Self.png))
            try png.write(to: URL(filePath: folder.path + "/chat.png"))
            let modes = [("", 0o755), ("/chat.png", 0o644)]
            for (name, mode) in modes {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path + name)
            }
            let center = try await RunningCenter(folder)
            let words = "center: { name: Chat, icon: ./chat.png }"
            try await RunningHost.with(folder, app: [words], top: folder.centerTop()) { host in
                _ = try await host.deliver(#"{"aps":{"alert":"Lunch?"}}"#)
                let bus = try await OwnBus(folder)
                let daemon = try await FakeDaemon(on: bus)
                let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
                let name = "nestbox.com.example.chat"
                _ = try await folder.written(Self.pictures + name + ".png")
                let picture = FileManager.default.contents(atPath: folder.path + "/" + Self.pictures + name + ".png")
                #expect(picture == png)
                let text = try await folder.written("data/applications/\(name).desktop")
                #expect(text.contains("\nIcon=\(name)\n"))
                #expect(desktop.terminate() == 0)
                // A picture that cannot be written is named by no file.
                let place = folder.path + "/" + Self.pictures + name + ".png"
                try FileManager.default.removeItem(atPath: place)
                try FileManager.default.createDirectory(atPath: place + "/full", withIntermediateDirectories: true)
                let next = try RunningDesktop(folder, environment: folder.desktop(on: bus))
                var other = text
                while !other.contains("\nIcon=dialog-information\n") {
                    try await Task.turn()
                    other = try await folder.written("data/applications/\(name).desktop")
                }
                #expect(next.terminate() == 0)
                daemon.kill()
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `the command in the file opens the page of the app, and says what to do where it cannot`() async throws {
        try await TemporaryFolder.with { folder in
            let options = ["open", Self.topic, "--folder", folder.path + "/center"]
            let script = #"cd '\#(folder.path)' && printf '%s\n' "$@" > part && mv part opened"#
            try await folder.desktopProgram("xdg-open", script)
            let environment = ["PATH": folder.path + "/bin:/usr/bin:/bin", "LC_ALL": "C"]
            func run() async throws -> CommandResult {
                try await CommandResult.run(Programs.notificationDesktop, options, environment: environment)
            }
            let first = try await RunningCenter(folder)
            let without = try await run()
            #expect(without.status == 1)
            #expect(
                without.errors == """
                    notification-desktop: error: the centre has no page
                    notification-desktop: hint: notification-center list --folder \(folder.path)/center, \
                    or notification-center serve --http PORT

                    """
            )
            #expect(first.terminate() == 0)
            let second = try await RunningCenter(folder, options: ["--http", "0"])
            let page = try await folder.pageAddress()
            let with = try await run()
            #expect(with.status == 0, "\(with.errors)")
            let opened = try await folder.written("opened")
            #expect(opened == page + "#app=com%2Eexample%2Ebackup\n")
            try await folder.desktopProgram("xdg-open", "exit 3")
            let failed = try await run()
            #expect(failed.status == 1)
            #expect(
                failed.errors == """
                    notification-desktop: error: no browser took the page
                    notification-desktop: hint: open \(page)#app=com%2Eexample%2Ebackup

                    """
            )
            #expect(second.terminate() == 0)
        }
    }
}
