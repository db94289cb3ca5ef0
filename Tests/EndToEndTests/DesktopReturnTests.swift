// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The popup of a desktop that tells what was missed, and the way from it to the page.
@Suite(.timeLimit(.minutes(3)), .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"))
struct DesktopReturnTests {
    private static let topics = ["com.example.backup", "com.example.chat"]

    /// A centre with two notifications of each app that nobody has seen, and a bus.
    private func withUnseen(
        options: [String] = [],
        _ body: (TemporaryFolder, OwnBus) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: options)
            for topic in Self.topics {
                try await folder.appCall(topic, #"{"call":"setCategories","categories":[]}"#)
                let allowed = try await folder.centerCommand("authorize", topic)
                try #require(allowed.status == 0, "\(allowed.errors)")
                for identifier in ["first", "second"] { try await add(identifier, of: topic, in: folder) }
            }
            try await body(folder, try await OwnBus(folder))
            #expect(center.terminate() == 0)
        }
    }

    private func add(_ identifier: String, of topic: String, in folder: TemporaryFolder) async throws {
        let request = #"{"identifier":"\#(identifier)","payload":{"aps":{"alert":"\#(identifier)"}}}"#
        try await folder.appCall(topic, #"{"call":"add","request":\#(request)}"#)
    }

    /// The time of the oldest notification on the clock of the desktop, as `09:40`.
    private func oldest(in folder: TemporaryFolder) async throws -> String {
        let list = try await folder.ask("/v1/notifications")
        let date = try #require(list["items"]?.array?.last?.object?["date"]?.string)
        let hour = try #require(Int(date.dropFirst(11).prefix(2)))
        let shifted = "\((hour + 3) % 24)"
        return (shifted.count == 1 ? "0" : "") + shifted + date.dropFirst(13).prefix(3)
    }

    @Test func `after the start, and after a sleep, one popup tells what is not seen, and goes when it is`()
        async throws
    {
        try await withUnseen { folder, bus in
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            let since = try await oldest(in: folder)
            let first = try await daemon.next("Notify")
            #expect(first["app"] == "Nestbox")
            #expect(first["summary"]?.string?.hasPrefix("4 notifications since ") == true)
            #expect(first["summary"]?.string?.hasSuffix("\(since), from 2 apps") == true)
            #expect(
                first["body"] == .string("To see them, run: notification-center list --folder \(folder.path)/center")
            )
            #expect(first["actions"] == [])
            try daemon.send("woke")
            let second = try await daemon.next("Notify")
            #expect(second["replaces"] == first["id"])
            #expect(second["summary"] == first["summary"])
            let newest = try #require(try await folder.newest())
            try await folder.change("PUT", "/v1/seen", #"{"number":"\#(newest)"}"#)
            let closed = try await daemon.next("CloseNotification")
            #expect(closed["id"] == first["id"])
            #expect(desktop.terminate() == 0)
            let list = try await folder.ask("/v1/notifications")
            #expect(list["items"]?.array?.count == 4)
        }
    }

    @Test func `a click opens the page in the person's browser, without a code, and a closed popup deletes nothing`()
        async throws
    {
        try await withUnseen(options: ["--http", "0"]) { folder, bus in
            let page = try await page(of: folder)
            try await folder.desktopProgram(
                "xdg-open",
                #"printf '%s\n' "$@" > "\#(folder.path)/part" && mv "\#(folder.path)/part" "\#(folder.path)/opened""#
            )
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            let popup = try await daemon.next("Notify")
            #expect(popup["actions"] == ["default", "Open"])
            #expect(popup["body"] == "")
            let id = try #require(popup["id"]?.integer)
            try daemon.send("chosen \(id) default")
            #expect(try await folder.written("opened") == page + "\n")
            #expect(try await daemon.next("CloseNotification")["id"] == .integer(id))
            try daemon.send("woke")
            let again = try await daemon.next("Notify")
            try daemon.send("closed \(try #require(again["id"]?.integer)) 2")
            try daemon.send("woke")
            #expect(try await daemon.next("Notify")["summary"] == popup["summary"])
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `a page that no browser takes is told in the popup and in the notes`() async throws {
        try await withUnseen(options: ["--http", "0"]) { folder, bus in
            let page = try await page(of: folder)
            try await folder.desktopProgram("xdg-open", "exit 3")
            let daemon = try await FakeDaemon(on: bus)
            let desktop = try RunningDesktop(folder, environment: folder.desktop(on: bus))
            let popup = try await daemon.next("Notify")
            try daemon.send("chosen \(try #require(popup["id"]?.integer)) default")
            let again = try await daemon.next("Notify")
            #expect(again["summary"] == popup["summary"])
            #expect(again["body"] == .string("To see them, open \(page)"))
            #expect(again["actions"] == [])
            let notes = [await desktop.note(), await desktop.note(), await desktop.note()]
            #expect(
                notes == [
                    "notification-desktop: showing notifications on fake 1.0",
                    "notification-desktop: error: no browser took the page",
                    "notification-desktop: hint: open \(page)",
                ]
            )
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `a unit has the browser started as a unit of its own`() async throws {
        try await withUnseen(options: ["--http", "0"]) { folder, bus in
            let page = try await page(of: folder)
            try await folder.desktopProgram("xdg-open", "exit 3")
            try await folder.desktopProgram(
                "systemd-run",
                #"printf '%s\n' "$@" > "\#(folder.path)/part" && mv "\#(folder.path)/part" "\#(folder.path)/started""#
            )
            let daemon = try await FakeDaemon(on: bus)
            let environment = folder.desktop(on: bus, ["INVOCATION_ID": "0f"])
            let desktop = try RunningDesktop(folder, environment: environment)
            let popup = try await daemon.next("Notify")
            try daemon.send("chosen \(try #require(popup["id"]?.integer)) default")
            let words = [
                "--user", "--quiet", "--collect", "--wait", "--property=KillMode=process", "--",
                folder.path + "/bin/xdg-open", page,
            ]
            let started = try await folder.written("started")
            #expect(started == words.joined(separator: "\n") + "\n")
            #expect(desktop.terminate() == 0)
        }
    }

    @Test func `the page's address is told to the owner at the socket, and to no token`() async throws {
        try await withUnseen(options: ["--http", "0"]) { folder, _ in
            let page = try await page(of: folder)
            let link = try await folder.centerCommand("sign-in").output
            #expect(link.hasPrefix(page + "#sign-in="))
            let port = try #require(page.split(separator: ":").last?.dropLast())
            let token = try await folder.centerCommand("token", "--new", "display", "--scope", "read").output
            let curl = try #require(Programs.installed("curl"))
            let words = token.split(separator: "\n").joined().split(whereSeparator: { $0 == "\"" || $0 == " " })
            let secret = try #require(words.first { $0.hasPrefix("nbt_") })
            let told = try await CommandResult.run(
                curl,
                ["-s", "-H", "authorization: Bearer \(secret)", "http://127.0.0.1:\(port)/v1"]
            )
            #expect(told.output.contains(#""state":"ready""#))
            #expect(!told.output.contains("page"))
        }
    }

    /// The address of the centre's page, once its port is open.
    private func page(of folder: TemporaryFolder) async throws -> String {
        while true {
            if let page = try await folder.ask("/v1")["page"]?.string { return page }
            try Task.checkCancellation()
        }
    }
}
