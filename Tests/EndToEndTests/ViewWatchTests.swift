// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// `extension-host view --watch`, as an author leaves it running beside their editor.
@Suite(.timeLimit(.minutes(15)))
struct ViewWatchTests {
    @Test func `the view is built and shown again when its source or its payload changes`() async throws {
        try await TemporaryFolder.with { folder in
            let sources = folder.path + "/Slider"
            try FileManager.default.copyItem(
                atPath: Programs.root + "/Examples/SliderContentExtension",
                toPath: sources
            )
            let payload = try folder.write(#"{"aps":{"alert":{"title":"Alice"},"category":"album"}}"#, to: "p.json")
            let child = Process()
            child.executableURL = URL(fileURLWithPath: Programs.extensionHost)
            // The report is no change of the sources, though it stands among them.
            child.arguments = [
                "view", folder.path + "/Slider.appex", payload, "--watch", sources, "--respond", "like", "--junit",
                sources + "/report.xml",
            ]
            let (stdout, stderr) = try ProcessStart.alone {
                let (stdout, stderr) = (Pipe(), Pipe())
                child.standardInput = FileHandle.nullDevice
                child.standardOutput = stdout
                child.standardError = stderr
                try child.run()
                return (stdout, stderr)
            }
            defer { child.terminate() }
            let lines = Mailbox<String>(lines: stdout.fileHandleForReading)
            let notes = Mailbox<String>(lines: stderr.fileHandleForReading)
            func lastShown() async -> [String] {
                while let note = await notes.take(), !note.hasSuffix("waiting for a change, control-C ends") {}
                var shown: [String] = []
                while let line = await lines.take() {
                    shown.append(line)
                    if line == "calls: doNotDismiss" { return shown }
                }
                return shown
            }
            let first = await lastShown()
            #expect(first.contains("  Alice"), "\(first) \(notes.everything)")
            #expect(first.contains { $0.contains("You like it.") })
            let file = sources + "/NotificationViewController.swift"
            let source = try String(contentsOfFile: file, encoding: .utf8)
            try source.replacing("You like it.", with: "Liked.").write(toFile: file, atomically: true, encoding: .utf8)
            let second = await lastShown()
            #expect(second.contains { $0.contains("Liked.") }, "\(second) \(notes.everything)")
            try FileManager.default.removeItem(atPath: payload)
            while let note = await notes.take(), !note.hasSuffix("/p.json\", which is missing, control-C ends") {}
            _ = try folder.write(#"{"aps":{"alert":{"title":"Bob"},"category":"album"}}"#, to: "p.json")
            let third = await lastShown()
            #expect(third.contains("  Bob"), "\(third) \(notes.everything)")
        }
    }
}
