// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A running `extension-host view --serve`, and a browser's part of it without a browser.
final class ServedView {
    private let child = Process()
    private let output: Mailbox<String>
    private let notes: Mailbox<String>
    private let exit = Mailbox<Int32>()
    private let folder: TemporaryFolder
    let pid: Int32
    /// The link that it printed.
    let link: String
    /// The folder of its programs.
    let programFolder: String

    /// Starts the command with further words, and waits until it has printed its link.
    init(_ folder: TemporaryFolder, _ words: String...) async throws {
        self.folder = folder
        child.executableURL = URL(fileURLWithPath: Programs.extensionHost)
        child.arguments = ["view", "--serve"] + words
        child.terminationHandler = { [exit] child in
            exit.put(child.terminationReason == .exit ? child.terminationStatus : -child.terminationStatus)
            exit.close()
        }
        let (stdout, stderr) = try ProcessStart.alone { [child] in
            let (stdout, stderr) = (Pipe(), Pipe())
            child.standardInput = FileHandle.nullDevice
            child.standardOutput = stdout
            child.standardError = stderr
            try child.run()
            return (stdout, stderr)
        }
        pid = child.processIdentifier
        output = Mailbox(lines: stdout.fileHandleForReading)
        notes = Mailbox(lines: stderr.fileHandleForReading)
        guard let link = await output.take() else {
            await notes.end()
            throw NoLink(errors: notes.everything)
        }
        self.link = link
        // The centre has said that it serves before its port was open.
        let serving = notes.everything.first { $0.contains("serving \"") } ?? ""
        programFolder = String(serving.split(separator: "\"").dropFirst().first?.dropLast("/center".count) ?? "")
    }

    /// A test that has failed leaves nothing behind.
    deinit { child.terminate() }

    struct NoLink: Error { let errors: [String] }

    /// All that it has printed and said, once it has ended.
    var everything: (output: [String], notes: [String]) {
        get async {
            await output.end()
            await notes.end()
            return (output.everything, notes.everything)
        }
    }

    /// The exit status, negative for a signal; waits for it.
    var exitStatus: Int32? { get async { await exit.take() } }

    /// Waits for a note with this end; `nil` when it says no more.
    func note(endingIn end: String) async -> String? {
        while let note = await notes.take() {
            if note.hasSuffix(end) { return note }
        }
        return nil
    }

    /// Every process that comes of it, with its name.
    var descendants: [Int32: String] {
        let pids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        let all = Dictionary(uniqueKeysWithValues: pids.map { ($0, ProcessStatus($0)) }).compactMapValues { $0 }
        func isOurs(_ pid: Int32) -> Bool {
            guard let parent = all[pid]?.parent else { return false }
            return parent == self.pid || isOurs(parent)
        }
        return all.filter { isOurs($0.key) }.mapValues(\.name)
    }

    /// Signs in with the link, or with the session of an earlier call, opens the view of every notification once there
    /// are so many, and returns for each its title and the texts of the first scene, a line.
    func look(_ count: Int) async throws -> [String] {
        let words = ["-c", Self.page, link, folder.path + "/cookie", "\(count)"]
        let result = try await CommandResult.run("/usr/bin/python3", words)
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    private static let page = """
        import http.client, json, os, sys
        from urllib.parse import urlsplit
        link, jar, count = urlsplit(sys.argv[1]), sys.argv[2], int(sys.argv[3])
        headers = {"host": link.netloc, "origin": f"http://{link.netloc}", "content-type": "application/json"}
        def asked(method, path, body=None):
            connection = http.client.HTTPConnection("127.0.0.1", link.port, timeout=60)
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            return connection.getresponse()
        def ask(method, path, body=None):
            answer = asked(method, path, body)
            text = answer.read()
            return answer, json.loads(text) if text else {}
        if os.path.exists(jar):
            headers["cookie"] = open(jar).read()
        else:
            answer, _ = ask("POST", "/v1/sessions", {"code": link.fragment.removeprefix("sign-in=")})
            if answer.status != 201: sys.exit(f"sign-in {answer.status}")
            headers["cookie"] = answer.getheader("set-cookie").split(";")[0]
            open(jar, "w").write(headers["cookie"])
        place = {"width": 360, "scale": 2, "style": "dark", "textSize": 1, "direction": "leftToRight",
                 "language": "en", "timeZone": "UTC", "reducedMotion": False}
        def whole(view):
            answer = asked("GET", f"/v1/views/{view}/events")
            name = None
            for line in iter(lambda: answer.readline().decode(), ""):
                if line.startswith("event: "): name = line[7:].strip()
                if line.startswith("data: ") and name in ("whole", "ended"): return name, json.loads(line[6:])
            return "ended", {}
        def first(item):
            # A host that has just been started opens none yet, and the end of the former one ends its own.
            while True:
                answer, opened = ask("POST", "/v1/views", {"notification": item["id"], "environment": place})
                if answer.status != 201: continue
                name, scene = whole(opened["view"])
                if name == "whole": return scene
        while True:
            items = ask("GET", "/v1/notifications")[1]["items"]
            if len(items) >= count: break
        for item in sorted(items, key=lambda item: item["id"]):
            texts = [node["text"] for node in first(item)["set"] if node["k"] == "text" and node.get("text")]
            print(item["payload"]["aps"]["alert"]["title"] + ":", *texts)
        """
}
