// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Reports of `extension-host view` for build servers and programs, over the view in Python.
@Suite(.timeLimit(.minutes(10)))
struct ViewReportTests {
    private static let example = Programs.root + "/Examples/python-view"

    /// Runs `view` on the example's bundle with payloads of those titles, and returns its result and its folder's path.
    private func view(
        _ titles: [String],
        _ options: [String],
        input: String = "",
        in folder: TemporaryFolder,
        _ change: (String) -> String = { $0 }
    ) async throws -> CommandResult {
        let bundle = folder.path + "/Photo.appex"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.example + "/Info.plist", toPath: bundle + "/Info.plist")
        let source = try String(contentsOfFile: Self.example + "/view.py", encoding: .utf8)
        try change(source).write(toFile: bundle + "/view.py", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/view.py")
        var files: [String] = []
        for title in titles {
            files.append("\(folder.path)/\(title).json")
            let payload = #"{"aps":{"alert":{"title":"\#(title)","body":"A photo"},"category":"photo"}}"#
            try payload.write(toFile: files[files.count - 1], atomically: true, encoding: .utf8)
        }
        return try await CommandResult.run(
            Programs.extensionHost,
            ["view", "--interpreter", "/usr/bin/python3", bundle] + files + options,
            input: input
        )
    }

    /// The lines of a report without the times.
    private func report(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).replacing(/\ time="[0-9.]+"/, with: "")
            .split(separator: "\n").map(String.init)
    }

    @Test func `each payload has a view of its own, and all are in one report`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.path + "/report.xml"
            let options = ["--set", "slider=0.5", "--tap", "Dismiss", "--expect", "call=dismiss", "--junit", file]
            let result = try await view(["Alice", "Bob", "Eve", "Mallory", "Trent"], options, in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.lines.count { $0 == "ended: dismissed" } == 5)
            #expect(result.lines.filter { $0.hasSuffix(".json:") }.count == 5)
            let written = try report(file)
            #expect(written.count { $0.hasPrefix("<testsuite ") } == 5)
            let suite = "com.example.chat \(folder.path)/Bob.json"
            let first = try #require(written.firstIndex { $0.hasPrefix("<testsuite name=\"\(suite)\"") })
            #expect(
                written[first..<(first + 12)] == [
                    #"<testsuite name="\#(suite)" tests="5" failures="0" errors="0" skipped="0">"#,
                    #"<testcase classname="\#(suite)" name="open">"#, "</testcase>",
                    #"<testcase classname="\#(suite)" name="set slider=0.5">"#, "</testcase>",
                    #"<testcase classname="\#(suite)" name="tap &quot;Dismiss&quot;">"#, "</testcase>",
                    #"<testcase classname="\#(suite)" name="expect call=dismiss">"#, "</testcase>",
                    #"<testcase classname="\#(suite)" name="end">"#, "</testcase>", "</testsuite>",
                ]
            )
        }
    }

    @Test func `a failure of one payload is in the report and on standard error, and the others are shown`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let file = folder.path + "/report.xml"
            let options = ["--tap", "Fly", "--tap", "Dismiss", "--expect", "call=dismiss", "--junit", file]
            let result = try await view(["Alice", "Bob"], options, in: folder)
            #expect(result.status == 1)
            let hint = "controls are called by their label, title or number, as the scene shows them"
            #expect(
                result.errors.split(separator: "\n").map(String.init)
                    == ["Alice", "Bob"].flatMap { name in
                        [
                            "extension-host: error: \(folder.path)/\(name).json: the scene has no control \"Fly\"",
                            "extension-host: hint: \(hint)",
                        ]
                    }
            )
            let written = try report(file)
            #expect(written.count { $0.hasPrefix("<failure ") } == 2)
            #expect(written.count { $0 == "<skipped/>" } == 4)
            #expect(
                written.contains(
                    #"<failure message="the scene has no control &quot;Fly&quot;; \#(hint)" type="view"/>"#
                )
            )
        }
    }

    @Test func `a program hands steps over, and reads each state`() async throws {
        try await TemporaryFolder.with { folder in
            let steps = #"""
                {"set":"Opacity","value":0.25}
                {"tap":"Fly"}
                {"respond":"like"}
                {"tap":"Dismiss"}

                """#
            let result = try await view(["Alice"], ["--steps", "-", "--format", "json"], input: steps, in: folder)
            #expect(result.status == 1)
            let states = try result.lines.map { try JSONObject(parsing: Array($0.utf8).span) }
            #expect(states.map { $0["step"]?.integer } == [0, 1, 2, 3, 4])
            #expect(states.map { $0["error"]?.string } == [nil, nil, "the scene has no control \"Fly\"", nil, nil])
            #expect(states.map { $0["calls"]?.array?.count } == [0, 0, 0, 1, 2])
            #expect(states.map { $0["ended"]?.string } == [nil, nil, nil, nil, "dismissed"])
            let picture = states[1]["scene"]?.object?["set"]?.array?.first { $0.object?["id"] == 2 }
            #expect(picture?.object?["a"] == 0.25)
        }
    }

    @Test func `what the extension printed is in the report`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.path + "/report.xml"
            let options = ["--set", "slider=0.5", "--tap", "Dismiss", "--junit", file]
            let result = try await view(["Alice"], options, in: folder) { source in
                source.replacing(
                    "        if (node, event) == (SLIDER, \"value\"):\n",
                    with:
                        "        if event:\n            print(\"heard <\" + event + \">\", flush=True)\n        if (node, event) == (SLIDER, \"value\"):\n"
                )
            }
            #expect(result.status == 0, "\(result.errors)")
            // Output comes on a way of its own, so that it may stand with a later case.
            let said = try report(file).filter { $0.contains("heard") }
                .map { $0.replacing("<system-out>", with: "").replacing("</system-out>", with: "") }
            #expect(said == ["heard &lt;value&gt;", "heard &lt;tap&gt;"])
        }
    }
}
