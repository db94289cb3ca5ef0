// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import NotificationPayload
import TestClock
import Testing

@testable import WorkerSupervisor

/// The results of openings when openers die, fall silent or cannot remember, and the numbers of the pushes.
///
/// The opener is a few lines that keep a diary in the first replay file, so that its next life knows of the last.
@Suite(.timeLimit(.minutes(5)))
struct OpenerSupervisionTests {
    private static let script = """
        #!/usr/bin/python3
        import json, os, socket, struct, sys, time
        host = socket.socket(fileno=3)
        lines = os.pread(4, 60000, 0).decode()
        life = lines.count("life") + 1
        def note(text):
            global lines
            lines += text + "\\n"
            os.pwrite(4, lines.encode(), 0)
        def send(kind, number, body):
            host.send(struct.pack(">BQ", kind, number) + json.dumps(body).encode())
        def receive():
            packet = host.recv(65536)
            if not packet: sys.exit(0)
            return int.from_bytes(packet[1:9], "big"), json.loads(packet[9:])
        note("life")
        receive()
        if "for good" in lines: os._exit(9)
        if life > 1 and "slow" in lines: time.sleep(5)
        send(0x81, 0, {"protocol": 1, "nextRow": 100})
        while True:
            number, body = receive()
            what = body["payload"]["behave"]
            note("%s %d" % (what, body["row"]))
            answer = {"payload": {"aps": {"alert": what}, "life": life}}
            if what == "die" or what in ("die once", "die slow", "die for good") and life == 1: os._exit(9)
            elif what == "wait" or what == "wait once" and life == 1: pass
            elif what == "forget": send(0x93, number, {"reason": "no room"})
            elif what == "no reason": send(0x93, number, {})
            elif what == "retired": send(0x90, number, answer | {"retiredKey": True})
            else: send(0x90, number, answer)
        """

    private func withOpener(
        answerLimit: Duration = .seconds(10),
        clock: HostClock = HostClock(ContinuousClock()),
        _ body: (SupervisorHarness, () throws -> [String]) async throws -> Void
    ) async throws {
        try await ScriptedOpener.withOpener(
            Self.script,
            hasReplayFiles: true,
            answerLimit: answerLimit,
            clock: clock
        ) { harness, folder async throws in
            try await body(harness) {
                try String(contentsOfFile: folder + "/state/replays-a", encoding: .utf8).split(separator: "\n")
                    .map(String.init)
            }
        }
    }

    @Test func `pushes are counted from the opener's number on`() async throws {
        try await withOpener { harness, diary async throws in
            #expect(await harness.open("one") == .opened(Payload(["aps": ["alert": "one"], "life": 1])))
            _ = await harness.open("two")
            #expect(try diary() == ["life", "one 100", "two 101"])
        }
    }

