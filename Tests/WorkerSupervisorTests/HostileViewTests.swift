// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import NotificationPayload
import SceneModel
import TestClock
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// Attempts of a hostile view on its host, in each profile, each beside a harmless twin.
@Suite(.timeLimit(.minutes(5)))
struct HostileViewTests {
    /// A view that does one thing beside its scene: what its notification's member "behave" says, with "files" as the
    /// body of an update.
    private static let script = """
        #!/usr/bin/python3
        import json, os, signal, socket, struct, sys
        \(SupervisorHarness.speech)
        def say(**update): send(0xA0, 1, update)
        def node(number, kind, **more): return dict({"id": number, "k": kind, "up": 1}, **more)
        def attempt(act):
            try: act()
            # There was a way, and nobody at its end.
            except ConnectionRefusedError: return "nobody"
            except OSError: return "refused"
            return "done"
        def connect(family, address):
            with socket.socket(family) as one: one.settimeout(1); one.connect(address)
        def put(name, content):
            with open(os.path.join(os.path.dirname(os.environ["TMPDIR"]), name), "wb") as file: file.write(content)
        def show(name, content):
            put(name, content)
            say(files=[{"file": 1, "path": name}], set=[node(4, "image", src=1)])
        receive()
        send(0x81, 0, {"protocol": 1})
        payload = receive()[2]["notification"]["payload"]
        what, update = payload["behave"], payload["files"]
        say(set=[{"id": 1, "k": "column", "up": 0}, node(2, "button", title="Go"), node(3, "text", text="")])
        acts = {
            "connect": lambda: connect(socket.AF_INET, ("127.0.0.1", 9)),
            "abstract": lambda: connect(socket.AF_UNIX, "\\0/nobody"),
            "shadow": lambda: open("/etc/shadow").close(),
            "outside": lambda: open("/etc/nestbox-view", "w").close(),
            "kill": lambda: os.kill(os.getppid(), 9),
            "tmp": lambda: put("tmp/note", b"a"),
            "pipe": lambda: [os.close(one) for one in os.pipe()],
            "bundle": lambda: open(sys.argv[0]).close(),
            "raise": lambda: signal.raise_signal(signal.SIGURG),
        }
        head = b"\\x89PNG\\r\\n\\x1a\\n" + struct.pack(">I4sII", 13, b"IHDR", 1, 1) + bytes(9)
        if what == "say": say(**update)
        if what in acts: say(set=[node(3, "text", text=attempt(acts[what]))])
        if what == "svg": show("tmp/a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")
        if what == "png": show("tmp/a.png", head)
        if what == "bytes": host.send(b"\\xa0" + bytes(7) + b"\\1{")
        if what == "phase": send(0x82, 1, {"payload": {}})
        if what == "other": send(0xA0, 2, {"set": []})
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 0x21 and body.get("event") == "tap": say(ack=body["seq"], calls=[{"call": "defaultAction"}])
            elif kind == 0x21: say(ack=body["seq"])
        """

    /// Updates that a scene takes, each before one that ends the view.
    private static let pairs: [(harmless: JSON, hostile: JSON)] = [
        // Frames beyond the box are drawn in it alone; beyond all numbers there is none.
        (
            ["set": [["id": 4, "k": "view", "up": 1, "f": [-500, -500, 5500, 5500]]]],
            ["set": [["id": 4, "k": "view", "up": 1, "f": [-100_001, 0, 1, 1]]]]
        ),
        // Markup is a text, and no member takes any.
        (
            ["set": [["id": 3, "k": "text", "up": 1, "text": "<img src=x onerror=alert(1)>"]]],
            ["set": [["id": 3, "k": "text", "up": 1, "html": "<b>"]]]
        ),
        // No address names a picture, and none is a colour.
        (
            ["set": [["id": 4, "k": "image", "up": 1, "src": 9]]],
            ["set": [["id": 4, "k": "image", "up": 1, "src": "http://127.0.0.1/x.png"]]]
        ),
        (
            ["set": [["id": 4, "k": "view", "up": 1, "bg": 4_278_190_335]]],
            ["set": [["id": 4, "k": "view", "up": 1, "bg": "url(http://127.0.0.1/)"]]]
        ),
        // There is no focus to take.
        (
            ["set": [["id": 4, "k": "field", "up": 1, "placeholder": "Town"]]],
            ["set": [["id": 4, "k": "field", "up": 1, "focus": true]]]
        ),
        // Nodes are those of the view.
        (["gone": [3]], ["gone": [77], "set": [["id": 9, "k": "view", "up": 77]]]),
        (["set": [["id": 4, "k": "view", "up": 1]], "gone": [2]], ["set": [["id": 1, "k": "column", "up": 2]]]),
        (["calls": [["call": "dismiss"]]], ["calls": [["call": "open", "url": "https://example.com"]]]),
    ]

