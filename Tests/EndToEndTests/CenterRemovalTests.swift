// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import Testing

/// `notification-center apps remove`: who is asked, and what is left of an app.
@Suite(.timeLimit(.minutes(5)))
struct CenterRemovalTests {
    private static let topic = "com.example.backup"

    /// A centre alone, with an app that has a notification in the list.
    private func withApp(_ body: (TemporaryFolder, RunningCenter) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let curl = try #require(Programs.installed("curl"))
            let asked = try await CommandResult.run(
                curl,
                ["-s", "--unix-socket", folder.path + "/center/http.sock"]
                    + ["http://nestbox/v1/app/\(Self.topic)/calls", "-H", "content-type: application/json"]
                    + ["-d", #"{"call":"authorize","options":["alert","provisional"]}"#]
            )
            try #require(asked.output.contains(#""granted":true"#), "\(asked.output)")
            let sent = try await folder.centerCommand("send", Self.topic, "canary-title")
            try #require(sent.status == 0, "\(sent.errors)")
            try await body(folder, center)
        }
    }

    private func remove(_ folder: TemporaryFolder, _ options: String...) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.notificationCenter,
            ["apps", "remove", "--folder", folder.path + "/center", Self.topic] + options
        )
    }

    private func apps(_ folder: TemporaryFolder) async throws -> [String] {
        let listed = try await folder.centerCommand("apps")
        #expect(listed.status == 0 && listed.errors == "")
        return try listed.output.split(separator: "\n").compactMap { line in
            try JSONObject(parsing: Array(line.utf8).span)["app"]?.string
        }
    }

    @Test func `where nobody can be asked an app is removed with --yes alone, and once`() async throws {
        try await withApp { folder, center in
            let refused = try await remove(folder)
            #expect(refused.status == 1 && refused.output == "")
            #expect(
                refused.errors == """
                    notification-center: error: nobody is here to confirm that "com.example.backup" is to be removed
                    notification-center: hint: add --yes

                    """
            )
            #expect(try await apps(folder) == [Self.topic])
            let removed = try await remove(folder, "--yes")
            #expect(removed.status == 0 && removed.output == "" && removed.errors == "")
            #expect(try await apps(folder) == [])
            #expect(try await folder.centerCommand("list").output == "")
            #expect(try await folder.centerCommand("history").output == "")
            let again = try await remove(folder, "--yes")
            #expect(again.status == 1)
            #expect(
                again.errors == """
                    notification-center: error: there is no app "com.example.backup"
                    notification-center: hint: "notification-center apps" lists them

                    """
            )
            #expect(center.terminate() == 0)
        }
    }

    @Test func `on a terminal a person is asked, and what is no yes removes nothing`() async throws {
        try await withApp { folder, center in
            for (answer, status) in [("\r", 1), ("no\r", 1), ("\u{4}", 1), ("y\r", 0)] as [(String, Int32)] {
                let terminal = try PseudoTerminal(
                    Programs.notificationCenter,
                    ["apps", "remove", "--folder", folder.path + "/center", Self.topic]
                )
                try await terminal.read { $0.contains("[y/N] ") }
                #expect(
                    terminal.screen == """
                        notification-center: remove "com.example.backup" for good, with 1 notification in the list and \
                        everything else that is kept of it? [y/N] \("")
                        """
                )
                terminal.press(answer)
                terminal.process.waitUntilExit()
                #expect(terminal.process.terminationStatus == status)
                #expect(try await apps(folder) == (status == 0 ? [] : [Self.topic]))
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a removal that was answered outlives the kill of its centre, and no file has a word of the app`()
        async throws
    {
        try await withApp { folder, center in
            #expect(try await remove(folder, "--yes").status == 0)
            center.kill()
            let next = try await RunningCenter(folder)
            #expect(try await apps(folder) == [])
            #expect(try await folder.centerCommand("list").output == "")
            #expect(next.terminate() == 0)
            let place = folder.path + "/center"
            for name in try FileManager.default.subpathsOfDirectory(atPath: place) {
                let bytes = (try? Data(contentsOf: URL(filePath: "\(place)/\(name)"))) ?? Data()
                #expect(bytes.range(of: Data("canary-title".utf8)) == nil, "\(name)")
            }
        }
    }
}
