// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `notification-center watch` and `status`, in a pipe and on a terminal.
@Suite(.timeLimit(.minutes(5)))
struct CenterWatchTests {
    private static let topic = "com.example.backup"

    /// A centre alone, whose one app may notify.
    private func withCenter(
        options: [String] = [],
        _ body: (TemporaryFolder, RunningCenter) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder, options: options)
            let note = #"{"identifier":"note","title":"Note","options":[],"text":{"button":"Send","placeholder":""}}"#
            let categories = #"[{"identifier":"backup","actions":[\#(note)],"intents":[],"options":[]}]"#
            try await folder.call(Self.topic, #"{"call":"setCategories","categories":\#(categories)}"#)
            let allowed = try await folder.centerCommand("authorize", Self.topic)
            try #require(allowed.status == 0, "\(allowed.errors)")
            try await body(folder, center)
            _ = center.terminate()
        }
    }

    @Test func `who watches in a pipe reads on from the next centre, and misses nothing`() async throws {
        try await withCenter { folder, first in
            let seen = folder.path + "/seen"
            let script = #"exec "$0" watch --folder "$1" >"$2" 2>"$2.errors""#
            let watch = Process()
            watch.executableURL = URL(fileURLWithPath: "/bin/sh")
            watch.arguments = ["-c", script, Programs.notificationCenter, folder.path + "/center", seen]
            try ProcessStart.alone { try watch.run() }
            func text() -> String { (try? String(contentsOfFile: seen, encoding: .utf8)) ?? "" }
            // One of them comes when the watcher is there.
            while !text().contains("delivered") { _ = try await folder.centerCommand("send", Self.topic, "Alice") }
            first.kill()
            let errors = { (try? String(contentsOfFile: seen + ".errors", encoding: .utf8)) ?? "" }
            while !errors().contains("has ended") { _ = try await folder.centerCommand("status") }
            let second = try await RunningCenter(folder)
            let sent = try await folder.centerCommand("send", Self.topic, "Bob")
            #expect(sent.status == 0)
            while !text().contains("Bob") { _ = try await folder.centerCommand("status") }
            watch.terminate()
            watch.waitUntilExit()
            #expect(second.terminate() == 0)
            let http = folder.path + "/center/http.sock"
            #expect(
                errors() == """
                    notification-center: the centre on "\(http)" has ended; waiting for it
                    notification-center: the centre on "\(http)" is back

                    """
            )
            let lines = text().split(separator: "\n")
            for line in lines { _ = try JSONObject(parsing: Array(line.utf8).span) }
            #expect(lines.count { $0.contains(#""event":"delivered""#) && $0.contains(#""title":"Bob""#) } == 1)
        }
    }

    @Test func `a person answers with keys, and the terminal is as it was`() async throws {
        try await withCenter { folder, _ in
            try await folder.call(Self.topic, Self.adding("one", "Backup \u{1b}[2Jdone"))
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive", "--since", "1h"],
                environment: ["NO_COLOR": "1"]
            )
            try await terminal.read { $0.contains("1 Note…") }
            #expect(terminal.screen.contains(#"Backup \u{1b}[2Jdone"#))
            #expect(!terminal.editsLines)
            terminal.press("1")
            try await terminal.read { $0.hasSuffix("Note: ") }
            terminal.press("zx At onf\u{7f}e 🕐\r")
            try await terminal.read { $0.contains(": answered") }
            try await folder.call(Self.topic, Self.adding("two", "Again"))
            try await terminal.read { $0.contains("Again") }
            terminal.press("x")
            try await terminal.read { $0.contains(": dismissed") }
            terminal.press("u")
            try await terminal.read { $0.components(separatedBy: "Again").count == 3 }
            terminal.press("z")
            try await terminal.read { $0.contains("Do Not Disturb for an hour") }
            terminal.press("q")
            terminal.process.waitUntilExit()
            #expect(terminal.process.terminationStatus == 0)
            #expect(terminal.editsLines)
            let history = try await folder.centerCommand("history").output
            #expect(history.contains(#""answered":true"#))
        }
    }

    @Test func `what is gone elsewhere turns grey where it stands, a stack goes by a key, and comes back by another`()
        async throws
    {
        try await withCenter { folder, _ in
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive", "--since", "1h"],
                environment: ["NO_COLOR": "", "TERM": "xterm"]
            )
            while terminal.editsLines { _ = try await folder.centerCommand("status") }
            var ids: [String] = []
            for title in ["First", "Second", "Third"] {
                // One of them comes when the watch is there.
                try await folder.call(Self.topic, Self.adding(title, title))
                try await terminal.read { $0.components(separatedBy: "1 Note…").count == ids.count + 2 }
                ids.append(try #require(try await folder.newest()))
            }
            let grey = "\u{1b}[2K\u{1b}[2m"
            let removed = try await folder.centerCommand("remove", ids[0])
            #expect(removed.status == 0, "\(removed.errors)")
            // Three blocks of two lines, of which the first is written anew.
            try await terminal.read { $0.contains("\u{1b}[6A\r\(grey)") && $0.hasSuffix("\u{1b}[4B\r\u{1b}[?7h") }
            terminal.press("X")
            try await terminal.read { $0.components(separatedBy: grey).count == 7 }
            let history = try await folder.centerCommand("history").output
            #expect(history.split(separator: "\n").count == 3)
            terminal.press("u")
            try await terminal.read { $0.components(separatedBy: "1 Note…").count == 9 }
            let titles = try await folder.ask("/v1/notifications")["items"]?.array?.map { item in
                item.object?["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string
            }
            #expect(titles == ["Third", "Second"])
            #expect(!terminal.screen.contains("dismissed"))
            // A line that the terminal draws wider than itself is one row all the same.
            let (off, on) = ("\u{1b}[?7l", "\u{1b}[?7h")
            let written = terminal.screen.components(separatedBy: off).dropFirst()
            // Five blocks, and what turns grey twice.
            #expect(written.count >= 7)
            #expect(written.allSatisfy { $0.hasSuffix(on) })
            terminal.press("o")
            try await terminal.read { $0.contains("the centre has no page: serve it with --http PORT") }
            terminal.press("q")
            terminal.process.waitUntilExit()
            #expect(terminal.process.terminationStatus == 0)
        }
    }

    @Test func `what is removed or answered elsewhere turns grey, and the time that it took is printed`() async throws {
        try await withCenter { folder, _ in
            for title in ["First", "Second"] { try await folder.call(Self.topic, Self.adding(title, title)) }
            let newest = try #require(try await folder.newest().flatMap { Int($0) })
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive", "--since", "1h"],
                environment: ["NO_COLOR": "", "TERM": "xterm"]
            )
            try await terminal.read { $0.components(separatedBy: "1 Note…").count == 3 }
            let (first, second) = ("/v1/notifications/\(newest - 1)", "/v1/notifications/\(newest)")
            let changes = [
                ("removed", "DELETE", first, ""), ("answered", "POST", second + "/responses", #"{"action":"default"}"#),
            ]
            for (place, (what, method, target, body)) in changes.enumerated() {
                let begin = ContinuousClock.now
                async let answered = Self.moment { try await folder.change(method, target, body) }
                // A block of two lines.
                try await terminal.read { $0.components(separatedBy: "\u{1b}[2K\u{1b}[2m").count == 2 * place + 3 }
                let grey = ContinuousClock.now
                let answer = try await answered
                // The event is told between the two moments.
                let (most, least) = (begin.duration(to: grey), answer.duration(to: grey))
                print(
                    "watch: what is \(what) elsewhere is grey \(Self.text(least)) to \(Self.text(most)) after the event"
                )
            }
            terminal.press("q")
            terminal.process.waitUntilExit()
            #expect(terminal.process.terminationStatus == 0)
        }
    }

    /// Has something done, and returns when it was.
    private static func moment(_ act: () async throws -> Void) async throws -> ContinuousClock.Instant {
        try await act()
        return .now
    }

    private static func text(_ time: Duration) -> String {
        max(.zero, time).formatted(.units(allowed: [.milliseconds], width: .abbreviated))
    }

    @Test func `a key opens the page of the app, to which the id of a notification is a link`() async throws {
        try await withCenter(options: ["--http", "0"]) { folder, _ in
            let page = try await folder.pageAddress()
            let address = page + "#app=com%2Eexample%2Ebackup"
            let script = #"cd '\#(folder.path)' && printf '%s\n' "$@" > part && mv part opened"#
            try await folder.desktopProgram("xdg-open", script)
            try await folder.call(Self.topic, Self.adding("one", "Backup done"))
            let id = try #require(try await folder.newest())
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive", "--since", "1h"],
                environment: [
                    "NO_COLOR": "1", "TERM": "xterm", "DISPLAY": ":none", "PATH": folder.path + "/bin:/usr/bin:/bin",
                ]
            )
            let link = "\u{1b}]8;;\(address)\u{1b}\\\(id)\u{1b}]8;;\u{1b}\\"
            try await terminal.read { $0.contains("1 Note…") }
            #expect(terminal.screen.contains(link))
            terminal.press("o")
            let opened = try await folder.written("opened")
            #expect(opened == address + "\n")
            terminal.press("q")
            terminal.process.waitUntilExit()
        }
    }

    @Test func `an address that no browser takes is written whole, and what stands above it turns grey no more`()
        async throws
    {
        try await withCenter(options: ["--http", "0"]) { folder, _ in
            let page = try await folder.pageAddress()
            try await folder.call(Self.topic, Self.adding("one", "Backup done"))
            let id = try #require(try await folder.newest())
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive", "--since", "1h"],
                environment: ["NO_COLOR": "", "TERM": "xterm", "PATH": folder.path]
            )
            try await terminal.read { $0.contains("1 Note…") }
            terminal.press("o")
            let said = "no browser was started: open\u{1b}[0m\r\n\u{1b}[?7h"
            try await terminal.read { $0.contains("\(said)\(page)#app=com%2Eexample%2Ebackup\r\n") }
            terminal.press("x")
            try await terminal.read { $0.contains("\(id) \(Self.topic): dismissed") }
            #expect(!terminal.screen.contains("\u{1b}[2K"))
            terminal.press("q")
            terminal.process.waitUntilExit()
            #expect(terminal.process.terminationStatus == 0)
        }
    }

    @Test func `of two terminals that ring the first one does, and the other one when it has gone`() async throws {
        try await withCenter { folder, _ in
            let watch = ["watch", "--folder", folder.path + "/center", "--bell", "--since", "1h"]
            var count = 0
            /// Adds one more notification with a sound, and returns when these terminals have written its block.
            func add(_ terminals: PseudoTerminal...) async throws {
                count += 1
                try await folder.call(Self.topic, Self.adding("bell-\(count)", "Bell \(count).", sound: "default"))
                for terminal in terminals { try await terminal.read { $0.contains("Bell \(count).") } }
            }
            let first = try PseudoTerminal(Programs.notificationCenter, watch)
            repeat { try await add(first) } while !first.screen.contains("\u{7}")
            let second = try PseudoTerminal(Programs.notificationCenter, watch)
            // The bell of one stands before the block of the next.
            for _ in 0..<3 { try await add(first, second) }
            #expect(!second.screen.contains("\u{7}"))
            let bells = first.screen.count { $0 == "\u{7}" }
            #expect(bells >= 3)
            first.process.terminate()
            first.process.waitUntilExit()
            repeat { try await add(second) } while !second.screen.contains("\u{7}")
            second.process.terminate()
            second.process.waitUntilExit()
        }
    }

    @Test func `a signal puts the terminal back`() async throws {
        try await withCenter { folder, _ in
            let terminal = try PseudoTerminal(
                Programs.notificationCenter,
                ["watch", "--folder", folder.path + "/center", "--interactive"]
            )
            while terminal.editsLines { _ = try await folder.centerCommand("status") }
            terminal.process.terminate()
            terminal.process.waitUntilExit()
            #expect(terminal.process.terminationStatus == 143)
            #expect(terminal.editsLines)
        }
    }

    @Test func `keys without a terminal are an error, and status is a line`() async throws {
        try await withCenter { folder, _ in
            try await folder.call(Self.topic, Self.adding("one", "Backup done"))
            let status = try await folder.centerCommand("status", "--format", "{unseen} {app}: {title}")
            #expect(status.output == "1 com.example.backup: Backup done\n")
            let unknown = try await folder.centerCommand("status", "--format", "{sender}")
            #expect(
                unknown.errors == """
                    notification-center: error: the format has "{sender", which is no word that is known
                    notification-center: hint: the words are {unseen}, {badge}, {app}, {title}, {id}

                    """
            )
            let watch = try await folder.centerCommand("watch", "--interactive", "--hide-previews")
            #expect(
                watch.errors == """
                    notification-center: error: --interactive and --hide-previews need a terminal, and standard output is none
                    notification-center: hint: leave them out in a pipe

                    """
            )
        }
    }

    private static func adding(_ identifier: String, _ title: String, sound: String? = nil) -> String {
        var aps: JSONObject = ["alert": ["title": .string(title)], "category": "backup"]
        aps["sound"] = sound.map(JSON.string)
        let payload: JSONObject = ["aps": .object(aps)]
        let request: JSONObject = ["identifier": .string(identifier), "payload": .object(payload)]
        return String(decoding: (["call": "add", "request": .object(request)] as JSONObject).serialized, as: UTF8.self)
    }
}

extension TemporaryFolder {
    /// Makes a call of an app over the API's socket.
    fileprivate func call(_ topic: String, _ call: String) async throws {
        let curl = try #require(Programs.installed("curl"))
        let made = try await CommandResult.run(
            curl,
            [
                "-sS", "--fail-with-body", "--unix-socket", path + "/center/http.sock", "-H",
                "content-type: application/json",
                "--data-binary", call, "http://center/v1/app/\(topic)/calls",
            ]
        )
        try #require(made.status == 0, "\(made.output)\(made.errors)")
    }
}