    @Test func `what an opener had at its end the next one gets alone, under the same number`() async throws {
        try await withOpener { harness, diary async throws in
            async let bystander = harness.open("wait once")
            while try diary().count < 2, !Task.isCancelled { await Task.yield() }
            #expect(await harness.open("die once") == .opened(Payload(["aps": ["alert": "die once"], "life": 2])))
            #expect(await bystander == .opened(Payload(["aps": ["alert": "wait once"], "life": 2])))
            #expect(
                try diary() == ["life", "wait once 100", "die once 101", "life", "wait once 100", "die once 101"]
            )
            _ = await harness.open("next")
            #expect(try diary().last == "next 102")
        }
    }

    @Test func `what is cut off is unavailable at once, and the next is opened by the same process`() async throws {
        try await withOpener { harness, diary async throws in
            async let waiting = harness.open("wait")
            while try diary().count < 2, !Task.isCancelled { await Task.yield() }
            await harness.supervisor.cutOff()
            #expect(await waiting == .unavailable)
            #expect(await harness.open("next") == .opened(Payload(["aps": ["alert": "next"], "life": 1])))
        }
    }

    @Test func `a bystander of two deaths is opened, and the culprit alone is unavailable`() async throws {
        try await withOpener { harness, diary async throws in
            async let bystander = harness.open("wait once", of: "com.example.mail")
            while try diary().count < 2, !Task.isCancelled { await Task.yield() }
            #expect(await harness.open("die") == .unavailable)
            guard case .opened(let payload, _, _, _) = await bystander else {
                Issue.record("not opened")
                return
            }
            #expect(payload["aps"] == ["alert": "wait once"])
            #expect(try diary().count { $0 == "die 100" || $0 == "die 101" } == 2)
        }
    }

    @Test func `one app's deadly messages cost another app nothing`() async throws {
        try await withOpener { harness, diary async throws in
            let attack = Task {
                await withTaskGroup(of: OpenResult.self) { group in
                    for _ in 0..<60 { group.addTask { await harness.open("die", of: "com.example.victim") } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            // Some beside the first death, the rest through whatever follows.
            for round in 0..<40 {
                await withTaskGroup(of: OpenResult.self) { group in
                    for _ in 0..<5 { group.addTask { await harness.open("mail \(round)", of: "com.example.mail") } }
                    for await result in group {
                        guard case .opened = result else {
                            Issue.record("\(result)")
                            continue
                        }
                    }
                }
            }
            let culprits = await attack.value
            #expect(culprits == [OpenResult](repeating: .unavailable, count: 60))
            // One life with company, and one for each culprit that was tried between pauses of 1, 2, 4 and 8 s.
            #expect(try diary().count { $0 == "life" } <= 8)
        }
    }

    @Test func `what two openers had at their ends is unavailable`() async throws {
        try await withOpener { harness, diary async throws in
            #expect(await harness.open("die") == .unavailable)
            #expect(await harness.open("next") == .opened(Payload(["aps": ["alert": "next"], "life": 3])))
            #expect(try diary() == ["life", "die 100", "life", "die 100", "life", "next 101"])
        }
    }

    @Test func `an opener that is silent is replaced, and only its own push pays`() async throws {
        try await withOpener(answerLimit: .seconds(8)) { harness, diary async throws in
            #expect(await harness.open("wait") == .unavailable)
            #expect(await harness.open("next") == .opened(Payload(["aps": ["alert": "next"], "life": 2])))
            #expect(try diary() == ["life", "wait 100", "life", "next 101"])
        }
    }

    @Test func `what comes while an opener is being killed is not that one's`() async throws {
        try await withOpener { harness, diary async throws in
            let result = await harness.supervisor.killOpener(andOpen: .behaving("die"), at: harness.clock.now)
            #expect(result == .unavailable)
            #expect(try diary().prefix(5) == ["life", "life", "die 100", "life", "die 100"])
        }
    }

    @Test func `a push waits longer for an opener that starts than for one that has it`() async throws {
        try await withOpener(answerLimit: .seconds(4)) { harness, diary async throws in
            #expect(await harness.open("die slow") == .opened(Payload(["aps": ["alert": "die slow"], "life": 2])))
            #expect(try diary() == ["life", "die slow 100", "life", "die slow 100"])
        }
    }

    @Test func `a push waits no longer than for an answer once three openers in a row have failed`() async throws {
        try await withOpener(answerLimit: .seconds(4)) { harness, _ async throws in
            #expect(await harness.supervisor.openerPatience == .seconds(14))
            #expect(await harness.open("die for good", within: .seconds(2)) == .unavailable)
            await harness.until { $0.owners.opener.view.failedStarts >= 3 }
            #expect(await harness.supervisor.openerPatience == .seconds(4))
        }
    }

    @Test func `what an opener said in time counts, however late the host looks`() async throws {
        let time = ManualClock()
        try await withOpener(clock: HostClock(time)) { harness, _ async throws in
            let result = await harness.supervisor.openAndStall(.behaving("answer"), at: harness.clock.now, by: time)
            #expect(result == .opened(Payload(["aps": ["alert": "answer"], "life": 1])))
            #expect(await harness.open("next") == .opened(Payload(["aps": ["alert": "next"], "life": 1])))
        }
    }

    @Test func `an opener that cannot remember is kept, and asked again`() async throws {
        try await withOpener { harness, diary async throws in
            #expect(await harness.open("forget") == .unavailable)
            #expect(await harness.open("next") == .opened(Payload(["aps": ["alert": "next"], "life": 1])))
            #expect(try diary() == ["life", "forget 100", "next 101"])
        }
    }

    @Test func `an unavailable without a reason is a violation`() async throws {
        try await withOpener { harness, diary async throws in
            #expect(await harness.open("no reason") == .unavailable)
            #expect(try diary().prefix(3) == ["life", "no reason 100", "life"])
        }
    }

    @Test func `a retired key is passed on`() async throws {
        try await withOpener { harness, _ async throws in
            let payload = Payload(["aps": ["alert": "retired"], "life": 1])
            #expect(await harness.open("retired") == .opened(payload, usesRetiredKey: true))
        }
    }
}

extension SupervisorHarness {
    fileprivate func open(
        _ behaviour: String,
        of app: String = app,
        within budget: Duration = .seconds(20)
    ) async -> OpenResult {
        await supervisor.open(.behaving(behaviour, of: app), deadline: clock.now + budget)
    }
}

extension WorkerSupervisor {
    fileprivate var openerPatience: Duration { owners.opener.view.patience }

    /// In one turn of the actor, so that nobody has seen the end before the push comes.
    fileprivate func killOpener(andOpen request: OpenRequest, at now: Duration) async -> OpenResult {
        owners.openerProcess.dismiss()
        return await open(request, deadline: now + .seconds(20))
    }

    /// Holds the loop from the request on until the answer is there and its limit has passed.
    fileprivate func openAndStall(_ request: OpenRequest, at now: Duration, by time: ManualClock) async -> OpenResult {
        // Before the launcher has told of it the pid is 0, and a signal to that would stop this process.
        while (owners.opener.view.pid ?? 0) == 0, !Task.isCancelled { await Task.yield() }
        guard let pid = owners.opener.view.pid, pid > 0, let socket = owners.opener.view.socket else {
            return .unavailable
        }
        Glibc.kill(pid, SIGSTOP)
        async let result = open(request, deadline: now + .seconds(1000))
        while owners.opener.view.openings.isEmpty, !Task.isCancelled { await Task.yield() }
        Glibc.kill(pid, SIGCONT)
        var answer = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&answer, 1, 60_000) == 1)
        time.advance(by: .seconds(60))
        for id in owners.opener.view.openings { owners.opener.timedOut(id) }
        return await result
    }
}

extension OpenRequest {
    fileprivate static func behaving(_ behaviour: String, of app: String = SupervisorHarness.app) -> OpenRequest {
        let payload = Payload(["encrypted-content": "v1.AAAA", "behave": .string(behaviour)])
        let push = IncomingPush(
            id: UUID().uuidString.lowercased(),
            deviceToken: "ab",
            topic: app,
            payload: payload,
            payloadByteCount: 100,
            receivedAt: Date()
        )
        return OpenRequest(push: push, app: app)
    }
}
