// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

@Suite("A program that a command waits for", .timeLimit(.minutes(5)))
struct ChildProgramTests {
    private func shell(_ script: String, input: String = "") -> ChildProgram {
        ChildProgram(path: "/bin/sh", arguments: ["-c", script], input: Data(input.utf8))
    }

    @Test("what it writes and how it ends is told, with a limit and without")
    func ends() throws {
        for limit in [nil, Duration.seconds(240)] {
            let long = try shell("cat; head -c 300000 /dev/zero; exit 3", input: "in").run(within: limit)
            #expect(long.output.count == 300_002 && long.output.starts(with: Data("in".utf8)))
            #expect(long.status == 3 << 8)
            #expect(try shell("kill -9 $$").run(within: limit).status == 9)
        }
    }

    @Test("one that is still there when its time is over is ended, and says what it has said")
    func outOfTime() throws {
        let script = "tail -f /dev/null & echo $!; setsid sh -c 'echo $$; exec tail -f /dev/null' & echo $$; wait"
        let result = try shell(script).run(within: .milliseconds(500))
        #expect(result.status == ChildProgram.outOfTime)
        // On a machine that stands still it may not have come so far.
        let end = ContinuousClock.now + .seconds(120)
        for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
            while isRunning(String(line)), ContinuousClock.now < end { sched_yield() }
            #expect(!isRunning(String(line)))
        }
    }

    /// Returns whether a process runs; a killed one stays in the list until its parent has asked for its end.
    private func isRunning(_ process: String) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        let state = text.split(separator: ") ").last?.first
        return state != "Z" && state != "X"
    }

    @Test("a manifest that never ends is an error, with what to do")
    func manifest() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = """
            // swift-tools-version: 5.9
            import PackageDescription
            while true {}
            """
        try text.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let error = #expect(throws: CommandError.self) {
            try PackageManifest(of: folder, within: .milliseconds(1))
        }
        #expect(
            error?.message
                == "\(folder.path)/Package.swift: SwiftPM has not read the manifest within \(Duration.milliseconds(1))"
        )
        #expect(
            error?.hint == "look what its code waits for, or name the module's sources with --module NAME=FOLDER"
        )
    }
}
