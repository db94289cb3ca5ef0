// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking
import Logging
import TestClock
import Testing

@testable import WorkerSupervisor

/// The calls of a worker to its app's notification centre.
@Suite(.timeLimit(.minutes(5)))
struct CenterCallTests {
    /// Does what the payload's word says, and tells the answers.
    private static let script = """
        #!/usr/bin/python3
        import json, os, signal, socket, struct, sys, time
        \(SupervisorHarness.speech)
        def complete(text):
            send(0x82, number, {"payload": {"aps": {"alert": text}}})
        greeting = receive()[2]
        send(0x81, 0, {"protocol": 1})
        last = 0
        def call(body):
            global last
            last += 1
            send(0x85, last, body)
        remove = {"call": "removeDelivered"}
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 6: continue
            what = body["payload"]["behave"]
            if what == "settings":
                call({"call": "settings"})
                kind, id, answer = receive()
                complete(json.dumps([kind, id, answer]))
            if what == "badge":
                call({"call": "badge", "count": 3})
                complete(json.dumps(receive()[2]))
            if what == "greeting": complete(str(greeting.get("center")))
            if what == "and exit":
                call(remove)
                call({"call": "badge", "count": 1})
                complete("done")
                os._exit(0)
            if what == "many":
                for _ in range(300):
                    call(remove)
                    answer = receive()[2]
                complete(json.dumps(answer))
            if what == "falling":
                send(0x85, 7, remove)
                send(0x85, 7, remove)
            if what == "too many":
                for _ in range(70): call(remove)
            if what == "deaf":
                for _ in range(120):
                    call({"call": "categories"})
                    time.sleep(0.005)
                while True: signal.pause()
            if what == "register": call({"call": "register"})
            if what == "misspelt": call({"call": "removeDelivered", "identifier": ["a"]})
            if what == "zero": send(0x85, 0, remove)
        """

    /// A centre that notes what is called, and answers at once unless it holds everything.
    private final class Centre: Sendable {
        let called = Locked<[CallName]>([])
        let apps = Locked<Set<OwnedApp>>([])
        private let holds: Bool
        /// Some 20 KB, so that a few fill what the kernel keeps for a worker.
        private static let many = (0..<64).map { number in
            NotificationCategory(identifier: "\(number)" + String(repeating: "x", count: 250))
        }

        init(holds: Bool = false) { self.holds = holds }

        func call(
            _ call: CenterCall,
            _ files: [HeldFile],
            _ app: OwnedApp,
            _ answer: @escaping @Sendable (CallAnswer) -> Void
        ) {
            called.withLock { $0.append(call.name) }
            apps.withLock { _ = $0.insert(app) }
            if !holds { answer(call.name == .categories ? .categories(Self.many) : .done) }
        }
    }

    private func withHarness(
        _ centre: Centre,
        clock: HostClock = HostClock(ContinuousClock()),
        startLimit: Duration = .seconds(10),
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await SupervisorHarness.withHarness(
            script: Self.script,
            clock: clock,
            startLimit: startLimit,
            center: { centre.call($0, $1, $2, $3) },
            body
        )
    }

    @Test func `a call is handed on for the worker's app, and its answer comes back under its id`() async throws {
        let centre = Centre()
        try await withHarness(centre) { harness in
            #expect(await harness.run("badge").alert == #"{"ok": {}}"#)
            #expect(centre.called.withLock(\.self) == [.badge])
            #expect(centre.apps.withLock(\.self) == [OwnedApp(topic: SupervisorHarness.app)])
            #expect(await harness.run("badge", owner: "maria").alert == #"{"ok": {}}"#)
            #expect(centre.apps.withLock { $0.contains(OwnedApp(topic: SupervisorHarness.app, owner: "maria")) })
        }
    }

    @Test func `calls are handed on before the content behind them, of a worker that exits at once too`() async throws {
        let centre = Centre(holds: true)
        try await withHarness(centre) { harness in
            #expect(await harness.run("and exit").alert == "done")
            #expect(centre.called.withLock(\.self) == [.removeDelivered, .badge])
        }
    }

    @Test func `a call of a worker without a request fails, because nobody knows whose it is`() async throws {
        // It calls as soon as it is ready, and says in a log line that it has the answer.
        let script = """
            #!/usr/bin/python3
            import json, socket, struct
            host = socket.socket(fileno=3)
            def send(kind, number, body):
                host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
            host.recv(65536)
            send(0x81, 0, {"protocol": 1})
            send(0x85, 1, {"call": "removeDelivered"})
            answer = host.recv(65536)
            send(0x83, 0, {"level": "info", "message": "answered"})
            number = int.from_bytes(host.recv(65536)[1:9], "big")
            send(0x82, number, {"payload": {"aps": {"alert": answer[9:].decode()}}})
            host.recv(65536)
            """
        let centre = Centre()
        let lines = Locked<[String]>([])
        try await SupervisorHarness.withHarness(
            script: script,
            center: { centre.call($0, $1, $2, $3) },
            logger: Logger(label: "test") { _ in RecordingHandler(lines: lines, logLevel: .info) }
        ) { harness in
            await harness.until { _ in lines.withLock { $0.contains { $0.contains("answered") } } }
            #expect(await harness.run("").alert?.contains("notAllowed") == true)
            #expect(centre.called.withLock(\.self) == [])
        }
    }

    @Test func `calls beyond the rate fail, and their worker lives`() async throws {
        let centre = Centre()
        try await withHarness(centre, clock: HostClock(ManualClock()), startLimit: .seconds(1000)) { harness in
            let result = await harness.run("many")
            #expect(result.alert?.contains("notAllowed") == true)
            #expect(centre.called.withLock(\.count) == 256)
        }
    }

    @Test func `without a centre every call fails, and the hello says so`() async throws {
        try await SupervisorHarness.withHarness(script: Self.script) { harness in
            #expect(await harness.run("badge").alert?.contains("notAllowed") == true)
            #expect(await harness.run("greeting").alert == "None")
        }
    }

    @Test func `a worker that reads no answer ends before they fill the host`() async throws {
        try await withHarness(Centre()) { harness in
            #expect(await harness.run("deaf").conclusion == .failed(.protocolViolation))
        }
    }

    @Test(arguments: ["falling", "too many", "register", "misspelt", "zero"])
    func `what is no call, or too many, ends the worker`(behavior: String) async throws {
        try await withHarness(Centre(holds: true)) { harness in
            #expect(await harness.run(behavior).conclusion == .failed(.protocolViolation))
        }
    }
}
