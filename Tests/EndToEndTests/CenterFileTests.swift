// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import TestClock
import Testing

/// The files of notifications, from an extension or an app to whoever asks the centre for them.
@Suite(.timeLimit(.minutes(10)))
struct CenterFileTests {
    /// Runs curl at the centre's socket.
    private static func curl(_ folder: TemporaryFolder, _ arguments: String...) async throws -> CommandResult {
        let socket = ["--silent", "--show-error", "--unix-socket", folder.path + "/center/http.sock"]
        return try await CommandResult.run("/usr/bin/curl", socket + arguments)
    }

    /// The newest notification, once there is one.
    private static func newest(_ folder: TemporaryFolder) async throws -> JSONObject {
        while true {
            let page = try await curl(folder, "http://center/v1/notifications").output
            let items = try JSONObject(parsing: Array(page.utf8).span, depthLimit: 32)["items"]?.array ?? []
            if let first = items.first?.object { return first }
            try Task.checkCancellation()
        }
    }

    private static func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/center/files").filter { $0.contains("/") }
    }

    @Test func `what an extension attaches is shown, outlives its host, and goes with its notification`() async throws {
        try await TemporaryFolder.with { folder in
            var center = try await RunningCenter(folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: folder.centerTop()) { host in
                let record = try await host.deliver(ExtensionTests.body("attach"))
                #expect(record?.alert?["title"] == "attached")
                _ = try await Self.newest(folder)
            }
            try FileManager.default.removeItem(atPath: folder.path + "/state/attachments")
            center.kill()
            center = try await RunningCenter(folder)
            let files = try #require(try await Self.newest(folder)["attachments"]?.array)
            #expect(files.count == 2)
            let picture = try #require(files.first?.object)
            #expect(picture["identifier"] == "picture")
            #expect(picture["mediaType"] == "image/png")
            #expect(picture["size"] == 1008)
            #expect(files.last == ["identifier": "no picture", "refused": "wrongContent"])
            let place = try "http://center" + #require(picture["href"]?.string)
            let path = folder.path + "/picture.png"
            let told = try await Self.curl(folder, "--output", path, "--write-out", "%{content_type}", place)
            #expect(told.output == "image/png")
            let bytes = try #require(FileManager.default.contents(atPath: path))
            #expect(bytes.count == 1008)
            let part = try await Self.curl(folder, "--range", "4-7", "--output", path, place)
            #expect(part.status == 0)
            #expect(FileManager.default.contents(atPath: path) == bytes[4...7])
            let id = try #require(try await Self.newest(folder)["id"]?.string)
            #expect(try Self.files(folder).count == 1)
            #expect(try await folder.centerCommand("remove", id).status == 0)
            #expect(try await folder.centerCommand("history", "--clear").status == 0)
            #expect(try Self.files(folder).isEmpty)
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a script sends a picture and attaches it`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = "com.example.backup"
            let calls = "http://center/v1/app/\(app)/calls"
            let json = "content-type: application/json"
            async let asked = Self.curl(folder, "-H", json, "-d", #"{"call":"authorize","options":["alert"]}"#, calls)
            while try await folder.centerCommand("authorize").output.isEmpty { try await Task.turn() }
            #expect(try await folder.centerCommand("authorize", app).output == "authorized\n")
            #expect(try await asked.output.contains("true"))
            // Larger than curl sends unasked: it waits for 100.
            let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(count: 3 << 20)
            try picture.write(to: URL(filePath: folder.path + "/photo.jpg"))
            let sent = try await Self.curl(
                folder,
                "--data-binary",
                "@\(folder.path)/photo.jpg",
                "-H",
                "content-type: image/jpeg",
                "http://center/v1/app/\(app)/attachments"
            )
            let upload = try #require(
                try JSONObject(parsing: Array(sent.output.utf8).span)["upload"]?.string,
                "\(sent.output)\(sent.errors)"
            )
            let request = """
                {"call":"add","request":{"identifier":"done","payload":{"aps":{"alert":"Backup done"}},
                 "attachments":[{"identifier":"photo","type":"public.jpeg","upload":"\(upload)"}]}}
                """
            #expect(try await Self.curl(folder, "-H", json, "-d", request, calls).output == "{}\n")
            let file = try await Self.newest(folder)["attachments"]?.array?.first?.object
            #expect(file?["size"] == .integer(Int64(picture.count)))
            let path = folder.path + "/copy.jpg"
            let place = try "http://center" + #require(file?["href"]?.string)
            _ = try await Self.curl(folder, "--output", path, place)
            #expect(FileManager.default.contents(atPath: path) == picture)
            #expect(center.terminate() == 0)
        }
    }
}
