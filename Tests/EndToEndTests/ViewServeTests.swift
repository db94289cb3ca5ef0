// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// `extension-host view --serve`: a view in a page on this machine, by a notification centre and a host of its own.
@Suite(.timeLimit(.minutes(15)))
struct ViewServeTests {
    private static let waiting = "waiting for a change, control-C ends"

    /// The example's view in Python.
    private func bundle(in folder: TemporaryFolder) throws -> String {
        let bundle = folder.path + "/Photo.appex"
        let example = Programs.root + "/Examples/python-view"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        for name in ["Info.plist", "view.py"] {
            try FileManager.default.copyItem(atPath: "\(example)/\(name)", toPath: "\(bundle)/\(name)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/view.py")
        return bundle
    }

    private func payload(
        _ title: String,
        category: String = "photo",
        name: String? = nil,
        in folder: TemporaryFolder
    ) throws -> String {
        try folder.write(
            #"{"aps":{"alert":{"title":"\#(title)","body":"A photo"},"category":"\#(category)"}}"#,
            to: "\(name ?? title).json"
        )
    }

    private func served(in folder: TemporaryFolder) async throws -> ServedView {
        let (alice, bob) = (try payload("Alice", in: folder), try payload("Bob", in: folder))
        return try await ServedView(
            folder,
            try bundle(in: folder),
            alice,
            bob,
            "--interpreter",
            "/usr/bin/python3"
        )
    }

    /// Returns the names of those processes that go on for half a minute, and kills them.
    private func remaining(of processes: [Int32: String]) async -> [String] {
        var names: [String] = []
        for (pid, name) in processes where await !RunningHost.end(of: pid) {
            names.append(name)
            kill(pid, SIGKILL)
        }
        return names
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `its link leads to the views, and a signal ends all of it`(signal: Int32) async throws {
        try await TemporaryFolder.with { folder in
            let view = try await served(in: folder)
            #expect(view.link.firstMatch(of: /^http:\/\/nestbox-[0-9a-f]+\.localhost:[0-9]+\/#sign-in=\S+$/) != nil)
            #expect(try await view.look(2) == ["Alice: Alice", "Bob: Bob"])
            let mode = try FileManager.default.attributesOfItem(atPath: view.programFolder)[.posixPermissions]
            #expect(mode as? Int == 0o700)
            let processes = view.descendants
            #expect(processes.values.filter { $0 == "notification-ce" }.count == 1)
            #expect(processes.values.filter { $0 == "extension-host" }.count == 1)
            kill(view.pid, signal)
            #expect(await view.exitStatus == 0)
            #expect(await remaining(of: processes) == [])
            #expect(!FileManager.default.fileExists(atPath: view.programFolder))
            let (output, notes) = await view.everything
            #expect(output == [view.link])
            let code = try #require(view.link.split(separator: "#sign-in=").last)
            #expect(!notes.contains { $0.contains(code) })
        }
    }

    @Test(
        arguments: [
            (["--tap", "Like"], "--tap", "a person works the view in the browser"),
            (["--steps", "-"], "--steps", "a person works the view in the browser"),
            (["--expect", "call=dismiss"], "--expect", "nothing is judged or written down there"),
            (["--scene", "s.json"], "--scene", "nothing is judged or written down there"),
            (["--dark"], "--dark", "the browser decides on that"),
            (["--attachment", "a.png"], "--attachment", "a push has no files, a service extension attaches them"),
        ]
    )
    func `options that it has no use for are refused`(words: [String], option: String, reason: String) async throws {
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["view", "X.appex", "a.json", "--serve"] + words
        )
        #expect(result.status == 2)
        #expect(result.output == "")
        #expect(
            result.errors == """
                extension-host: error: \(option) does not go with --serve: \(reason)
                extension-host: hint: "extension-host view --help" tells what is possible

                """
        )
    }

