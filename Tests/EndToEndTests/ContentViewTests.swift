// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The view of a content extension over the centre's API: a running host, a running centre, and the view in Python.
@Suite(.timeLimit(.minutes(10)))
struct ContentViewTests {
    /// A page without a browser: follows the stream of a view, sends events, and prints what it sees.
    private static let page = """
        import http.client, json, socket, sys
        def connection():
            connection = http.client.HTTPConnection("nestbox")
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(sys.argv[1])
            connection.sock.settimeout(60)
            return connection
        def ask(method, path, body=None):
            asked = connection()
            text = None if body is None else json.dumps(body)
            asked.request(method, path, text, {"content-type": "application/json"} if text else {})
            answer = asked.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else {}
        def events(view):
            asked = connection()
            asked.request("GET", f"/v1/views/{view}/events")
            answer = asked.getresponse()
            name = None
            while line := answer.readline().decode().rstrip("\\n"):
                pass
            for line in iter(lambda: answer.readline().decode(), ""):
                if line.startswith("event: "): name = line[7:].strip()
                # Of pictures it tells before or behind the scenes that name them.
                if line.startswith("data: ") and name != "files": yield name, json.loads(line[6:])
        place = {"width": 360, "scale": 2, "style": "dark", "textSize": 1, "direction": "leftToRight",
                 "language": "en", "timeZone": "UTC", "reducedMotion": False}
        item = ask("GET", "/v1/notifications")[1]["items"][0]
        print("traits", json.dumps(item["view"], sort_keys=True))
        status, opened = ask("POST", "/v1/views", {"notification": item["id"], "environment": place})
        print("opened", status)
        view = opened["view"]
        told = events(view)
        def picture(number):
            while True:
                asked = connection()
                asked.request("GET", f"/v1/views/{view}/files/{number}")
                answer = asked.getresponse()
                content = answer.read()
                if answer.status != 404: return answer.getheader("content-type"), content[:4]
        def send(*words):
            print("sent", ask("POST", f"/v1/views/{view}/events", {"events": list(words)})[0])
        name, scene = next(told)
        if name == "ended": sys.exit(f"{name} {scene}")
        nodes = {node["id"]: node for node in scene["set"]}
        print(name, *(node["text"] for node in scene["set"] if node["k"] == "text"), len(nodes))
        """

    private static let payload = #"{"aps":{"alert":{"title":"Alice","body":"A photo"},"category":"photo"}}"#

