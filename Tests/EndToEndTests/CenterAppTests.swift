// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// An app whose Swift file was written for a phone, as a process of its own against a real centre.
@Suite(.timeLimit(.minutes(10)))
struct CenterAppTests {
    /// A running ReminderApp, whose output is a file.
    private final class RunningApp {
        private let process = Process()
        private let output: String

        init(_ folder: TemporaryFolder, _ arguments: String...) throws {
            output = folder.path + "/app-\(UUID().uuidString)"
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", #"exec "$@" >"$0""#, output, Programs.folder + "/ReminderApp"] + arguments
            process.environment = [
                "NESTBOX_CENTER": folder.path + "/center", "NESTBOX_APP": "com.example.reminder",
            ]
            try ProcessStart.alone { try process.run() }
        }

        /// The output, once it has a whole line.
        func heard() async throws -> String {
            while true {
                let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                if text.hasSuffix("\n") { return text }
                try await Task.turn()
            }
        }

        deinit { process.end() }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    private func allow(_ folder: TemporaryFolder) async throws {
        while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
        #expect(try await folder.centerCommand("authorize", "com.example.reminder").status == 0)
    }

    /// Starts an app that its owner allows, and waits until its notification is in the list.
    private func shownApp(_ folder: TemporaryFolder) async throws -> RunningApp {
        let app = try RunningApp(folder, "Lunch?", "1")
        try await allow(folder)
        _ = try await shown(folder)
        return app
    }

    /// The notification that leads the one stack, once it is there.
    private func shown(_ folder: TemporaryFolder) async throws -> JSONObject {
        while true {
            let list = try await folder.centerCommand("list").output
            if !list.isEmpty {
                let stack = try JSONObject(parsing: Array(list.utf8).span)
                return try #require(stack["leading"]?.object)
            }
            try await Task.turn()
        }
    }

    private func respond(_ folder: TemporaryFolder, _ action: String...) async throws {
        let id = try #require(try await shown(folder)["id"]?.string)
        let result = try await CommandResult.run(
            Programs.notificationCenter,
            ["respond", "--folder", folder.path + "/center", id] + action
        )
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `it asks, is shown in time, and hears the reply`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = try await shownApp(folder)
            let shown = try await shown(folder)
            #expect(shown["identifier"]?.string == "sampleRequest")
            // It is in front, and its delegate leaves the badge out.
            #expect(shown["present"]?.object?["banner"]?.bool == true)
            let apps = try await folder.centerCommand("authorize").output
            #expect(apps.contains(#""badge":0"#), "\(apps)")
            #expect(shown["payload"]?.object?["aps"]?.object?["alert"]?.object?["body"]?.string == "Lunch?")
            try await respond(folder, "reply", "At one \u{1F44B}")
            #expect(try await app.heard() == "reply: At one \u{1F44B}\n")
            app.kill()
            #expect(center.terminate() == 0)
        }
    }

    @Test func `what it added is shown although it has ended, and the reply waits for it through a kill`() async throws
    {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            try await shownApp(folder).kill()
            try await respond(folder, "done")
            center.kill()
            center = try await RunningCenter(folder)
            // It comes as soon as the delegate is set, whatever else the app does then.
            let second = try RunningApp(folder, "Dinner?", "3600")
            #expect(try await second.heard() == "done\n")
            second.kill()
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a kill of its centre costs it nothing`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            let app = try await shownApp(folder)
            center.kill()
            center = try await RunningCenter(folder)
            try await respond(folder, "reply", "again")
            #expect(try await app.heard() == "reply: again\n")
            app.kill()
            #expect(center.terminate() == 0)
        }
    }

    @Test func `host.yaml says what an app is called and where it is found`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let keys = #"name: Chat, url: "https://chat.example.org/", authorization: granted"#
            let words = "center: { \(keys), desktop-entry: org.example.Chat }"
            try await RunningHost.with(folder, app: [words], top: folder.centerTop(authorization: "ask")) { host in
                try await host.deliver(title: "Alice", thread: "a")
                #expect(try await folder.centerTitles(1) == ["Alice"])
                let socket = ["--silent", "--unix-socket", folder.path + "/center/http.sock"]
                let apps = try await CommandResult.run("/usr/bin/curl", socket + ["http://center/v1/apps"])
                #expect(apps.output.contains(#""name":"Chat""#))
                #expect(apps.output.contains(#""desktopEntry":"org.example.Chat""#))
                let list = try await folder.centerCommand("list").output
                let stack = try JSONObject(parsing: Array(list.utf8).span)
                let id = try #require(stack["leading"]?.object?["id"]?.string)
                let answer = try await CommandResult.run(
                    "/usr/bin/curl",
                    socket + [
                        "-H", "content-type: application/json", "-d", #"{"action":"default"}"#,
                        "http://center/v1/notifications/\(id)/responses",
                    ]
                )
                let launch = #""launch":{"desktopEntry":"org.example.Chat","url":"https://chat.example.org/"}"#
                #expect(answer.output.contains(launch))
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test(arguments: [
        ("name: \(String(repeating: "a", count: 300))", "name", "must have 1 to 256 bytes"),
        (#"url: "javascript:alert(1)""#, "url", "must be an address that begins with https:// or http://"),
        ("start-socket: /\(String(repeating: "a", count: 120))", "start-socket", "must be a path of at most 107 bytes"),
        ("desktop-entry: org.example.Chat.desktop", "desktop-entry", "must be the name of a desktop file without"),
        ("desktop-entry: ../Chat", "desktop-entry", "must be the name of a desktop file without"),
    ])
    func `words of an app that are none are refused by name`(line: String, key: String, fault: String) async throws {
        try await TemporaryFolder.with { folder in
            let text = """
                listen: { ndjson: { stdin: true } }
                apps:
                  - topic: com.example.chat
                    center: { \(line) }
                """
            try Data(text.utf8).write(to: URL(filePath: folder.path + "/host.yaml"))
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["config", "check", folder.path + "/host.yaml"]
            )
            #expect(result.status != 0)
            #expect(result.errors.contains(key), "\(result.errors)")
            #expect(result.errors.contains(fault), "\(result.errors)")
        }
    }
}
