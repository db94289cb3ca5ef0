// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import HostRuntime
import Locking
import NotificationPayload
import Testing

@testable import WorkerSupervisor

/// The files of requests that workers make of their notification centres.
@Suite(.timeLimit(.minutes(10)))
struct RequestFileTests {
    /// Writes and calls what the payload lists, in one go, and completes with the answers or without them.
    private static let script = """
        #!/usr/bin/python3
        import json, os, socket, struct, sys
        \(SupervisorHarness.speech)
        scratch = receive()[2]["scratch"]
        send(0x81, 0, {"protocol": 1})
        last = 0
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            payload = body["payload"]
            for name, text in payload.get("write", {}).items():
                with open(os.path.join(scratch, name), "w") as file: file.write(text)
            for call in payload["calls"]:
                last += 1
                send(0x85, last, call)
            answers = []
            if payload.get("waits"): answers = [receive()[2] for call in payload["calls"]]
            left = sorted(os.listdir(os.path.join(scratch, "tmp")))
            send(0x82, number, {"payload": {"aps": {"alert": json.dumps(answers)}, "left": left}})
            if payload.get("exits"): os._exit(0)
        """

    private static func add(_ paths: [String], type: String = "public.png") -> JSON {
        let attachments = paths.map { path -> JSON in
            ["identifier": .string(path), "type": .string(type), "path": .string(path)]
        }
        let request: JSONObject = [
            "identifier": "own", "payload": ["aps": ["alert": "own"]], "attachments": .array(attachments),
        ]
        return ["call": "add", "request": .object(request)]
    }

    /// A centre that reads the files of each call, and keeps what it was handed until it is told to answer.
    private final class Centre: Sendable {
        struct Call: Equatable {
            let name: CallName
            let sources: [RequestAttachment.Source]
            let texts: [String]
        }

        let calls = Locked<[Call]>([])
        private let held = Locked<[HeldFile]>([])
        private let keeps: Bool

        init(keeps: Bool = false) { self.keeps = keeps }

        func call(_ call: CenterCall, _ files: [HeldFile], _ answer: @escaping @Sendable (CallAnswer) -> Void) {
            var sources: [RequestAttachment.Source] = []
            if case .add(let request) = call { sources = request.attachments.map(\.source) }
            let texts = files.map { file in
                let bytes = try? FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false).readToEnd()
                return String(decoding: bytes ?? Data(), as: UTF8.self)
            }
            calls.withLock { $0.append(Call(name: call.name, sources: sources, texts: texts)) }
            if keeps { held.withLock { $0 += files } }
            answer(.done)
        }

        /// Closes what was kept.
        func letGo() {
            held.withLock { $0 = [] }
        }
    }

    private func withHarness(
        _ centre: Centre,
        profile: Character = "A",
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        try await SupervisorHarness.withHarness(
            script: Self.script,
            profile: profile,
            folder: folder,
            center: { call, files, _, answer in centre.call(call, files, answer) },
            body
        )
    }

    private func run(
        _ harness: SupervisorHarness,
        _ calls: [JSON],
        write: JSONObject = [:],
        _ flags: String...
    ) async -> ExtensionResult {
        var details: JSONObject = ["calls": .array(calls), "write": .object(write)]
        for flag in flags { details[flag] = true }
        return await harness.run("", details)
    }

    @Test(arguments: AttachmentTests.profiles)
    func `the centre gets the files, which are gone from the folder`(profile: Character) async throws {
        let centre = Centre()
        try await withHarness(centre, profile: profile) { harness in
            let call = Self.add(["tmp/a", "home/b"])
            let result = await run(harness, [call], write: ["tmp/a": "one", "home/b": "two"], "waits")
            #expect(result.alert == #"[{"ok": {}}]"#)
            #expect(result.left == .array([]))
            #expect(
                centre.calls.withLock(\.self) == [
                    .init(name: .add, sources: [.descriptor(0), .descriptor(1)], texts: ["one", "two"])
                ]
            )
        }
    }

    @Test(arguments: ["stays", "exits"])
    func `what is said behind a request with files stays behind it`(end: String) async throws {
        let centre = Centre()
        try await withHarness(centre) { harness in
            let calls: [JSON] = [
                ["call": "badge", "count": 1], Self.add(["tmp/a"]), ["call": "removeDelivered"], Self.add(["tmp/b"]),
                ["call": "badge", "count": 2],
            ]
            let result = await run(harness, calls, write: ["tmp/a": "one", "tmp/b": "two"], end)
            #expect(result.alert == "[]")
            // The content came behind all of them.
            let made = centre.calls.withLock(\.self)
            #expect(made.map(\.name) == [.badge, .add, .removeDelivered, .add, .badge])
        }
    }

    @Test(
        arguments: [
            (["tmp/none"], 100), (["tmp"], 100), (["../etc/passwd"], 100), (["/etc/passwd"], 100),
            (["tmp/a", "tmp/a"], 100), (["tmp/a", "tmp/none"], 100),
        ] as [([String], Int)]
    )
    func `a file that is none has the call fail, and the worker lives`(paths: [String], code: Int) async throws {
        let centre = Centre()
        try await withHarness(centre) { harness in
            let result = await run(harness, [Self.add(paths)], write: ["tmp/a": "one"], "waits")
            #expect(result.alert?.contains(#""code": \#(code)"#) == true, "\(result)")
            #expect(centre.calls.withLock(\.self) == [])
            let next = await run(harness, [Self.add(["tmp/b"])], write: ["tmp/b": "two"], "waits")
            #expect(next.alert == #"[{"ok": {}}]"#)
        }
    }

    @Test func `nothing is taken for a request that fails whatever its files are`() async throws {
        let centre = Centre()
        try await withHarness(centre) { harness in
            let call = Self.add(["tmp/a"], type: "public.shell-script")
            let result = await run(harness, [call], write: ["tmp/a": "one"], "waits")
            #expect(result.alert?.contains(#""code": 101"#) == true, "\(result)")
            #expect(result.left == .array(["a"]))
            #expect(centre.calls.withLock(\.self) == [])
        }
    }

    @Test func `PROTOCOL.md has the bounds`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("PROTOCOL.md"), encoding: .utf8)
            .replacing("\n", with: " ")
        let sentence = "goes beyond \(RequestFiles.siteLimit) files of the app's calls for the owner, or "
        #expect(document.contains(sentence + "\(RequestFiles.limit) of all"))
    }

    @Test func `more files than may be open fail, and have room when others are closed`() async throws {
        let centre = Centre(keeps: true)
        try await withHarness(centre) { harness in
            let names = (0..<10).map { "tmp/\($0)" }
            let texts = JSONObject(names.map { ($0, .string("x")) })
            for _ in 0..<RequestFiles.siteLimit / 10 {
                #expect(await run(harness, [Self.add(names)], write: texts, "waits").alert == #"[{"ok": {}}]"#)
            }
            let refused = await run(harness, [Self.add(["tmp/0"])], write: texts, "waits")
            #expect(refused.alert?.contains(#""reason": "notAllowed""#) == true, "\(refused)")
            centre.letGo()
            #expect(await run(harness, [Self.add(names)], write: texts, "waits").alert == #"[{"ok": {}}]"#)
        }
    }
}

extension ExtensionResult {
    /// The names that the worker found in its `tmp` after its calls.
    fileprivate var left: JSON? {
        guard case .content(let payload, _) = conclusion else { return nil }
        return payload.object["left"]
    }
}
