// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import NotificationPayload
import TestClock
import Testing

@testable import WorkerSupervisor

/// Budgets, pauses and ages by a clock that the test moves, over real processes.
@Suite(.timeLimit(.minutes(5)))
struct BudgetTests {
    private let time = ManualClock()

    private func withHarness(
        script: String = SupervisorHarness.script,
        maxConcurrentRequests: Int = 1,
        workerLimit: Int = 16,
        memoryByteCount: UInt64 = .max,
        startLimit: Duration = .seconds(1000),
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await SupervisorHarness.withHarness(
            script: script,
            clock: HostClock(time),
            maxConcurrentRequests: maxConcurrentRequests,
            workerLimit: workerLimit,
            memoryByteCount: memoryByteCount,
            startLimit: startLimit,
            body
        )
    }

    /// Waits until a worker has the app's one notification.
    private func untilGiven(_ harness: SupervisorHarness) async {
        await harness.until { $0.runs.contains { $0.life.assignment != nil } }
    }

    @Test func `at the end of the budget and not before, a silent worker is killed`() async throws {
        try await withHarness { harness in
            async let result = harness.run("hang", budget: .seconds(30), grace: .seconds(2))
            await untilGiven(harness)
            time.advance(to: .seconds(30) - .nanoseconds(1))
            await harness.until { $0.staffs[0].members.contains { $0.hasLastCall } }
            await harness.until { $0.runs.count == 1 }
            time.advance(to: .seconds(30))
            #expect(await result.conclusion == .failed(.budgetExceeded))
            #expect(await harness.isGone(await result.worker?.pid))
        }
    }

