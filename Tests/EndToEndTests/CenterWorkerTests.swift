// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// Service extensions and a notification centre: what they ask of it, and when they are not started for it.
@Suite(.timeLimit(.minutes(10)))
struct CenterWorkerTests {
    private static func push(_ title: String, behave: String? = nil) -> String {
        let behavior = behave.map { #","behave":"\#($0)""# } ?? ""
        return #"{"aps":{"alert":{"title":"\#(title)"},"badge":4,"mutable-content":1}\#(behavior)}"#
    }

    /// The titles of the owner's list, the newest first, each with the bytes of its files.
    private static func titles(_ folder: TemporaryFolder) async throws -> [String] {
        let script = """
            import http.client, json, socket, sys
            connection = http.client.HTTPConnection("nestbox")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(sys.argv[1])
            connection.request("GET", "/v1/notifications")
            for item in json.load(connection.getresponse())["items"]:
                sizes = "".join(f" {file['size']}" for file in item.get("attachments", []))
                print(item["payload"]["aps"]["alert"]["title"] + sizes)
            """
        let socket = folder.path + "/center/http.sock"
        let result = try await CommandResult.run("/usr/bin/python3", ["-c", script, socket])
        return result.output.split(separator: "\n").map(String.init)
    }

    private static func until(_ titles: [String], in folder: TemporaryFolder) async throws {
        while try await Self.titles(folder) != titles { try Task.checkCancellation() }
    }

    @Test func `an extension removes, adds, completes and exits at once: both took effect`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: folder.centerTop()) { host in
                for title in ["one", "two"] {
                    let record = try await host.deliver(Self.push(title))
                    #expect(record?.outcome == "modified")
                }
                try await Self.until(["handled", "handled"], in: folder)
                let last = try await host.deliver(Self.push("three", behave: "centreAndExit"))
                #expect(last?.outcome == "modified")
                try await Self.until(["handled", "added"], in: folder)
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a handler in Python does the same`() async throws {
        let handler = """
            #!/usr/bin/python3
            import json, os, socket, struct
            host = socket.socket(fileno=3)
            def send(kind, number, body):
                host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
            hello = json.loads(host.recv(65536)[9:])
            assert hello["center"] is True
            with open(hello["scratch"] + "/tmp/own.png", "wb") as file: file.write(b"\\x89PNG\\r\\n\\x1a\\n" + bytes(92))
            send(0x81, 0, {"protocol": 1})
            packet = host.recv(65536)
            payload = json.loads(packet[9:])["payload"]
            send(0x85, 1, {"call": "removeDelivered"})
            picture = {"identifier": "picture", "type": "public.png", "path": "tmp/own.png"}
            own = {"identifier": "own", "payload": {"aps": {"alert": {"title": "added"}}}, "attachments": [picture]}
            send(0x85, 2, {"call": "add", "request": own})
            payload["aps"]["alert"]["title"] += " handled"
            send(0x82, int.from_bytes(packet[1:9], "big"), {"payload": payload})
            os._exit(0)
            """
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let program = try folder.write(handler, to: "handler")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let bundle = try folder.makeBundle("Handler", program: program)
            let app = ["extension: \(bundle)", "interpreter: /usr/bin/python3"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                for title in ["one", "two"] {
                    let record = try await host.deliver(Self.push(title))
                    #expect(record?.outcome == "modified")
                    try await Self.until(["\(title) handled", "added 100"], in: folder)
                }
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `an extension's own request has its file, and one that is not added leaves it in its place`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: folder.centerTop()) { host in
                _ = try await host.deliver(Self.push("one", behave: "centreWithFile"))
                try await Self.until(["0 false", "added 1008"], in: folder)
                // Behind the link nobody answers any more.
                #expect(center.terminate() == 0)
                let record = try await host.deliver(Self.push("two", behave: "centreWithFile"))
                #expect(record?.alert?["title"] == "1 true")
            }
        }
    }

    @Test func `alerts that are off start no extension, and leave the badge; on again they do`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let bundle = try folder.makeBundle("Misbehaving", program: Programs.misbehavingExtension)
            let top = folder.centerTop()
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: top) { host in
                let first = try await host.deliver(Self.push("first"))
                #expect(first?.outcome == "modified")
                try await Self.until(["handled"], in: folder)
                #expect(try await Self.setAlert("false", folder) == 0)
                try await Self.untilRecord("alertsOff", host)
                #expect(try await Self.setAlert("true", folder) == 0)
                try await Self.untilRecord(nil, host)
                #expect(try await Self.setAlert("false", folder) == 0)
                try await Self.untilRecord("alertsOff", host)
            }
            let apps = try await folder.centerCommand("authorize").output
            #expect(apps.contains(#""badge":4"#), "\(apps)")
            // The next host knows it before the centre is there.
            #expect(center.terminate() == 0)
            try await RunningHost.with(folder, app: ["extension: \(bundle)"], top: top) { host in
                let record = try await host.deliver(Self.push("later"))
                #expect(record?.reason == "alertsOff")
            }
        }
    }

    private static func setAlert(_ value: String, _ folder: TemporaryFolder) async throws -> Int32 {
        try await folder.centerCommand("settings", "--app", "com.example.chat", "alert=\(value)").status
    }

    /// Posts until a push ends with the reason: the host hears of the owner's switch a moment later.
    private static func untilRecord(_ reason: String?, _ host: RunningHost) async throws {
        while true {
            let record = try #require(try await host.deliver(push("again")))
            if record.reason == reason { return }
            try Task.checkCancellation()
        }
    }
}
