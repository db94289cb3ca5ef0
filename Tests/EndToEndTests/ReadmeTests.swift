// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The commands of README.md, and of the pages that go on from it, as a reader pastes them.
@Suite(.timeLimit(.minutes(10)))
struct ReadmeTests {
    private static func blocks(_ language: String) throws -> [String] {
        try CodeBlock.texts(of: "README.md", in: language)
    }

    /// The pages whose shell blocks follow the README's, in the order in which a reader needs them.
    static let pages = ["docs/operate.md", "docs/who-may-send.md", "docs/sending.md"]

    @Test func `the commands of the README and of the pages behind it work as pasted`() async throws {
        try #require(
            FileManager.default.fileExists(atPath: Programs.folder + "/extension-sdk"),
            "scripts/extension-sdk has not run"
        )
        try await TemporaryFolder.with { folder in
            for name in [".build", "Examples", "keys-example"] {
                let source = Programs.root + "/" + name
                try FileManager.default.createSymbolicLink(
                    atPath: folder.path + "/" + name,
                    withDestinationPath: source
                )
            }
            // The port that is printed may be taken.
            let port = try FreePort.find()
            let configuration = try #require(try CodeBlock.texts(of: "docs/operate.md", in: "yaml").first)
            _ = try folder.write(configuration.replacingOccurrences(of: "8443", with: "\(port)"), to: "host.yaml")
            // The first block clones and builds; what tests build is used in place of it.
            let further = try Self.pages.flatMap { try CodeBlock.texts(of: $0, in: "sh") }
            var script = try (Self.blocks("sh").dropFirst() + further).joined(separator: "\n")
                .replacingOccurrences(of: "8443", with: "\(port)")
                .replacing(/scripts\/extension-sdk .*\n/, with: "")
                .replacingOccurrences(of: "$PWD/.build/debug", with: Programs.folder)
            script = "set -e\ncd '\(folder.path)'\n" + script + "\nkill %1\nwait %1\n"
            let result = try await CommandResult.run("/bin/bash", ["-c", "set -m\n" + script])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.components(separatedBy: #""outcome":"modified""#).count == 3, "\(result.output)")
            #expect(result.output.contains("Alice · Chat"))
        }
    }

    @Test(
        .enabled(if: OwnSystemd.isThere, OwnSystemd.reason),
        .enabled(if: PackageTests.canBuild, "needs dpkg-dev and chrpath: scripts/setup package installs them")
    ) func `the five commands of the README lead from a package to a record`() async throws {
        let block = try #require(try Self.blocks("console").first)
        let lines = block.split(separator: "\n")
        // The last line is what is answered; the others are typed.
        let typed = lines.dropLast().map { $0.hasPrefix("$ ") ? $0.dropFirst(2) : $0 }
        #expect(lines.count { $0.hasPrefix("$ ") } == 5)
        try await TemporaryFolder.with { folder in
            let output = folder.path + "/.build/package"
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            try await PackageTests.package(to: output + "/nestbox.deb")
            // What tests build is installed in place of a release, and a script types faster than a host delivers.
            let script = """
                make() { echo "made=$*"; }
                \(OwnSystemd.sudo)
                set -e
                \(typed.dropLast().joined(separator: "\n"))
                for _ in $(seq 100); do [ -s /var/log/nestbox/records.ndjson ] && break; sleep 0.1; done
                \(typed.last ?? "")
                echo done=yes

                """
            let (said, everything) = try await OwnSystemd.run(script, in: folder)
            #expect(said["made"] == "package")
            #expect(said["done"] == "yes", "\(everything)")
            #expect(everything.contains("HTTP/2 200"))
            let line = everything.split(whereSeparator: \.isNewline).last { $0.hasPrefix("{") } ?? ""
            let record = try JSONObject(parsing: Array(line.utf8).span)
            // The record that the README shows, but for what differs each time.
            let shown = try JSONObject(parsing: Array((lines.last ?? "").utf8).span)
            #expect(record.members.map(\.key) == shown.members.map(\.key))
            let timings = [record, shown].map { $0["timings"]?.object?.members.map(\.key) }
            #expect(timings[0] == timings[1])
            for name in ["topic", "outcome", "reason", "payload"] { #expect(record[name] == shown[name]) }
        }
    }

    /// The lines of a terminal's picture without what differs from run to run: times, bars, what the machine allows.
    private static func lines(ofPicture file: String) throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("<text") }
            .map { line in
                String(line).replacing(/<[^>]*>/, with: "").replacing(/[0-9.]+ (ms|s|MB)/, with: "…").replacing(
                    "█",
                    with: ""
                )
                .replacing(/sandbox [A-D][0-9]*/, with: "sandbox").replacing(/[ ]+/, with: " ")
            }
    }

    @Test func `the picture of a terminal is what the commands above it show`() async throws {
        try #require(
            FileManager.default.fileExists(atPath: Programs.folder + "/extension-sdk"),
            "scripts/extension-sdk has not run"
        )
        try await TemporaryFolder.with { folder in
            let file = folder.path + "/run.svg"
            let made = try await CommandResult.run(
                Programs.root + "/scripts/terminal-picture",
                ["--programs", Programs.folder, "--output", file]
            )
            #expect(made.status == 0, "\(made.errors)")
            let lines = try Self.lines(ofPicture: Programs.root + "/docs/run.svg")
            #expect(try Self.lines(ofPicture: file) == lines)
            #expect(lines.contains(" │ Alice · Chat │"))
        }
    }
}
