// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The icon and the sounds of an app, from host.yaml to whoever asks the centre for them.
@Suite(.timeLimit(.minutes(10)))
struct CenterLookTests {
    private static let png = Data([0x89] + "PNG\r\n\u{1A}\nthe rest".utf8)
    private static let wav = Data("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt 0123".utf8)

    /// Writes a file into a folder that is made if it is not there.
    private static func put(_ data: Data, _ folder: TemporaryFolder, _ name: String) throws {
        let place = URL(filePath: folder.path + "/" + name)
        let above = place.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        try data.write(to: place)
        for path in [place.path, above.path] {
            let mode = path == place.path ? 0o644 : 0o755
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    private static func curl(_ folder: TemporaryFolder, _ path: String, _ arguments: String...) async throws -> String {
        try await CommandResult.run(
            "/usr/bin/curl",
            ["--silent", "--unix-socket", folder.path + "/center/http.sock", "http://center\(path)"] + arguments
        ).output
    }

    @Test func `a confined host hands them to a confined centre, which has copies of its own`() async throws {
        try await TemporaryFolder.with { folder in
            try Self.put(Self.png, folder, "looks/chat.png")
            try Self.put(Self.wav, folder, "looks/Sounds/Ding 1.wav")
            let words = "center: { icon: looks/chat.png, sounds: ./looks/Sounds }"
            let center = try await RunningCenter(folder)
            try await RunningHost.with(folder, app: [words], top: folder.centerTop()) { host in
                _ = try await host.deliver(#"{"aps":{"alert":{"title":"Alice"},"sound":"Ding 1.wav"}}"#)
                #expect(try await folder.centerTitles(1) == ["Alice"])
            }
            try FileManager.default.removeItem(atPath: folder.path + "/looks")
            let list = try await folder.centerCommand("list").output
            let stack = try JSONObject(parsing: Array(list.utf8).span)
            let sound = stack["leading"]?.object?["present"]?.object?["sound"]?.object
            let href = try #require(sound?["href"]?.string)
            #expect(href == "/v1/apps/com.example.chat/sounds/Ding%201.wav")
            let kind = ["--output", folder.path + "/got", "--write-out", "%{content_type}"]
            #expect(try await Self.curl(folder, href, kind[0], kind[1], kind[2], kind[3]) == "audio/wav")
            #expect(FileManager.default.contents(atPath: folder.path + "/got") == Self.wav)
            let icon = "/v1/apps/com.example.chat/icon"
            #expect(try await Self.curl(folder, "/v1/apps").contains(#""icon":"\#(icon)""#))
            #expect(try await Self.curl(folder, icon, kind[0], kind[1], kind[2], kind[3]) == "image/png")
            #expect(FileManager.default.contents(atPath: folder.path + "/got") == Self.png)
            #expect(center.terminate() == 0)
        }
    }

    /// Says what is wrong with the words of an app, beside a folder in which `prepare` puts things.
    private func errors(
        _ line: String,
        _ prepare: (TemporaryFolder) throws -> Void
    ) async throws -> (status: Int32, text: String) {
        try await TemporaryFolder.with { folder in
            try Self.put(Self.wav, folder, "Sounds/a.wav")
            try Self.put(Self.png, folder, "chat.png")
            try prepare(folder)
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
            return (result.status, result.errors.replacing(folder.path + "/", with: ""))
        }
    }

    private static let start = "error: host.yaml:4: %key of center of app \"com.example.chat\" is not usable: "

    @Test(
        arguments: [
            ("no.png", #""no.png" is not there"#), ("link.png", #""link.png" is a link"#),
            ("pipe.png", #""pipe.png" is no regular file"#), ("Sounds", #""Sounds" is no regular file"#),
            ("open.png", #""open.png" can be written by anyone"#), ("chat.svg", #""chat.svg" is no PNG"#),
            ("large.png", #""large.png" has 1048577 bytes, 1 to 1048576 are possible"#),
            ("empty.png", #""empty.png" has 0 bytes, 1 to 1048576 are possible"#),
        ]
    )
    func `an icon that no centre would show is refused by name`(icon: String, reason: String) async throws {
        let (status, text) = try await errors("icon: \(icon)") { folder in
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder.path + "/link.png", withDestinationPath: "chat.png")
            mkfifo(folder.path + "/pipe.png", 0o644)
            try Self.put(Self.png, folder, "open.png")
            try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.path + "/open.png")
            try Self.put(Data("<svg/>".utf8), folder, "chat.svg")
            try Self.put(Self.png + Data(count: (1 << 20) + 1 - Self.png.count), folder, "large.png")
            try Self.put(Data(), folder, "empty.png")
        }
        #expect(status == 1)
        #expect(text.contains(Self.start.replacing("%key", with: "icon") + reason), "\(text)")
    }

    @Test(
        arguments: [
            ("b.wav", #""Sounds/b.wav" is a link"#), ("pipe.wav", #""Sounds/pipe.wav" is no regular file"#),
            ("ding.caf", #""Sounds/ding.caf" cannot be a sound"#), ("dïng.wav", "cannot be a sound"),
            ("page.wav", #""Sounds/page.wav" is not what its name says"#),
            ("open.wav", #""Sounds/open.wav" can be written by anyone"#),
            ("many", #""Sounds" holds 33 files, at most 32 sounds are possible"#),
        ]
    )
    func `a folder with what is no sound is refused by the name of the file`(name: String, reason: String) async throws
    {
        let (status, text) = try await errors("sounds: Sounds") { folder in
            let path = folder.path + "/Sounds/" + name
            switch name {
            case "b.wav": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "a.wav")
            case "pipe.wav": mkfifo(path, 0o644)
            case "page.wav": try Self.put(Data("<html>".utf8), folder, "Sounds/page.wav")
            case "many": for number in 1...32 { try Self.put(Self.wav, folder, "Sounds/\(number).wav") }
            default: try Self.put(Self.wav, folder, "Sounds/" + name)
            }
            if name == "open.wav" {
                try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
            }
        }
        #expect(status == 1)
        #expect(text.contains(reason), "\(text)")
    }

    @Test func `a good icon and good sounds are taken, and what is hidden is left alone`() async throws {
        let (status, text) = try await errors("icon: chat.png, sounds: Sounds") { folder in
            try Self.put(Data("x".utf8), folder, "Sounds/.DS_Store")
        }
        #expect(status == 0, "\(text)")
    }
}
