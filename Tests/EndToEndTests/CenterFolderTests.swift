// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A centre without `--folder`: a user's own, which commands and apps find by themselves.
@Suite(.timeLimit(.minutes(4)))
struct CenterFolderTests {
    private static func environment(_ folder: TemporaryFolder) throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: folder.path + "/run", withIntermediateDirectories: true)
        return ["XDG_STATE_HOME": folder.path + "/state", "XDG_RUNTIME_DIR": folder.path + "/run"]
    }

    private static func run(_ arguments: String..., environment: [String: String]) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.notificationCenter,
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
        )
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `the line of the unit starts a centre that commands find`() async throws {
        try await TemporaryFolder.with { folder in
            let environment = try Self.environment(folder)
            let unit = try String(
                contentsOfFile: Programs.root + "/packaging/notification-center.service",
                encoding: .utf8
            )
            let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
            #expect(words.first == "/usr/bin/notification-center")
            let center = try await RunningCenter(Array(words.dropFirst()), environment: environment)
            #expect(try Self.mode(folder.path + "/state/nestbox/center") == 0o700)
            #expect(try Self.mode(folder.path + "/run/nestbox") == 0o700)
            let sockets = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/run/nestbox")
            #expect(sockets.sorted() == ["app.sock", "http.sock", "link.sock", "metrics.sock"])
            #expect(FileManager.default.fileExists(atPath: folder.path + "/state/nestbox/center/center.sqlite"))
            let refused = try await Self.run("send", "com.example.backup", "Done", environment: environment)
            let error = "error: the owner has not allowed the app to notify: \"com.example.backup\"\n"
            #expect(refused.errors.hasPrefix("notification-center: " + error))
            #expect(try await Self.run("list", environment: environment).status == 0)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a command without a centre says how to start one`() async throws {
        try await TemporaryFolder.with { folder in
            let result = try await Self.run("list", environment: Self.environment(folder))
            #expect(
                result.errors == """
                    notification-center: error: no centre answers on "\(folder.path)/run/nestbox/http.sock"
                    notification-center: hint: start it: notification-center serve

                    """
            )
            #expect(result.status == 1)
        }
    }

    @Test func `a database is repaired while its centre does not run, and no other time`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let refused = try await folder.centerCommand("repair")
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    notification-center: error: "\(folder.path)/center" is in use by another notification-center
                    notification-center: hint: give each centre a folder of its own

                    """
            )
            #expect(center.terminate() == 0)
            let repaired = try await folder.centerCommand("repair")
            #expect(repaired.status == 0, "\(repaired.errors)")
            let report = try JSONObject(parsing: Array(repaired.output.utf8).span)
            #expect(report["notifications"] == 0)
            #expect(report["partly"] == [])
            let former = try #require(report["former"]?.string)
            #expect(former.hasPrefix(folder.path + "/center/center.sqlite.damaged-"))
            #expect(FileManager.default.fileExists(atPath: former))
            let next = try await RunningCenter(folder)
            #expect(next.terminate() == 0)
        }
    }
}