    /// A bundle of the example's view, with its source changed.
    private func bundle(in folder: TemporaryFolder, _ change: (String) -> String = { $0 }) throws -> String {
        let bundle = folder.path + "/Photo.appex"
        let example = Programs.root + "/Examples/python-view"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: example + "/Info.plist", toPath: bundle + "/Info.plist")
        let source = try String(contentsOfFile: example + "/view.py", encoding: .utf8)
        try change(source).write(toFile: bundle + "/view.py", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle + "/view.py")
        return bundle
    }

    private func show(_ script: String, in folder: TemporaryFolder) async throws -> [String] {
        let socket = folder.path + "/center/http.sock"
        while try await folder.ask("/v1/notifications")["items"]?.array?.isEmpty != false {
            try Task.checkCancellation()
        }
        let result = try await CommandResult.run("/usr/bin/python3", ["-c", Self.page + "\n" + script, socket])
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    private static let beginning = [
        #"traits {"hidesDefaultContent": false, "initialSizeRatio": 0.6, "overridesTitle": false, "#
            + #""takesInteraction": true}"#,
        "opened 201", "whole Alice 8",
    ]

    @Test func `a view is worked over the API, and its process goes with it`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = ["content: \(try bundle(in: folder))", "interpreter: /usr/bin/python3"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                let record = try await host.deliver(Self.payload)
                #expect(record?.alert?["title"] == "Alice")
                let script = """
                    send({"seq": 1, "node": 3, "event": "value", "value": 0.4}, {"seq": 2, "node": 99, "event": "press"},
                         {"seq": 3, "node": 3, "event": "value", "value": 0.25})
                    acknowledged = 0
                    while acknowledged < 3:
                        name, update = next(told)
                        acknowledged = update.get("ack", acknowledged)
                        nodes.update({node["id"]: node for node in update.get("set", [])})
                    print(name, nodes[2]["a"], nodes[3]["value"])
                    again = events(view)
                    name, whole = next(again)
                    print("again", name, whole["ack"], {node["id"]: node for node in whole["set"]} == nodes)
                    print("picture", nodes[2]["src"], *picture(1))
                    send({"seq": 4, "node": 5, "event": "tap"})
                    name, update = next(told)
                    print(name, update["ack"], update["calls"])
                    print(*next(told))
                    print(list(told))
                    print("late", ask("DELETE", f"/v1/views/{view}")[0] in (204, 404))
                    """
                #expect(
                    try await show(script, in: folder) == Self.beginning + [
                        "sent 204", "scene 0.25 0.25", "again whole 3 True", #"picture 1 image/png b'\x89PNG'"#,
                        "sent 204",
                        "scene 4 [{'call': 'defaultAction'}]", "ended {'reason': 'dismissed'}", "[]", "late True",
                    ]
                )
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a view in Swift takes its notification away`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = ["content: \(Programs.root)/.build/appex/PhotoScene.appex"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                _ = try await host.deliver(Self.payload)
                let script = """
                    print("picture", *picture(next(node["src"] for node in nodes.values() if node["k"] == "image")))
                    remove = next(id for id, node in nodes.items() if node.get("title") == "Remove")
                    send({"seq": 1, "node": remove, "event": "tap"})
                    for name, update in told: print(name, update.get("calls"), update.get("reason"))
                    while ask("GET", "/v1/notifications")[1]["items"]: pass
                    """
                #expect(
                    try await show(script, in: folder) == [
                        Self.beginning[0].replacing("0.6", with: "0.9"), "opened 201", "whole Alice A photo 12",
                        #"picture image/png b'\x89PNG'"#, "sent 204", "scene [{'call': 'dismiss'}] None",
                        "ended None dismissed",
                    ]
                )
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `beside a service extension it has that one's folder`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let service = """
                #!/usr/bin/python3
                import json, os, socket, struct
                host = socket.socket(fileno=3)
                def send(kind, number, body):
                    host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
                hello = json.loads(host.recv(65536)[9:])
                send(0x81, 0, {"protocol": 1})
                while packet := host.recv(65536):
                    if packet[0] != 2: break
                    payload = json.loads(packet[9:])["payload"]
                    with open(hello["scratch"] + "/home/word", "w") as file: file.write("from the service")
                    send(0x82, int.from_bytes(packet[1:9], "big"), {"payload": payload})
                """
            let program = try folder.write(service, to: "service")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            let content = try bundle(in: folder) { source in
                source.replacing("title_of(body[\"notification\"])", with: "open(SCRATCH + \"/home/word\").read()")
                    .replacing(
                        "        if kind == HELLO:\n",
                        with:
                            "        if kind == HELLO:\n            global SCRATCH\n            SCRATCH = body[\"scratch\"]\n"
                    )
            }
            let app = [
                "extension: \(try folder.makeBundle("Service", program: program))", "content: \(content)",
                "interpreter: /usr/bin/python3",
            ]
            let push = Self.payload.replacing(#""category""#, with: #""mutable-content":1,"category""#)
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                let record = try await host.deliver(push)
                #expect(record?.outcome == "modified")
                let shown = try await show("", in: folder)
                #expect(shown == Self.beginning.dropLast() + ["whole from the service 8"])
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a view that crashes ends with the reason, and the next one opens`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let crashing = try bundle(in: folder) { source in
                source.replacing(
                    "        if (node, event) == (SLIDER, \"value\"):",
                    with: """
                                if event == "tap": os.abort()
                                if (node, event) == (SLIDER, "value"):
                        """
                ).replacing("import json\n", with: "import json\nimport os\n")
            }
            let app = ["content: \(crashing)", "interpreter: /usr/bin/python3"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                _ = try await host.deliver(Self.payload)
                let script = """
                    send({"seq": 1, "node": 5, "event": "tap"})
                    print(*next(told))
                    view = ask("POST", "/v1/views", {"notification": item["id"], "environment": place})[1]["view"]
                    print(next(events(view))[0])
                    """
                #expect(
                    try await show(script, in: folder) == Self.beginning + [
                        "sent 204", "ended {'reason': 'crashed'}", "whole",
                    ]
                )
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `a response goes to the view first, and the app hears of what that forwards`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = ["content: \(try bundle(in: folder))", "interpreter: /usr/bin/python3"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                _ = try await host.deliver(Self.payload)
                let script = """
                    def respond(action):
                        return ask("POST", f"/v1/notifications/{item['id']}/responses", {"action": action})
                    print("default", respond("default")[0])
                    for name, update in told: print(name, update)
                    print(len(ask("GET", "/v1/notifications")[1]["items"]))
                    """
                #expect(
                    try await show(script, in: folder) == Self.beginning
                        + ["default 201", "ended {'reason': 'dismissed'}", "0"]
                )
            }
            #expect(center.terminate() == 0)
        }
    }

    @Test func `when the centre is killed the process of its view ends, and the host goes on`() async throws {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = ["content: \(try bundle(in: folder))", "interpreter: /usr/bin/python3"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                _ = try await host.deliver(Self.payload)
                #expect(try await show("", in: folder) == Self.beginning)
                let interpreter = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().lastPathComponent
                #expect(host.descendants(named: interpreter).count == 1)
                center.kill()
                while !host.descendants(named: interpreter).isEmpty { try Task.checkCancellation() }
                let record = try await host.deliver(Self.payload)
                #expect(record?.alert?["title"] == "Alice")
            }
        }
    }
}
