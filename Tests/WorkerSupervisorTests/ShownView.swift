// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// A view and what is reported of it, in order.
struct ShownView {
    /// A view that does what the member "behave" of its notification says.
    static let script = """
        #!/usr/bin/python3
        import ctypes, json, os, signal, socket, struct, sys, time
        \(SupervisorHarness.speech)
        receive()
        send(0x81, 0, {"protocol": 1})
        def say(**update): send(0xA0, 1, update)
        def node(number, kind, **more): return dict({"id": number, "k": kind, "up": 1}, **more)
        root = {"id": 1, "k": "column", "up": 0}
        first = [root, node(2, "button", title="Go"), node(3, "slider", value=1), node(4, "text", text="")]
        kind, number, body = receive()
        what = body["notification"]["payload"]["behave"]
        if what not in ("silent", "empty", "files"): say(set=first)
        if what == "exit": os._exit(3)
        if what == "abort": os.abort()
        if what == "garbage": host.send(b"garbage")
        if what == "unknown": say(html="<b>")
        if what == "content": send(0x82, 1, {"payload": {}})
        if what == "foreign": send(0xA0, 2, {"set": [root]})
        if what == "early answer": say(ack=9)
        if what == "circle": say(set=[node(2, "view", up=2)])
        if what == "eat": food = b"x" * (75 << 20)
        if what == "spin":
            while True: pass
        if what == "unasked": say(calls=[{"call": "defaultAction"}])
        if what == "shout":
            while True: say(set=[node(3, "slider", value=0)])
        if what == "deaf": signal.pause()
        if what == "close": host.close(); signal.pause()
        if what == "empty": say()
        def show(number, path, content=None, named=True):
            if content is not None:
                with open(os.path.dirname(os.environ["TMPDIR"]) + "/" + path, "wb") as file: file.write(content)
            more = [node(9 + number, "image", src=number)] if named else []
            say(files=[{"file": number, "path": path}], set=more)
        def png(width, height, size=0):
            head = b"\\x89PNG\\r\\n\\x1a\\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
            return head + bytes(size - len(head) if size else 9)
        if what == "files":
            say(set=first)
            for number, path, content in body["notification"]["payload"]["files"]:
                show(number, path, eval(content) if content else None, named=number % 2 == 1)
        def gifts(notification):
            scratch = os.path.dirname(os.environ["TMPDIR"])
            return [[a["identifier"], a["type"], open(scratch + "/" + a["path"], "rb").read(9).decode()]
                for a in notification.get("attachments", [])]
        def listed():
            names = os.listdir(os.environ["TMPDIR"])
            return str(len([name for name in names if name.startswith("shown-")]))
        if what == "count": say(set=[node(4, "text", text=str(len(body["notification"].get("attachments", []))))])
        if what == "list": say(set=[node(4, "text", text=listed())])
        if what == "gifts": say(set=[node(4, "text", text=json.dumps(gifts(body["notification"])))])
        if what == "chatty":
            for id in range(1, 100000): send(0x85, id, {"call": "settings"})
        if what == "stubborn": signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            kind, number, body = receive()
            if kind == 4:
                if what == "stubborn": signal.pause()
                sys.exit(0)
            if kind == 5: say(set=[node(4, "text", text=json.dumps(body))])
            if kind == 6: say(set=[node(4, "text", text=json.dumps(body))])
            if kind != 0x21: continue
            if what == "keychain": send(0x84, 0, {"call": "remove", "key": "a"})
            elif what == "call": send(0x85, 1, {"call": "badge", "count": 3})
            elif body.get("event") == "value": say(ack=body["seq"], set=[node(3, "slider", value=body["value"])])
            elif what == "list": say(ack=body["seq"], set=[node(4, "text", text=listed())])
            elif what == "gifts" and "notification" in body:
                say(ack=body["seq"], set=[node(4, "text", text=json.dumps(gifts(body["notification"])))])
            elif body.get("event") == "tap": say(ack=body["seq"], calls=[{"call": "defaultAction"}])
            elif "response" in body and body["response"]["action"] == "ignored": pass
            elif "response" in body:
                option = {"option": "doNotDismiss", "response": body["response"]["number"]}
                say(ack=body["seq"], calls=[option, option])
            else: say(ack=body["seq"], set=[node(4, "text", text=json.dumps(sorted(body)))])
        """

    static func opening(_ behaviour: String, files: JSON = []) -> ViewOpening {
        ViewOpening(
            notification: ShownNotification(
                identifier: "a",
                date: "2026-11-21T03:00:00.123Z",
                payload: Payload(["aps": [:], "behave": .string(behaviour), "files": files])
            ),
            environment: ViewEnvironment()
        )
    }

