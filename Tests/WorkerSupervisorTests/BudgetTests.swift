// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import TestClock
import Testing

@testable import WorkerSupervisor

/// Budgets, pauses and ages by a clock that the test moves, over real processes.
@Suite(.timeLimit(.minutes(5)))
struct BudgetTests {
    private let time = ManualClock()

    private func withHarness(
        script: String = SupervisorHarness.script,
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await SupervisorHarness.withHarness(
            script: script,
            clock: HostClock(time),
            startLimit: .seconds(1000),
            body
        )
    }

    /// Waits until a worker has the app's one notification.
    private func untilGiven(_ harness: SupervisorHarness) async {
        await harness.until { $0.runs.values.contains { $0.assignment != nil } }
    }

    @Test func `at the end of the budget and not before, a silent worker is killed`() async throws {
        try await withHarness { harness in
            async let result = harness.run("hang", budget: .seconds(30), grace: .seconds(2))
            await untilGiven(harness)
            time.advance(to: .seconds(30) - .nanoseconds(1))
            await harness.until { $0.clock.now > .seconds(29) && $0.deadlines.count == 2 }
            await harness.until { $0.runs.count == 1 }
            time.advance(to: .seconds(30))
            #expect(await result.conclusion == .failed(.budgetExceeded))
            #expect(await harness.isGone(await result.worker?.pid))
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
            await harness.until { $0.runs.values.allSatisfy(\.wasHeardAfterLastCall) }
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
            await harness.until { $0.workers.values.contains { $0.isSilent && $0.hasEnded } }
            await harness.supervisor.pass(.seconds(1), of: time)
            Glibc.kill(launcher, SIGCONT)
            #expect(await result.conclusion == .failed(.exitedEarly))
        }
    }

    @Test func `one that waits behind another has its own budget`() async throws {
        try await withHarness { harness in
            async let first = harness.run("hang", budget: .seconds(30))
            await untilGiven(harness)
            async let second = harness.run("answer", budget: .seconds(20))
            await harness.until { $0.pools[SupervisorHarness.app]?.waiting.count == 1 }
            time.advance(to: .seconds(20))
            #expect(await second.conclusion == .failed(.budgetExceeded))
            #expect(await second.worker == nil)
            time.advance(to: .seconds(30))
            #expect(await first.conclusion == .failed(.budgetExceeded))
        }
    }

    @Test func `the start of a worker is in the budget`() async throws {
        try await withHarness(script: "#!/usr/bin/python3\nimport signal\nsignal.pause()\n") { harness in
            async let result = harness.run("answer", budget: .seconds(30))
            await harness.until { $0.runs.count == 1 }
            time.advance(to: .seconds(30))
            #expect(await result.conclusion == .failed(.budgetExceeded))
            #expect(await result.worker == nil)
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
                await harness.until { $0.nextLook.map { $0.instant > .seconds(second) } ?? false }
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
    /// Returns when all that is due until then has been done.
    fileprivate func pass(_ span: Duration, of time: ManualClock) async {
        let end = clock.now + span
        await withCheckedContinuation { done in
            _ = schedule(at: end) { _ in done.resume() }
            time.advance(to: end)
        }
    }
}
