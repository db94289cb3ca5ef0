// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import NotificationPayload
import TestClock
import Testing

@testable import WorkerSupervisor

/// Requests that lie in a worker's hands: each has one outcome, and none pays for what is before it.
@Suite(.timeLimit(.minutes(5)))
struct AheadTests {
    private let time = ManualClock()

    /// A worker that takes seven requests ahead and works on one after the other.
    ///
    /// A worker that `keeps` gives nothing back, and a `deaf` one reads nothing more. What `late` asks for is answered
    /// at the last call, and the answer to `hang` never comes.
    private static let script = """
        #!/usr/bin/python3
        import json, os, signal, socket, struct, sys
        \(SupervisorHarness.speech)
        hello = receive()
        send(0x81, 0, {"protocol": 1, "ahead": 7})
        line = []
        keeps = False
        def content(number, body, what):
            send(0x82, number, {"payload": {
                "aps": {"alert": what}, "pid": os.getpid(), "budget": body["budgetMilliseconds"]}})
        def work(wakes):
            global keeps
            while line:
                number, body = line[0]
                what = body["payload"]["behave"]
                keeps = keeps or body["payload"].get("keep", False)
                if what == "exit": os._exit(3)
                if what == "out of turn": return content(line[1][0], body, what) if len(line) > 1 else None
                if what == "deaf": signal.pause()
                if what == "close when woken" and len(line) > 1: host.close(); signal.pause()
                if what not in ("answer", "answer when woken", "answer and exit"): return
                if what != "answer" and not wakes: return
                line.pop(0)
                content(number, body, what)
                if what == "answer and exit": os._exit(0)
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            if kind == 2:
                line.append((number, body))
                wakes = body["payload"].get("wakes", False)
                if len(line) == 1 or wakes: work(wakes)
            if kind == 3 and line[0][1]["payload"]["behave"] == "late":
                first = line.pop(0)
                content(first[0], first[1], "late")
                work(False)
            if kind == 7 and not keeps and number in [waiting[0] for waiting in line[1:]]:
                line = [waiting for waiting in line if waiting[0] != number]
                send(0x86, number, {})
        """

    /// A supervisor whose one worker has completed so many that it gets seven ahead; nothing takes time but what the
    /// test lets pass.
    private func withHarness(
        isolation: SupervisedExtension.Isolation = .app,
        workerLimit: Int = 16,
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await SupervisorHarness.withHarness(
            script: Self.script,
            clock: HostClock(time),
            isolation: isolation,
            workerLimit: workerLimit,
            startLimit: .seconds(1000)
        ) { harness in
            for _ in 0..<4 { #expect(await harness.run("answer").alert == "answer") }
            await harness.untilSpare()
            try await body(harness)
        }
    }

    private func untilHeld(_ count: Int, _ harness: SupervisorHarness) async {
        await harness.until { $0.workers.contains { $0.requests.count == count } }
    }

    /// Runs one that has seven behind it, which `answer`, and returns the conclusions once `meanwhile` is over.
    private func runEight(
        _ first: String,
        _ details: JSONObject = [:],
        in harness: SupervisorHarness,
        meanwhile: () async throws -> Void
    ) async throws -> (first: ExtensionResult, others: [ExtensionResult]) {
        let ends = try await withThrowingTaskGroup(of: (isFirst: Bool, result: ExtensionResult).self) { group in
            group.addTask { (true, await harness.run(first, details, budget: .seconds(20))) }
            await untilHeld(1, harness)
            for count in 2...8 {
                group.addTask { (false, await harness.run("answer")) }
                await untilHeld(count, harness)
            }
            try await meanwhile()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let head = try #require(ends.first { $0.isFirst })
        return (head.result, ends.filter { !$0.isFirst }.map(\.result))
    }

    @Test func `a worker that dies with eight costs the first one its content, and the others nothing`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            let (first, others) = try await runEight("hang", in: harness) {
                // One that dies before it has read the first leaves that to the next worker, too.
                await harness.until { $0.workers.contains { $0.pid == busy && $0.channel.isRead } }
                #expect(Glibc.kill(busy, SIGKILL) == 0)
            }
            #expect(first.conclusion == .failed(.crashed(signal: SIGKILL)))
            #expect(others.map(\.alert) == Array(repeating: "answer", count: 7))
            #expect(others.allSatisfy { $0.worker.map { $0.pid != busy } ?? false })
            let counts = await harness.counts()
            #expect(counts.given == 12 && counts.completed == 11 && counts.missingCompletions == 1)
        }
    }

