// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HostTesting
import NotificationPayload
import Testing

/// `notification-center doctor`: what it finds of a folder, and that it leaves the folder as it is.
@Suite(.timeLimit(.minutes(5)))
struct CenterDoctorTests {
    private struct Row: Equatable {
        let isFine: Bool?
        let detail: String?
    }

    /// The rows by their names, and the exit status.
    private static func look(
        _ folder: TemporaryFolder,
        _ arguments: String...
    ) async throws -> (rows: [String: Row], status: Int32) {
        let result = try await CommandResult.run(
            Programs.notificationCenter,
            ["doctor", "--folder", folder.path + "/center"] + arguments
        )
        #expect(result.errors == "")
        let rows = try result.output.split(separator: "\n").map { line in
            let object = try JSONObject(parsing: Array(line.utf8).span)
            let name = try #require(object["name"]?.string)
            return (name, Row(isFine: object["ok"] == true, detail: object["detail"]?.string))
        }
        return (Dictionary(uniqueKeysWithValues: rows), result.status)
    }

    /// Everything that a folder holds, but for the index of a log, which every reader may write.
    private static func contents(_ path: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasSuffix("-shm") {
            contents[name] = try? Data(contentsOf: URL(filePath: path + "/" + name))
        }
        return contents
    }

    private static func key(_ path: String, _ byte: UInt8) throws -> String {
        try Data(repeating: byte, count: 32).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    @Test func `before the first start everything can be made, and nothing is`() async throws {
        try await TemporaryFolder.with { folder in
            let (rows, status) = try await Self.look(folder)
            #expect(status == 0)
            #expect(rows["folder"] == Row(isFine: true, detail: "\(folder.path)/center, to be made by the first start"))
            #expect(rows["database"] == Row(isFine: true, detail: "to be made by the first start"))
            #expect(rows["centre"] == Row(isFine: true, detail: "none runs here"))
            #expect(rows["room on the disk"]?.isFine == true)
            #expect(rows["descriptors"]?.detail?.contains("connections at the sockets") == true)
            #expect(rows["Landlock"] != nil)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/center"))
        }
    }

    @Test func `a centre that runs answers, with its owner, its sockets and no host`() async throws {
        try await TemporaryFolder.with { folder in
            let place = folder.path + "/center"
            let center = try await RunningCenter(folder)
            let (rows, status) = try await Self.look(folder)
            #expect(status == 0)
            #expect(rows["centre"]?.detail?.hasPrefix("one runs here, version ") == true)
            #expect(rows["owner me"] == Row(isFine: true, detail: "\"\(place)/http.sock\" answers"))
            #expect(rows["host"] == Row(isFine: false, detail: "none is connected to \"\(place)/link.sock\""))
            for name in ["link.sock", "metrics.sock", "app.sock", "http.sock"] {
                #expect(rows["socket \(name)"] == Row(isFine: true, detail: "\(place)/\(name), mode 600"))
            }
            let other = try await Self.look(folder, "--owner", "ana")
            #expect(other.status == 0)
            let absence = "\"\(place)/owners/ana/http.sock\" does not answer; "
            #expect(other.rows["owner ana"]?.isFine == false)
            #expect(other.rows["owner ana"]?.detail?.hasPrefix(absence) == true)
            #expect(other.rows["socket http.sock"] == nil)
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                try await host.deliver(title: "Alice", thread: "a")
                #expect(try await folder.centerTitles(1) == ["Alice"])
                let linked = try await Self.look(folder)
                #expect(linked.rows["host"] == Row(isFine: true, detail: "one is connected"))
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `one whose sockets do not answer has the folder all the same`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            try FileManager.default.removeItem(atPath: folder.path + "/center/metrics.sock")
            let (rows, status) = try await Self.look(folder)
            #expect(status == 1)
            let process = center.process.processIdentifier
            #expect(rows["centre"]?.detail?.hasPrefix("process \(process) has the folder, and ") == true)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `the key that is needed, and no other, opens what is sealed, and the look changes nothing`() async throws
    {
        try await TemporaryFolder.with { folder in
            let place = folder.path + "/center"
            let key = try Self.key(folder.path + "/center.key", 5)
            let center = try await RunningCenter(folder, options: ["--store-key", key])
            try await RunningHost.with(folder, top: folder.centerTop()) { host in
                try await host.deliver(title: "Alice", thread: "a")
                #expect(try await folder.centerTitles(1) == ["Alice"])
            }
            // Its log stays.
            center.kill()
            let before = try Self.contents(place)
            let opened = try await Self.look(folder, "--store-key", key)
            #expect(opened.status == 0)
            #expect(opened.rows["store key"] == Row(isFine: true, detail: "it opens what is sealed"))
            #expect(opened.rows["database"]?.detail?.hasPrefix("tables of version ") == true)
            let without = try await Self.look(folder)
            #expect(without.status == 1)
            #expect(without.rows["store key"]?.isFine == false)
            #expect(
                without.rows["store key"]?.detail?.contains("holds sealed texts, and no store key was named") == true
            )
            let wrong = try await Self.look(folder, "--store-key", try Self.key(folder.path + "/other.key", 6))
            #expect(wrong.status == 1)
            #expect(wrong.rows["store key"]?.detail?.contains("the store key is not the one under which") == true)
            #expect(try Self.contents(place) == before)
        }
    }

    @Test func `a folder that others may open, and a database of a later version, keep a centre from starting`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let place = folder.path + "/center"
            let center = try await RunningCenter(folder)
            #expect(center.terminate() == 0)
            let before = try Self.contents(place)
            let closed = try await Self.look(folder)
            #expect(closed.status == 0)
            #expect(closed.rows["store key"] == Row(isFine: true, detail: "none is needed: texts lie open on the disk"))
            #expect(try Self.contents(place) == before)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
            let open = try await Self.look(folder)
            #expect(open.status == 1)
            let refusal = "the folder \"\(place)\" is open to other users; chmod 700 \(place)"
            #expect(open.rows["folder"] == Row(isFine: false, detail: refusal))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place)
            try await DatabaseQueue(path: place + "/center.sqlite").write {
                try $0.execute(sql: "PRAGMA user_version = 99")
            }
            let later = try await Self.look(folder)
            #expect(later.status == 1)
            #expect(
                later.rows["database"]?.detail?.contains("has version 99, and this program knows versions up to")
                    == true
            )
        }
    }
}
