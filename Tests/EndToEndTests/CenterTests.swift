// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// A host and a notification centre as two processes: what was delivered is kept once, whichever of them dies.
@Suite(.timeLimit(.minutes(10)))
struct CenterTests {
    @Test func `what is delivered is kept, shown, and dismissed from the command line`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                try await host.deliver(title: "Alice", thread: "a")
                #expect(try await folder.centerTitles(1) == ["Alice"])
                let list = try await folder.centerCommand("list").output
                let stack = try JSONObject(parsing: Array(list.utf8).span)
                let id = try #require(stack["leading"]?.object?["id"]?.string)
                let shown = try await folder.centerCommand("show", id)
                #expect(shown.output.contains(#""title":"Alice""#))
                #expect(try await folder.centerCommand("remove", id).status == 0)
                #expect(try await folder.centerCommand("list").output == "")
                let again = try await folder.centerCommand("show", id)
                #expect(again.status == 1)
                #expect(again.errors == "notification-center: error: the notification was removed\n")
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a centre that is away gets everything when it comes`() async throws {
        try await TemporaryFolder.with { folder in
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                for number in 1...20 { try await host.deliver(title: "\(number)", thread: "\(number)") }
                let center = try await RunningCenter(folder)
                let kept = try await folder.centerTitles(20)
                #expect(kept == (1...20).map(String.init))
                #expect(center.terminate() == 0)
            }
        }
    }

    @Test func `whichever is killed, each record is there once and in its order`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            for round in 0..<5 {
                try await RunningHost.with(folder, top: folder.centerTop()) { host in
                    for number in 1...20 {
                        let name = "\(round * 20 + number)"
                        try await host.deliver(title: name, thread: name)
                        guard number % 7 == 0 else { continue }
                        center.kill()
                        center = try await RunningCenter(folder)
                    }
                    kill(host.process, SIGKILL)
                }
            }
            // The last host's records wait in its journal for the next one.
            try await RunningHost.with(folder, top: folder.centerTop()) { _ in
                let kept = try await folder.centerTitles(100)
                #expect(kept == (1...100).map(String.init))
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `an app that nobody has allowed shows nothing before its owner allows it`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await RunningHost.with(folder, top: folder.centerTop(authorization: "ask")) { host in
                try await host.deliver(title: "before", thread: "1")
                while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
                #expect(try await folder.centerCommand("authorize", "com.example.chat").output == "authorized\n")
                try await host.deliver(title: "after", thread: "2")
                #expect(try await folder.centerTitles(1) == ["after"])
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `an app in Python asks, is shown in time, and hears the answer`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let script = Programs.root + "/Examples/reminder.py"
            async let app = CommandResult.run("/usr/bin/python3", [script, folder.path + "/center", "Lunch?", "1"])
            while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
            #expect(try await folder.centerCommand("authorize", "com.example.reminder").status == 0)
            #expect(try await folder.centerTitles(1) == ["Reminder"])
            let list = try await folder.centerCommand("list").output
            let stack = try JSONObject(parsing: Array(list.utf8).span)
            let id = try #require(stack["leading"]?.object?["id"]?.string)
            #expect(try await folder.centerCommand("respond", id, "reply", "At one \u{1F44B}").status == 0)
            let result = try await app
            #expect(result.output == "reply: At one \u{1F44B}\n")
            #expect(result.status == 0, "\(result.errors)")
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a request waits through a kill of the centre, and comes once`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            let app = "com.example.backup"
            let refused = try await folder.centerCommand("send", app, "Backup done")
            #expect(
                refused.errors == """
                    notification-center: error: the owner has not allowed the app to notify: "\(app)"
                    notification-center: hint: "notification-center send --ask" asks first, \
                    "notification-center authorize" allows an app that asked

                    """
            )
            async let asked = CommandResult.run(
                "/usr/bin/python3",
                ["-c", Self.ask, folder.path + "/center/http.sock", app]
            )
            while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
            #expect(try await folder.centerCommand("authorize", app).output == "authorized\n")
            #expect(try await asked.output == "200\n")
            #expect(try await folder.centerCommand("send", app, "Backup done", "--in", "1").status == 0)
            center.kill()
            center = try await RunningCenter(folder)
            #expect(try await folder.centerTitles(1) == ["Backup done"])
            center.kill()
            center = try await RunningCenter(folder)
            #expect(try await folder.centerTitles(1) == ["Backup done"])
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a command asks for its app, and names what is not there`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = "com.example.backup"
            let unknown = try await folder.centerCommand("authorize", app)
            #expect(
                unknown.errors == """
                    notification-center: error: there is no app "\(app)" that has asked, or that a host knows
                    notification-center: hint: "notification-center authorize" shows what there is

                    """
            )
            async let sent = folder.centerCommand("send", "--ask", app, "Backup done")
            while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
            #expect(try await folder.centerCommand("authorize", app).output == "authorized\n")
            #expect(try await sent.status == 0)
            #expect(try await folder.centerTitles(1) == ["Backup done"])
            for command in ["show", "remove", "respond"] {
                let result = try await folder.centerCommand(command, "4711")
                #expect(
                    result.errors == """
                        notification-center: error: there is no notification 4711
                        notification-center: hint: "notification-center list" shows what there is

                        """
                )
            }
            #expect(center.terminate() == 0)
        }
    }

    /// Asks for permission as an app does, and prints the status of the answer.
    private static let ask = """
        import http.client, json, socket, sys
        connection = http.client.HTTPConnection("nestbox")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(sys.argv[1])
        body = json.dumps({"call": "authorize", "options": ["alert"]})
        connection.request("POST", f"/v1/app/{sys.argv[2]}/calls", body, {"content-type": "application/json"})
        print(connection.getresponse().status)
        """

    @Test func `the five commands of the README lead from an app to its owner's reply`() async throws {
        let block = try #require(
            try CodeBlock.all(of: "README.md").first { $0.name.contains("notification-center serve") }
        )
        let commands = block.text.split(separator: "\n").map {
            $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
        }
        try #require(commands.count == 5)
        try await TemporaryFolder.with { folder in
            // A person types the next command once the last one has had its effect.
            let script = """
                set -eu
                cd '\(folder.path)'
                ln -s '\(Programs.root)/Examples' Examples
                export PATH='\(Programs.folder)':$PATH
                \(commands[0].dropLast()) 2>notes &
                center=$!
                until grep -qs serving notes; do sleep 0.05; done
                \(commands[1].dropLast().replacing(" 5", with: " 1")) >answer &
                app=$!
                until \(commands[2]) 2>/dev/null; do sleep 0.05; done
                until \(commands[3]) | grep Reminder; do sleep 0.05; done
                \(commands[4])
                wait $app
                cat answer
                kill $center
                wait $center
                """
            let result = try await CommandResult.run("/bin/bash", ["-c", script])
            #expect(result.output.hasPrefix("authorized\n"))
            #expect(result.output.hasSuffix("\nreply: At one\n"))
            #expect(result.errors == "")
            #expect(result.status == 0)
        }
    }

    @Test func `nothing of a notification is in the log of a centre`() async throws {
        try await TemporaryFolder.with { folder in
            let log = folder.path + "/log"
            let script = #"exec "$0" serve --folder "$1" --log-level trace 2>"$2""#
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script, Programs.notificationCenter, folder.path + "/center", log]
            try ProcessStart.alone { try process.run() }
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                try await host.deliver(title: "canary-title", thread: "canary-thread")
                #expect(try await folder.centerTitles(1) == ["canary-title"])
            }
            process.terminate()
            process.waitUntilExit()
            let said = try String(contentsOfFile: log, encoding: .utf8)
            #expect(said.contains("host connected"))
            #expect(!said.contains("canary"))
        }
    }

    @Test func `a centre refuses what it cannot have, with a reason and a next step`() async throws {
        try await TemporaryFolder.with { folder in
            let open = folder.path + "/open"
            try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: open)
            let refused = try await CommandResult.run(Programs.notificationCenter, ["serve", "--folder", open])
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    notification-center: error: the folder "\(open)" is open to other users
                    notification-center: hint: chmod 700 \(open)

                    """
            )
            let nobody = try await folder.centerCommand("list")
            #expect(nobody.status == 1)
            #expect(
                nobody.errors == """
                    notification-center: error: no centre answers on "\(folder.path)/center/http.sock"
                    notification-center: hint: start it: notification-center serve --folder \(folder.path)/center

                    """
            )
            let center = try await RunningCenter(folder)
            let second = try await folder.centerCommand("serve")
            #expect(second.status == 1)
            #expect(second.errors.contains("is in use by another notification-center"))
            #expect(center.terminate() == 0)
        }
    }
}