    let harness: SupervisorHarness
    let number: UInt64
    private let reports: Locked<[ViewReport]>

    init?(
        _ behaviour: String,
        files: JSON = [],
        gifts: [ViewAttachment] = [],
        _ harness: SupervisorHarness,
        app: String = SupervisorHarness.app,
        owner: String? = nil
    ) async {
        let reports = Locked<[ViewReport]>([])
        let opening = Self.opening(behaviour, files: files)
        let number = await harness.supervisor.openView(opening, gifts, of: app, for: owner) { report in
            reports.withLock { $0.append(report) }
        }
        guard let number else { return nil }
        self.harness = harness
        self.number = number
        self.reports = reports
    }

    var all: [ViewReport] { reports.withLock { $0 } }
    var ends: [ViewEnd] { all.compactMap { if case .ended(let reason) = $0 { reason } else { nil } } }
    var calls: [SceneCall] {
        all.flatMap { report -> [SceneCall] in if case .scene(let update) = report { update.calls } else { [] } }
    }

    /// The pictures that were told of, by their numbers.
    var pictures: [ShownFile] { all.compactMap { if case .picture(let picture, _) = $0 { picture } else { nil } } }

    /// The scene that the reports make.
    var scene: SceneTree {
        get throws {
            var scene = SceneTree()
            for case .scene(let update) in all { try scene.apply(update) }
            return scene
        }
    }

    func text(_ id: UInt32) throws -> String? {
        guard case .text(let text) = try scene[id]?.kind else { return nil }
        return text.plain
    }

    /// The process that the view has; it knows itself by another number.
    var pid: Int32? {
        get async { await Self.process(of: number, in: harness.supervisor) }
    }

    func until(_ condition: @escaping @Sendable ([ViewReport]) -> Bool) async {
        let reports = reports
        await harness.until { _ in reports.withLock { condition($0) } }
    }

    /// Waits until every deadline that the clock has passed was taken, with what it began.
    func settled() async {
        await withCheckedContinuation { continuation in
            // Deadlines fire in the order of their instants, those of one instant as they were set.
            harness.deadlines.schedule(at: harness.clock.now) { continuation.resume() }
        }
        _ = await Self.process(of: number, in: harness.supervisor)
    }

    func untilShown() async { await until { !$0.isEmpty } }

    /// Waits for the end and returns its reason; everything of the view is gone then.
    func end() async throws -> ViewEnd {
        await until { $0.contains { if case .ended = $0 { true } else { false } } }
        let number = number
        await harness.until { !$0.owners.views.owns(number) }
        return try #require(ends.first)
    }
}

/// Words to several views in one turn of the loop, and what the supervisor has of them.
extension ShownView {
    typealias Reports = Locked<[ViewReport]>

    static func process(of number: UInt64, in supervisor: isolated WorkerSupervisor) -> Int32? {
        supervisor.owners.views.all.first { $0.serial == number }?.pid
    }

    static func processes(in supervisor: isolated WorkerSupervisor) -> [Int32] {
        supervisor.owners.views.all.map(\.pid)
    }

    static func numbers(in supervisor: isolated WorkerSupervisor) -> [UInt64] {
        supervisor.owners.views.all.map(\.serial).sorted()
    }

    /// Opens three views, of which the launcher takes two orders, and closes the one that waits.
    static func openThreeAndCloseTheLast(
        _ opening: ViewOpening,
        in supervisor: isolated WorkerSupervisor
    ) -> (numbers: [UInt64], reports: Reports) {
        let reports = Reports([])
        let numbers = (1...3).compactMap { place in
            supervisor.openView(opening, of: SupervisorHarness.app) { report in
                if place == 3 { reports.withLock { $0.append(report) } }
            }
        }
        supervisor.closeView(numbers[2])
        return (numbers, reports)
    }

    /// Opens a view and passes words on that come before its process is ready, numbered from 1.
    static func open(
        _ opening: ViewOpening,
        andPass words: [ViewWord],
        in supervisor: isolated WorkerSupervisor
    ) -> (number: UInt64, reports: Reports) {
        let reports = Reports([])
        let opened = supervisor.openView(opening, of: SupervisorHarness.app) { report in
            reports.withLock { $0.append(report) }
        }
        let number = opened ?? 0
        for (place, word) in words.enumerated() { supervisor.pass(word, numbered: UInt64(place) + 1, toView: number) }
        return (number, reports)
    }
}

extension ViewReport {
    /// True for an update that has nodes.
    var hasNodes: Bool {
        if case .scene(let update) = self { !update.set.isEmpty } else { false }
    }
}
