// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// `notification-center serve --store-key`: which keys are taken, and what the folder of a centre tells without one.
@Suite(.timeLimit(.minutes(5)))
struct CenterStoreKeyTests {
    private static let app = "com.example.backup"
    private static let making = "make one of 32 bytes: head -c 32 /dev/urandom > FILE; chmod 600 FILE"

    @discardableResult
    private static func key(_ path: String, byteCount: Int = 32, byte: UInt8 = 5, mode: Int = 0o600) throws -> String {
        try Data(repeating: byte, count: byteCount).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private static func calls(_ folder: TemporaryFolder, _ body: String) async throws -> CommandResult {
        try await CommandResult.run(
            "/usr/bin/curl",
            [
                "-sS", "--unix-socket", folder.path + "/center/http.sock", "-H", "content-type: application/json", "-d",
                body, "http://center/v1/app/\(app)/calls",
            ]
        )
    }

    private static func allow(_ folder: TemporaryFolder) async throws {
        async let asked = calls(folder, #"{"call":"authorize","options":["alert"]}"#)
        while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
        #expect(try await folder.centerCommand("authorize", app).status == 0)
        _ = try await asked
    }

    /// True if a file of the centre's folder has a text.
    private static func isFound(_ text: String, _ folder: TemporaryFolder) throws -> Bool {
        let center = folder.path + "/center"
        return try FileManager.default.subpathsOfDirectory(atPath: center).contains { name in
            let bytes = try? Data(contentsOf: URL(filePath: "\(center)/\(name)"))
            return bytes?.range(of: Data(text.utf8)) != nil
        }
    }

    /// Sends a notification whose title, text, thread and identifier are canaries.
    private static func send(_ folder: TemporaryFolder) async throws {
        let sent = try await folder.centerCommand(
            "send",
            app,
            "canary-title",
            "canary-body",
            "--id",
            "canary-id",
            "--thread",
            "canary-thread"
        )
        #expect(sent.errors == "")
        #expect(try await folder.centerTitles(1) == ["canary-title"])
    }

    @Test func `with a key the folder never has a text, and what lay open before is sealed`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            try await Self.allow(folder)
            try await Self.send(folder)
            #expect(try Self.isFound("canary", folder))
            #expect(center.terminate() == 0)
            let key = try Self.key(folder.path + "/center.key")
            center = try await RunningCenter(folder, options: ["--store-key", key])
            #expect(center.said.hasPrefix("notification-center: sealed what lay open before: texts 1\n"))
            #expect(try !Self.isFound("canary", folder))
            #expect(try await folder.centerTitles(1) == ["canary-title"])
            try await Self.send(folder)
            #expect(try !Self.isFound("canary", folder))
            center.kill()
            #expect(try !Self.isFound("canary", folder))
            let open = try await folder.centerCommand("serve")
            #expect(
                open.errors == """
                    notification-center: error: "\(folder.path)/center/center.sqlite" holds sealed texts, and no store \
                    key was named
                    notification-center: hint: name the key file under which they were sealed: --store-key FILE

                    """
            )
            let other = try Self.key(folder.path + "/other.key", byte: 6)
            let wrong = try await folder.centerCommand("repair", "--store-key", other)
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("error: the store key is not the one under which"))
            let repaired = try await folder.centerCommand("repair", "--store-key", key)
            #expect(repaired.errors == "")
            center = try await RunningCenter(folder, options: ["--store-key", key])
            #expect(try await folder.centerTitles(1) == ["canary-title"])
            #expect(center.terminate() == 0)
        }
    }

    @Test func `without a key, what an app removed is in no file two seconds later`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try await Self.allow(folder)
            try await Self.send(folder)
            #expect(try Self.isFound("canary", folder))
            let removed = try await Self.calls(folder, #"{"call":"removeDelivered","identifiers":["canary-id"]}"#)
            #expect(removed.errors == "")
            let clock = ContinuousClock()
            let end = clock.now + .seconds(2)
            var isFound = true
            while isFound, clock.now < end {
                isFound = try Self.isFound("canary", folder)
                try await Task.turn()
            }
            #expect(!isFound)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a damaged key of an app is said by serve, doctor and repair, and the rest is saved`() async throws {
        try await TemporaryFolder.with { folder in
            let key = try Self.key(folder.path + "/center.key")
            var center = try await RunningCenter(folder, options: ["--store-key", key])
            try await Self.allow(folder)
            try await Self.send(folder)
            #expect(center.terminate() == 0)
            let database = folder.path + "/center/center.sqlite"
            let sqlite = try #require(Programs.installed("python3"))
            let damage = "UPDATE installation SET data_key = substr(data_key, 1, 20)"
            let script = "import sqlite3; c = sqlite3.connect('\(database)'); c.execute('\(damage)'); c.commit()"
            let damaged = try await CommandResult.run(sqlite, ["-c", script])
            try #require(damaged.status == 0, "\(damaged.errors)")
            let refused = try await folder.centerCommand("serve", "--store-key", key)
            let error =
                "the key of app \"\(Self.app)\" is damaged in \"\(database)\": nobody can open what was sealed under it"
            #expect(refused.status == 1)
            #expect(
                refused.errors == """
                    notification-center: error: \(error)
                    notification-center: hint: put the database of an earlier day there; or \
                    "notification-center repair" with the same --store-key makes a new one without those texts, and \
                    keeps this one

                    """
            )
            let doctor = try await folder.centerCommand("doctor", "--store-key", key)
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("nobody can open what was sealed under it"), "\(doctor.output)")
            let repaired = try await folder.centerCommand("repair", "--store-key", key)
            #expect(repaired.status == 0 && repaired.errors == "")
            let report = try JSONObject(parsing: Array(repaired.output.utf8).span)
            #expect(report["lostKeys"] == [.string(Self.app)] && report["notifications"]?.integer == 0)
            center = try await RunningCenter(folder, options: ["--store-key", key])
            try await Self.send(folder)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a key beside the database, one that others may read, and one of another length are refused`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            func refusal(_ key: String) async throws -> String {
                let result = try await folder.centerCommand("serve", "--store-key", key)
                #expect(result.status == 1)
                return result.errors
            }
            let center = try await RunningCenter(folder)
            #expect(center.terminate() == 0)
            let inside = try Self.key(folder.path + "/center/center.key")
            let link = folder.path + "/link.key"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: inside)
            for path in [inside, link] {
                #expect(
                    try await refusal(path) == """
                        notification-center: error: the store key "\(path)" lies in the centre's folder, so whoever \
                        copies the one has the other
                        notification-center: hint: move it elsewhere, at best into a credential of systemd: \
                        LoadCredential=

                        """
                )
            }
            for mode in [0o640, 0o620, 0o604, 0o602, 0o666] {
                let open = try Self.key(folder.path + "/open.key", mode: mode)
                let refused = try await refusal(open)
                #expect(
                    refused == """
                        notification-center: error: the store key "\(open)" is open to other users
                        notification-center: hint: chmod 600 \(open)

                        """
                )
            }
            let directory = folder.path + "/directory.key"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let refused = try await refusal(directory)
            #expect(
                refused == """
                    notification-center: error: the store key "\(directory)" is no file
                    notification-center: hint: \(Self.making)

                    """
            )
            for (byteCount, found) in [(0, "0 bytes"), (1, "1 bytes"), (31, "31 bytes"), (33, "more"), (4096, "more")] {
                let wrong = try Self.key(folder.path + "/wrong.key", byteCount: byteCount)
                let refused = try await refusal(wrong)
                #expect(
                    refused == """
                        notification-center: error: the store key "\(wrong)" has \(found), expected 32
                        notification-center: hint: put the copy of it there: what was sealed opens under no other; \
                        for a new centre \(Self.making)

                        """
                )
            }
            let none = folder.path + "/none.key"
            #expect(
                try await refusal(none) == """
                    notification-center: error: the store key "\(none)" cannot be read: No such file or directory
                    notification-center: hint: \(Self.making)

                    """
            )
        }
    }
}