    @Test func `a bundle that others may change is refused before anything starts`() async throws {
        try await TemporaryFolder.with { folder in
            let bundle = try bundle(in: folder)
            let payload = try payload("Alice", in: folder)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: bundle)
            let words = ["view", bundle, payload, "--serve", "--interpreter", "/usr/bin/python3"]
            let result = try await CommandResult.run(Programs.extensionHost, words)
            #expect(result.status == 1)
            #expect(result.output == "")
            #expect(
                result.errors == """
                    extension-host: warning: "\(bundle)" can be written by anyone; "serve" refuses it
                    extension-host: error: "\(bundle)" can be written by anyone
                    extension-host: hint: chmod go-w \(bundle)

                    """
            )
        }
    }

    @Test func `a payload that no gateway takes is an error before anything starts`() async throws {
        try await TemporaryFolder.with { folder in
            let payload = try payload(String(repeating: "A", count: 4_096), name: "long", in: folder)
            let result = try await CommandResult.run(
                Programs.extensionHost,
                ["view", try bundle(in: folder), payload, "--serve", "--interpreter", "/usr/bin/python3"]
            )
            #expect(result.status == 1)
            #expect(result.output == "")
            #expect(
                result.errors == """
                    extension-host: error: "\(payload)" has 4162 bytes, 66 more than APNs takes
                    extension-host: hint: 4096 bytes are possible: send less, and the rest as an attachment or from a \
                    server

                    """
            )
        }
    }

    @Test func `a kill of the command ends its programs, with a view that is open`() async throws {
        try await TemporaryFolder.with { folder in
            let view = try await served(in: folder)
            #expect(try await view.look(2) == ["Alice: Alice", "Bob: Bob"])
            let processes = view.descendants
            #expect(processes.values.contains { $0.hasPrefix("python3") })
            kill(view.pid, SIGKILL)
            // First of all: what goes on keeps the end of the command from being noticed.
            #expect(await remaining(of: processes) == [])
            #expect(await view.exitStatus == -SIGKILL)
            // What is told in docs/extensions.md to be left.
            try FileManager.default.removeItem(atPath: view.programFolder)
        }
    }

    @Test(
        arguments: [
            ("notification-ce", "the notification centre ended by signal 9"),
            ("extension-host", "the host ended by signal 9"),
        ]
    )
    func `the end of one of its programs ends it with the reason`(name: String, error: String) async throws {
        try await TemporaryFolder.with { folder in
            let view = try await served(in: folder)
            let processes = view.descendants
            let pid = try #require(processes.first { $0.value == name }?.key)
            kill(pid, SIGKILL)
            #expect(await view.exitStatus == 1)
            #expect(await remaining(of: processes) == [])
            #expect(!FileManager.default.fileExists(atPath: view.programFolder))
            let last = await view.everything.notes.suffix(2)
            #expect(
                last == ["extension-host: error: \(error)", "extension-host: hint: what it said stands above"]
            )
        }
    }

    @Test func `what is changed is built and shown anew, and a build that fails leaves the last one`() async throws {
        try await TemporaryFolder.with { folder in
            let sources = folder.path + "/Slider"
            try FileManager.default.copyItem(
                atPath: Programs.root + "/Examples/SliderContentExtension",
                toPath: sources
            )
            let payload = try payload("Alice", category: "album", in: folder)
            let view = try await ServedView(folder, folder.path + "/Slider.appex", payload, "--watch", sources)
            #expect(await view.note(endingIn: Self.waiting) != nil)
            #expect(try await view.look(1).first?.hasPrefix("Alice: Alice") == true)

            let file = sources + "/NotificationViewController.swift"
            let source = try String(contentsOfFile: file, encoding: .utf8)
            let line = "headline.text = notification.request.content.title"
            let second = source.replacing(line, with: line + #" + " again""#)
            try second.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(await view.note(endingIn: Self.waiting) != nil)
            #expect(try await view.look(1).first?.hasPrefix("Alice: Alice again") == true)

            try source.replacing(line, with: "headline.text = 1").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(await view.note(endingIn: "error: cannot assign value of type 'Int' to type 'String'") != nil)
            #expect(await view.note(endingIn: Self.waiting) != nil)
            #expect(try await view.look(1).first?.hasPrefix("Alice: Alice again") == true)

            try second.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(await view.note(endingIn: Self.waiting) != nil)
            _ = try folder.write(
                #"{"aps":{"alert":{"title":"Carol"},"category":"album"}}"#,
                to: "Alice.json"
            )
            #expect(await view.note(endingIn: Self.waiting) != nil)
            var shown: [String] = []
            while shown.first?.hasPrefix("Carol: ") != true {
                try Task.checkCancellation()
                shown = try await view.look(1)
            }
            #expect(shown.count == 1)
            #expect(shown.first?.hasPrefix("Carol: Carol again") == true)
            let processes = view.descendants
            kill(view.pid, SIGINT)
            #expect(await view.exitStatus == 0)
            #expect(await remaining(of: processes) == [])
            #expect(await view.everything.output == [view.link])
        }
    }
}
