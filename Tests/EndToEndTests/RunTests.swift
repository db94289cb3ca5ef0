// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// `extension-host run` as a developer's tool.
@Suite(.timeLimit(.minutes(10)))
struct RunTests {
    private static let push = #"{"aps":{"alert":{"title":"given","body":"text"},"mutable-content":1}}"#

    private func withBundle<Result>(
        _ body: (_ folder: TemporaryFolder, _ run: ([String]) async throws -> CommandResult) async throws -> Result
    ) async throws -> Result {
        try Programs.makeExampleKeysPrivate()
        return try await TemporaryFolder.with { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            return try await body(folder) { arguments in
                try await CommandResult.run(Programs.extensionHost, ["run", bundle] + arguments)
            }
        }
    }

    @Test func `a clear payload is sealed first, so that it tests what opens it`() async throws {
        try await withBundle { folder, run in
            let file = try folder.write(Self.push, to: "push.apns")
            let result = try await run([file, "--seal-with", Programs.root + "/keys-example/recipient.key"])
            #expect(result.status == 0, "\(result.errors)")
            let record = Record(object: try JSONObject(parsing: Array(result.output.utf8).span))
            #expect(record.alert == ["title": "handled", "body": "text"])
            #expect(record.object["timings"]?.object?["openMicroseconds"]?.integer != nil)
            #expect(record.payload?["encryption"]?.object?["authenticated"] != nil)
        }
    }

    @Test func `a sender who is named is known, and another is not`() async throws {
        try await withBundle { folder, run in
            let keys = Programs.root + "/keys-example"
            let public_ = { (name: String) in
                try String(contentsOfFile: "\(keys)/\(name).pub", encoding: .utf8).trimmingCharacters(in: .newlines)
            }
            let sealed = try await CommandResult.run(
                Programs.sealPayload,
                ["-r", try public_("recipient"), "-s", keys + "/sender.key", "--topic", "com.example.chat"],
                input: Self.push
            )
            try #require(sealed.status == 0, "\(sealed.errors)")
            let file = try folder.write(sealed.output, to: "sealed.json")
            let key = ["--key", keys + "/recipient.key"]
            let known = try await run([file] + key + ["--sender", try public_("sender")])
            #expect(known.status == 0, "\(known.errors)")
            #expect(known.output.contains(#""outcome":"modified""#))
            let unknown = try await run([file] + key)
            #expect(unknown.status == 1)
            #expect(unknown.output.contains(#""reason":"unknownSender""#))
            let unopened = try await run([file])
            #expect(
                unopened.errors.contains(
                    "warning: \"\(file)\" is sealed, and nothing opens it here: --key names a key that does\n"
                )
            )
        }
    }

    /// The run ends while a spare is being started, and takes the folder of what extensions store with it; no failure
    /// to start the spare is reported.
    @Test func `the end of a run is nobody's error, and its record knows the worker`() async throws {
        try await withBundle { folder, run in
            let file = try folder.write(Self.push, to: "push.apns")
            for _ in 0..<5 {
                let result = try await run([file])
                #expect(result.status == 0)
                #expect(!result.errors.contains("not started"), "\(result.errors)")
                let record = Record(object: try JSONObject(parsing: Array(result.output.utf8).span))
                let worker = try #require(record.object["worker"]?.object)
                #expect(worker["sandbox"]?.string?.dropFirst().first == "2")
                #expect((worker["peakMemoryBytes"]?.integer ?? 0) > 100_000)
            }
        }
    }

    @Test func `a key that does not seal is said by the program that knows`() async throws {
        try await withBundle { folder, run in
            let file = try folder.write(Self.push, to: "push.apns")
            let result = try await run([file, "--seal-with", folder.path + "/no.key"])
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("seal-payload: error: "))
            #expect(
                result.errors.hasSuffix("extension-host: error: seal-payload did not seal the payload, see above\n")
            )
        }
    }

    @Test func `several payloads, several times, a record each`() async throws {
        try await withBundle { folder, run in
            let one = try folder.write(Self.push, to: "one.apns")
            let two = try folder.write(Self.push.replacing("given", with: "second"), to: "two.apns")
            let report = folder.path + "/report.xml"
            let result = try await run([one, two, "--times", "10", "--parallel", "4", "--junit", report])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 20)
            let xml = try String(contentsOfFile: report, encoding: .utf8)
            #expect(xml.contains(#"tests="20" failures="0""#))
            #expect(xml.contains("name=\"\(two) #10\""))
        }
    }

    @Test(
        arguments: [
            (nil, 1), ("crashed", 0), ("original", 0), ("modified", 1), ("budgetExceeded", 1),
        ] as [(String?, Int32)]
    )
    func `the exit status says whether it ended as expected`(expected: String?, status: Int32) async throws {
        try await withBundle { folder, run in
            let push = #"{"aps":{"alert":"text","mutable-content":1},"behave":"trap"}"#
            let file = try folder.write(push, to: "push.apns")
            let result = try await run([file] + (expected.map { ["--expect", $0] } ?? []))
            #expect(result.status == status, "\(result.errors)")
            let what = expected ?? "the extension's content"
            let note = "extension-host: 1 of 1 did not end with \(what), see the records\n"
            #expect(result.errors.contains(note) == (status != 0))
        }
    }

    @Test func `people see a notification`() async throws {
        try await withBundle { folder, run in
            let file = try folder.write(Self.push, to: "push.apns")
            let result = try await run([file, "--format", "human"])
            #expect(result.status == 0)
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.count > 6)
            #expect(lines.dropFirst(2).first == "  │ handled" + String(repeating: " ", count: 50) + "│")
            #expect(lines.contains { $0.hasPrefix("  ✓ modified · fresh process · sandbox ") })
        }
    }

    @Test func `people see what an extension printed before its end`() async throws {
        try await withBundle { folder, run in
            let push = #"{"aps":{"alert":"text","mutable-content":1},"behave":"trap"}"#
            let file = try folder.write(push, to: "push.apns")
            let result = try await run([file, "--format", "human", "--expect", "crashed"])
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
            let said = lines.drop { $0 != "the extension said" }
            #expect(said.contains { $0.hasSuffix("the last words") }, "\(result.output)")
            #expect(said.contains { $0.contains("Fatal error: asked for") }, "\(result.output)")
        }
    }

    @Test(arguments: [
        (["--times", "0"], "--times is 1 to 100000"), (["--parallel", "0"], "--parallel is 1 to 1000"),
    ])
    func `wrong usage is said`(options: [String], error: String) async throws {
        try await withBundle { folder, run in
            let result = try await run([try folder.write(Self.push, to: "push.apns")] + options)
            #expect(result.status == 2)
            #expect(result.errors.hasPrefix("extension-host: error: \(error)\n"))
        }
    }
}
