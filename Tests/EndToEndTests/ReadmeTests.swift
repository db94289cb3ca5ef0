// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// README.md's commands, as a reader pastes them.
@Suite(.timeLimit(.minutes(2)))
struct ReadmeTests {
    /// The code blocks of a language, in order.
    private static func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOfFile: Programs.root + "/README.md", encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    /// A port nobody listens on now; the README's own may be taken.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(result == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    @Test func `the commands of the README work as pasted`() async throws {
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
            let port = try Self.freePort()
            let configuration = try #require(try Self.blocks("yaml").first)
            _ = try folder.write(configuration.replacingOccurrences(of: "8443", with: "\(port)"), to: "host.yaml")
            // The first block clones and builds; what tests build is used in place of it.
            var script = try Self.blocks("sh").dropFirst().joined(separator: "\n")
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