    @Test func `one that hangs takes nothing from others in its process, which ends with the last`() async throws {
        try await withHarness(maxConcurrentRequests: 2) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            time.advance(to: .seconds(10))
            async let second = harness.run("late", budget: .seconds(20), grace: .seconds(2))
            await harness.until { $0.workers.contains { $0.requests.count == 2 } }
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            await harness.until { $0.workers.contains { $0.isOverdue && $0.killCause == nil } }
            time.advance(to: .seconds(28))
            #expect(await second.alert == "late")
            #expect(await first.worker?.pid == second.worker?.pid)
            #expect(await harness.isGone(await first.worker?.pid))
        }
    }

    @Test func `when all of a process hang, each ends at its own time`() async throws {
        try await withHarness(maxConcurrentRequests: 2) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            time.advance(to: .seconds(10))
            async let second = harness.run("hang", budget: .seconds(20))
            await harness.until { $0.workers.contains { $0.requests.count == 2 } }
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            time.advance(to: .seconds(30))
            #expect(await second.conclusion == .failed(.budgetExceeded))
            #expect(await harness.isGone(await second.worker?.pid))
        }
    }

    @Test func `after a last call nothing new comes to the worker, which may be killed`() async throws {
        try await withHarness(maxConcurrentRequests: 2) { harness in
            async let first = harness.run("hang", budget: .seconds(20), grace: .seconds(5))
            await untilGiven(harness)
            time.advance(to: .seconds(15))
            await harness.until { $0.staffs[0].members.contains(where: \.hasLastCall) }
            async let second = harness.run("hang", budget: .seconds(20))
            await harness.until { $0.waitingCount == 1 }
            await harness.untilSpare()
            await harness.pass(.seconds(1), of: time)
            await harness.until { $0.workers.count { $0.requests.count == 1 } == 2 }
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            time.advance(to: .seconds(36))
            #expect(await second.conclusion == .failed(.budgetExceeded))
        }
    }

    @Test func `the last call comes at the budget less the grace`() async throws {
        try await withHarness { harness in
            async let result = harness.run("late", budget: .seconds(30), grace: .seconds(2))
            await untilGiven(harness)
            time.advance(to: .seconds(28))
            #expect(await result.alert == "late")
            #expect(await result.conclusion.isLate)
            #expect(time.now.offset == .seconds(28))
        }
    }

    @Test func `a worker that speaks after the last call has ignored it`() async throws {
        try await withHarness { harness in
            async let result = harness.run("murmur", budget: .seconds(30), grace: .seconds(2))
            await untilGiven(harness)
            time.advance(to: .seconds(28))
            await harness.until { $0.workers.contains { $0.requests.values.contains(where: \.wasHeardAfterLastCall) } }
            time.advance(to: .seconds(30))
            #expect(await result.conclusion == .failed(.timeWillExpireIgnored))
        }
    }

    @Test func `a worker that has exited did not hang up, however slow the launcher is`() async throws {
        try await withHarness { harness in
            _ = await harness.run("answer")
            let launcher = await harness.supervisor.launcherProcess
            Glibc.kill(launcher, SIGSTOP)
            async let result = harness.run("exit")
            await harness.until { $0.workers.contains { $0.isSilent && $0.hasEnded } }
            await harness.pass(.seconds(1), of: time)
            Glibc.kill(launcher, SIGCONT)
            #expect(await result.conclusion == .failed(.exitedEarly))
        }
    }

    @Test func `one that waits behind another has its whole budget from when a worker takes it`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            async let second = harness.run("hang", wait: .seconds(1000), budget: .seconds(30))
            await harness.until { $0.waitingCount == 1 }
            await harness.untilSpare()
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            #expect(await first.taken == .zero)
            await untilGiven(harness)
            time.advance(to: .seconds(50) - .nanoseconds(1))
            await harness.until { $0.runs.count == 1 }
            time.advance(to: .seconds(50))
            #expect(await second.conclusion == .failed(.budgetExceeded))
            #expect(await second.taken == .seconds(20))
        }
    }

    @Test func `a hundred that take a second each are all completed, in no more time than their workers need`()
        async throws
    {
        try await withHarness(workerLimit: 8) { harness in
            await harness.untilSpare()
            try await withThrowingTaskGroup(of: ExtensionResult.self) { group in
                for _ in 0..<100 {
                    group.addTask { await harness.run("late", budget: .seconds(2), grace: .seconds(1)) }
                }
                await harness.until { $0.runs.count == 100 }
                // The last call comes a second after a worker took it, and is answered; no start takes of this time.
                while await harness.supervisor.runCount > 0, time.now.offset < .seconds(60) {
                    time.advance(by: .milliseconds(100))
                    await harness.pass(.zero, of: time)
                    await harness.until { supervisor in
                        let now = harness.clock.now
                        return !supervisor.runs.contains { $0.life.taken.map { $0 + .seconds(1) <= now } ?? false }
                            && !supervisor.staffs[0].members.contains { $0.stage == .starting }
                    }
                }
                for try await result in group { #expect(result.alert == "late") }
            }
        }
    }

    @Test func `a worker is told the whole budget, however long the push has waited`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            async let second = harness.run("answer", budget: .seconds(25))
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(20))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            guard case .content(let payload, _) = await second.conclusion else {
                Issue.record("the second was not completed")
                return
            }
            #expect(payload["budget"]?.integer == 25_000)
        }
    }

    @Test func `who waits longer than it may goes out as it is, and says so`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(40))
            await untilGiven(harness)
            async let second = harness.run("answer", wait: .seconds(30))
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(30))
            #expect(await second.conclusion == .failed(.noWorker))
            #expect(await second.worker == nil)
            #expect(await second.taken == nil)
            #expect(await harness.counts().noWorker == 1)
            time.advance(to: .seconds(40))
            #expect(await first.conclusion == .failed(.budgetExceeded))
        }
    }

    @Test func `each wait ends at its own time, whichever began first`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(40))
            await untilGiven(harness)
            async let long = harness.run("answer", wait: .seconds(30))
            await harness.until { $0.waitingCount == 1 }
            async let short = harness.run("answer", wait: .seconds(10))
            await harness.until { $0.waitingCount == 2 }
            time.advance(to: .seconds(10))
            #expect(await short.conclusion == .failed(.noWorker))
            await harness.until { $0.waitingCount == 1 }
            async let longer = harness.run("answer", wait: .seconds(25))
            await harness.until { $0.waitingCount == 2 }
            time.advance(to: .seconds(30))
            #expect(await long.conclusion == .failed(.noWorker))
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(35))
            #expect(await longer.conclusion == .failed(.noWorker))
            time.advance(to: .seconds(40))
            #expect(await first.conclusion == .failed(.budgetExceeded))
        }
    }

    @Test func `a start takes none of the budget, and one that does not end is a failed launch`() async throws {
        let script = "#!/usr/bin/python3\nimport signal\nsignal.pause()\n"
        try await withHarness(script: script, startLimit: .seconds(20)) { harness in
            async let result = harness.run("answer", wait: .seconds(30), budget: .seconds(5))
            await harness.until { $0.runs.count == 1 && $0.workers.count == 1 }
            time.advance(to: .seconds(20) - .nanoseconds(1))
            await harness.until { $0.runs.count == 1 }
            time.advance(to: .seconds(20))
            #expect(await result.conclusion == .failed(.launchFailed))
            #expect(await result.taken == nil)
        }
    }

    @Test func `workers for whose limits there is no memory are not started, and who waits for them says so`()
        async throws
    {
        // Each has 64 MB; an app may have as much as it leaves free, and its spare.
        try await withHarness(memoryByteCount: 3 * 64 << 20) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            async let second = harness.run("hang", budget: .seconds(20))
            await harness.until { $0.runs.count == 2 }
            await harness.untilSpare()
            time.advance(to: .milliseconds(50))
            await harness.until { $0.runs.count { $0.life.assignment != nil } == 2 }
            async let third = harness.run("answer", wait: .seconds(5))
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(6))
            #expect(await third.conclusion == .failed(.noWorker))
            #expect(await harness.counts().starts == 2)
            time.advance(to: .seconds(21))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            #expect(await second.conclusion == .failed(.budgetExceeded))
        }
    }

    @Test func `a worker's death while others wait gives the first of them its place`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            async let first = harness.run("hang", budget: .seconds(20))
            await untilGiven(harness)
            async let second = harness.run("answer")
            await harness.until { $0.waitingCount == 1 }
            // A worker that ends before it has read a request leaves it to the next one, which hangs in its turn.
            await harness.until { $0.busyWorker?.hasReadAll == true }
            let pid = try #require(await harness.supervisor.busyWorker?.pid)
            #expect(Glibc.kill(pid, SIGKILL) == 0)
            #expect(await first.conclusion == .failed(.crashed(signal: SIGKILL)))
            #expect(await second.alert == "answer")
        }
    }

    @Test func `what a killed worker had not read goes to the next one, before those behind it`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            await harness.untilSpare()
            let stopped = try #require(await harness.supervisor.onlyWorker)
            #expect(Glibc.kill(stopped, SIGSTOP) == 0)
            // Until it has stopped, it reads what comes.
            #expect(await harness.isStopped(stopped))
            async let first = harness.run("hang", budget: .seconds(20))
            await harness.until { $0.busyWorker != nil }
            async let second = harness.run("answer")
            await harness.until { $0.waitingCount == 1 }
            #expect(Glibc.kill(stopped, SIGKILL) == 0)
            await harness.until { $0.busyWorker.map { $0.pid != stopped && $0.hasReadAll } ?? false }
            time.advance(to: .seconds(21))
            #expect(await first.conclusion == .failed(.budgetExceeded))
            #expect(await second.alert == "answer")
        }
    }

    @Test func `a line that is full takes nobody else`() async throws {
        try await withHarness(workerLimit: 1) { harness in
            await harness.untilSpare()
            await withTaskGroup(of: ExtensionResult.Conclusion.self) { group in
                for _ in 0...WaitingLine<ExtensionRun>.limit {
                    group.addTask { await harness.run("hang", wait: .seconds(5), budget: .seconds(20)).conclusion }
                }
                await harness.until { $0.waitingCount == WaitingLine<ExtensionRun>.limit }
                #expect(await harness.run("answer").conclusion == .failed(.noWorker))
                time.advance(to: .seconds(5))
                for _ in 0..<WaitingLine<ExtensionRun>.limit { #expect(await group.next() == .failed(.noWorker)) }
                time.advance(to: .seconds(20))
                #expect(await group.next() == .failed(.budgetExceeded))
            }
        }
    }

    @Test func `failing starts pause an app, and time ends the pause`() async throws {
        try await withHarness(script: "#!/bin/sh\nexit 9\n") { harness in
            for _ in 0..<4 { #expect(await harness.run("answer").conclusion == .failed(.launchFailed)) }
            let starts = await harness.counts().starts
            #expect(starts >= 3)
            time.advance(to: .seconds(64))
            #expect(await harness.run("answer").conclusion == .failed(.launchFailed))
            #expect(await harness.counts().starts > starts)
        }
    }

    @Test func `a worker that has nothing to do for a minute makes room for the spare`() async throws {
        try await withHarness { harness in
            let first = await harness.run("answer")
            await harness.untilSpare()
            for second in 1...61 {
                time.advance(to: .seconds(second))
                await harness.until { $0.owners.watch.nextInstant.map { $0 > .seconds(second) } ?? false }
            }
            #expect(await harness.isGone(first.worker?.pid))
            await harness.until { $0.workers.count == 1 }
            let second = await harness.run("answer")
            #expect(second.worker?.fresh == true)
            #expect(second.worker?.pid != first.worker?.pid)
            #expect(await harness.counts().recycled == 1)
        }
    }

    @Test func `a worker that keeps more than half of its memory at rest is replaced`() async throws {
        try await withHarness { harness in
            let first = await harness.run("hoard")
            #expect(first.alert == "hoard")
            await harness.untilSpare()
            time.advance(to: .seconds(1))
            #expect(await harness.isGone(first.worker?.pid))
            #expect(await harness.counts().recycled == 1)
            #expect(await harness.run("answer").worker?.fresh == true)
        }
    }
}

extension ExtensionResult.Conclusion {
    fileprivate var isLate: Bool {
        if case .content(_, late: true) = self { true } else { false }
    }
}

extension WorkerSupervisor {
    fileprivate var runCount: Int { runs.count }

    fileprivate var onlyWorker: Int32? { workers.count == 1 ? workers.first?.pid : nil }

    /// A worker that has a request, and whether it has read all that was sent to it.
    fileprivate var busyWorker: (pid: Int32, hasReadAll: Bool)? {
        guard let worker = workers.first(where: { !$0.requests.isEmpty }) else { return nil }
        var unread: CInt = 0
        let isAnswered = ioctl(worker.channel.socket.raw, UInt(TIOCOUTQ), &unread) == 0
        return (worker.pid, isAnswered && unread == 0)
    }
}

extension SupervisorHarness {
    /// Returns when all that is due until then has been done.
    fileprivate func pass(_ span: Duration, of time: ManualClock) async {
        let end = clock.now + span
        await withCheckedContinuation { done in
            deadlines.schedule(at: end) { [loop = supervisor.loop] in loop.performSoonest { done.resume() } }
            time.advance(to: end)
        }
    }
}