    @Test func `what was read is not given again, although what lay behind it was not`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            async let first = harness.run("deaf")
            await untilHeld(1, harness)
            await harness.until { $0.workers.contains { $0.pid == busy && $0.channel.isRead } }
            async let second = harness.run("answer")
            await untilHeld(2, harness)
            #expect(Glibc.kill(busy, SIGKILL) == 0)
            #expect(await first.conclusion == .failed(.crashed(signal: SIGKILL)))
            #expect(await second.alert == "answer")
        }
    }

    @Test func `behind one that hangs nobody waits: the others go back and to the spare`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            let (first, others) = try await runEight("hang", in: harness) {
                await harness.pass(Roster.quickness, of: time)
                await harness.until { $0.waitingCount == 7 }
                await harness.pass(.milliseconds(100), of: time)
                await harness.until { $0.runs.count == 1 }
                time.advance(by: .seconds(20))
            }
            #expect(first.conclusion == .failed(.budgetExceeded))
            #expect(first.worker?.pid == busy)
            #expect(others.map(\.alert) == Array(repeating: "answer", count: 7))
            #expect(others.allSatisfy { $0.worker.map { $0.pid != busy } ?? false })
        }
    }

    @Test func `a content out of turn is a violation, for which the others do not pay`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            async let first = harness.run("out of turn")
            await untilHeld(1, harness)
            async let second = harness.run("answer", ["wakes": true])
            #expect(await first.conclusion == .failed(.protocolViolation))
            #expect(await second.alert == "answer")
            #expect(await second.worker?.pid != busy)
            #expect(await harness.counts().violations == 1)
        }
    }

    @Test func `one whose turn came with its worker's end goes to the next worker, and only once`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            // Once the worker has both, it completes the first and ends.
            async let ending = harness.run("answer and exit")
            await untilHeld(1, harness)
            async let next = harness.run("exit", ["wakes": true])
            #expect(await ending.alert == "answer and exit")
            #expect(await next.conclusion == .failed(.exitedEarly))
            #expect(await next.worker?.pid != busy)
        }
    }

    @Test func `a budget begins with the turn, and is whole`() async throws {
        try await withHarness { harness in
            async let first = harness.run("answer when woken")
            await untilHeld(1, harness)
            async let second = harness.run("hang", budget: .seconds(20))
            await untilHeld(2, harness)
            time.advance(to: .milliseconds(15))
            async let third = harness.run("answer", ["wakes": true], budget: .seconds(25))
            #expect(await first.alert == "answer when woken")
            await harness.until { $0.runs.contains { $0.life.taken == .milliseconds(15) } }
            await harness.pass(.seconds(20), of: time)
            // The third has gone back, and waits no longer for the second.
            guard case .content(let payload, _) = await third.conclusion else {
                Issue.record("the third was not completed")
                return
            }
            #expect(payload["budget"]?.integer == 25_000)
            #expect(await second.conclusion == .failed(.budgetExceeded))
            #expect(await second.taken == .milliseconds(15))
        }
    }

    @Test func `a worker that keeps what was asked back is left to end what it has begun`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            async let first = harness.run("late", ["keep": true], budget: .seconds(40))
            await untilHeld(1, harness)
            async let second = harness.run("answer")
            await untilHeld(2, harness)
            await harness.pass(.seconds(1), of: time)
            #expect(await second.alert == "answer")
            #expect(await second.worker?.pid != busy)
            time.advance(to: .seconds(39))
            #expect(await first.alert == "late")
            #expect(await first.worker?.pid == busy)
            #expect(await harness.isGone(busy))
        }
    }

    @Test func `of a worker that hangs up nobody waits for its end`() async throws {
        try await withHarness { harness in
            let busy = try #require(await harness.supervisor.busiest)
            async let first = harness.run("close when woken")
            await untilHeld(1, harness)
            async let second = harness.run("answer", ["wakes": true])
            #expect(await second.alert == "answer")
            #expect(await second.worker?.pid != busy)
            await harness.pass(.seconds(1), of: time)
            #expect(await first.conclusion == .failed(.protocolViolation))
        }
    }

    @Test func `a worker for one notification gets nothing ahead`() async throws {
        try await withHarness(isolation: .notification, workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilHeld(1, harness)
            async let second = harness.run("answer")
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            #expect(await second.alert == "answer")
        }
    }
}

extension WorkerSupervisor {
    /// The worker that has served most.
    fileprivate var busiest: Int32? {
        let serial = staffs[0].members.max { $0.servedCount < $1.servedCount }?.serial
        return workers.first { $0.serial == serial }?.pid
    }
}

extension SupervisorHarness {
    /// Lets time pass as the watch looks at the workers, and returns when each look has been done.
    fileprivate func pass(_ span: Duration, of time: ManualClock) async {
        let end = time.now.offset + span
        while time.now.offset < end {
            time.advance(to: min(end, time.now.offset + WorkerRules.busyInterval))
            let now = time.now.offset
            await until { $0.owners.watch.nextInstant.map { $0 > now } ?? true }
        }
    }
}