    private static let profiles: [Character] = ["A", "B", "C"]

    private func withViews(_ profile: Character, _ body: (SupervisorHarness) async throws -> Void) async throws {
        let folder = try HostFolder(temporaryBelow: "/tmp")
        defer { folder.remove() }
        try await SupervisorHarness.withHarness(
            script: Self.script,
            role: .content,
            clock: HostClock(ManualClock()),
            profile: profile,
            folder: folder,
            body
        )
    }

    @Test(arguments: profiles)
    func `what a scene does not take ends the view that says it, and its twin is taken`(profile: Character) async throws
    {
        try await withViews(profile) { harness in
            let neighbour = try #require(await ShownView("wait", harness))
            await neighbour.untilShown()
            for (harmless, hostile) in Self.pairs {
                let decent = try #require(await ShownView("say", files: harmless, harness))
                await decent.until { $0.count >= 2 }
                let isClosing = harmless.object?["calls"] != nil
                if isClosing { #expect(try await decent.end() == .dismissed) } else { #expect(decent.ends == []) }
                let view = try #require(await ShownView("say", files: hostile, harness))
                #expect(try await view.end() == .protocolViolation, "\(hostile)")
                #expect(view.all.count == 2, "\(hostile)")
                if !isClosing {
                    await harness.supervisor.closeView(decent.number)
                    #expect(try await decent.end() == .closed)
                }
            }
            #expect(neighbour.ends == [])
            #expect(try neighbour.scene.count == 3)
        }
    }

    @Test(arguments: profiles)
    func `what is no message of a view ends it`(profile: Character) async throws {
        try await withViews(profile) { harness in
            for behaviour in ["bytes", "phase", "other"] {
                let view = try #require(await ShownView(behaviour, harness))
                #expect(try await view.end() == .protocolViolation, "\(behaviour)")
            }
        }
    }

    @Test(arguments: profiles)
    func `a view reaches its own folder and nothing around it`(profile: Character) async throws {
        try await withViews(profile) { harness in
            let attempts = [
                ("connect", "refused"), ("abstract", "refused"), ("pipe", "done"), ("shadow", "refused"),
                ("bundle", "done"), ("outside", "refused"), ("tmp", "done"), ("kill", "refused"), ("raise", "done"),
            ]
            for (behaviour, answer) in attempts {
                let view = try #require(await ShownView(behaviour, harness))
                await view.until { $0.count >= 2 }
                let said = try view.text(3)
                #expect(said == answer, "\(behaviour)")
                await harness.supervisor.closeView(view.number)
                #expect(try await view.end() == .closed)
            }
        }
    }

    @Test(arguments: profiles)
    func `a picture that is markup is none, its twin is one, and the node of both stays`(
        profile: Character
    ) async throws {
        try await withViews(profile) { harness in
            for (behaviour, count) in [("svg", 0), ("png", 1)] {
                let view = try #require(await ShownView(behaviour, harness))
                await view.until { $0.count >= 2 + count }
                _ = try await harness.supervisor.send(.event(.node(2, .press)), toView: view.number)
                await view.until { reports in
                    reports.contains { if case .scene(let update) = $0 { update.acknowledged == 1 } else { false } }
                }
                #expect(view.pictures.count == count, "\(behaviour)")
                #expect(try view.scene[4]?.kind.source == 1)
                #expect(view.ends == [])
                await harness.supervisor.closeView(view.number)
                #expect(try await view.end() == .closed)
            }
        }
    }

    @Test(arguments: profiles)
    func `to be looked at starts no app, and a click does`(profile: Character) async throws {
        try await withViews(profile) { harness in
            let text: JSON = ["id": 3, "k": "text", "up": 1, "text": "asked"]
            let ask: JSON = ["set": [text], "calls": [["call": "defaultAction"]]]
            let looked = try #require(await ShownView("say", files: ask, harness))
            // The call has come before anybody acts: behind an act it would count.
            await looked.until { $0.count >= 2 }
            // Its next answer comes behind the call.
            _ = try await harness.supervisor.send(.event(.node(2, .press)), toView: looked.number)
            await looked.until { reports in
                reports.contains { if case .scene(let update) = $0 { update.acknowledged == 1 } else { false } }
            }
            #expect(looked.calls == [])
            _ = try await harness.supervisor.send(.event(.node(2, .tap(at: nil))), toView: looked.number)
            #expect(try await looked.end() == .dismissed)
            #expect(looked.calls == [.defaultAction])
        }
    }
}
