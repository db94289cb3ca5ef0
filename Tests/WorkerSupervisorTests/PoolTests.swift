// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import HostRuntime
import TestClock
import Testing

@testable import WorkerSupervisor

/// The worker that serves after a death, an eviction or an isolated notification.
@Suite(.timeLimit(.minutes(5)))
struct PoolTests {
    @Test(arguments: ["exit", "kill", "garbage", "eat"])
    func `after a worker's end the spare serves, and no notification waits for a start`(behaviour: String) async throws
    {
        try await SupervisorHarness.withHarness { harness in
            await harness.untilSpare()
            #expect(await harness.run("answer").alert == "answer")
            await harness.untilSpare()
            _ = await harness.run(behaviour)
            #expect(await harness.run("answer").alert == "answer")
            #expect(await harness.counts().coldStarts == 0)
        }
    }

    @Test func `isolated notifications find their process started`() async throws {
        try await SupervisorHarness.withHarness(isolation: .notification) { harness in
            var pids: Set<Int32> = []
            for _ in 0..<5 {
                await harness.untilSpare()
                let result = await harness.run("answer")
                #expect(result.worker?.fresh == true)
                pids.insert(result.worker?.pid ?? 0)
            }
            #expect(pids.count == 5)
            #expect(await harness.counts().coldStarts == 0)
        }
    }

    @Test func `isolated notifications run beside each other, as many as the app has workers`() async throws {
        let time = ManualClock()
        try await SupervisorHarness.withHarness(
            clock: HostClock(time),
            isolation: .notification,
            workerLimit: 3,
            startLimit: .seconds(1000)
        ) { harness in
            async let first = harness.run("hang", budget: .seconds(12))
            async let second = harness.run("hang", budget: .seconds(12))
            async let third = harness.run("hang", budget: .seconds(12))
            await harness.until { $0.workers.count { $0.requests.count == 1 } == 3 }
            async let fourth = harness.run("answer")
            await harness.until { $0.waitingCount == 1 }
            time.advance(to: .seconds(12))
            let pids = Set([await first, await second, await third].compactMap(\.worker?.pid))
            #expect(pids.count == 3)
            #expect(await fourth.alert == "answer")
        }
    }

    @Test func `an app without room takes the place of the one that needs it least`() async throws {
        let apps = ["com.example.a", "com.example.b", "com.example.c"]
        try await SupervisorHarness.withHarness(apps: apps, processLimit: 2) { harness in
            for _ in 0..<3 {
                for app in apps { #expect(await harness.run("answer", of: app).alert == "answer") }
            }
            #expect(await harness.supervisor.processCount <= 2)
            var evicted = 0
            for app in apps { evicted += await harness.counts(of: app).evicted }
            #expect(evicted >= 6)
        }
    }

    @Test func `apps that hang leave another its worker`() async throws {
        let apps = ["com.example.a", "com.example.b"]
        let time = ManualClock()
        try await SupervisorHarness.withHarness(
            apps: apps,
            clock: HostClock(time),
            isolation: .notification,
            workerLimit: 10,
            processLimit: 6,
            startLimit: .seconds(1000)
        ) { harness in
            try await withThrowingTaskGroup(of: ExtensionResult.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        await harness.run("hang", of: apps[0], wait: .seconds(1000), budget: .seconds(15))
                    }
                }
                await harness.until { $0.workers.count { $0.requests.count == 1 } >= 3 }
                #expect(await harness.run("answer", of: apps[1], budget: .seconds(10)).alert == "answer")
                // Those that wait get the places of those whose time is up.
                for _ in 0..<6 {
                    await harness.until { [clock = harness.clock] supervisor in
                        supervisor.runs.isEmpty
                            || supervisor.runs.contains { $0.life.assignment != nil && $0.life.end > clock.now }
                    }
                    time.advance(by: .seconds(15))
                }
                for try await result in group { #expect(result.conclusion == .failed(.budgetExceeded)) }
            }
        }
    }

    @Test func `a spare that is killed is replaced`() async throws {
        try await SupervisorHarness.withHarness { harness in
            await harness.untilSpare()
            let spare = await harness.supervisor.firstWorker ?? 1
            #expect(Glibc.kill(spare, SIGKILL) == 0)
            #expect(await harness.isGone(spare))
            await harness.untilSpare()
            #expect(await harness.run("answer").alert == "answer")
        }
    }

    @Test func `who has completed a request takes shorter turns at the processor than who has not`() async throws {
        // Kernels before 6.12 know none.
        let usual = linux_turn(0)
        try await SupervisorHarness.withHarness { harness in
            let result = await harness.run("answer")
            #expect(result.alert == "answer")
            let known = try #require(result.worker?.pid)
            // A look just after much use lengthens them, until the next one.
            await harness.until { _ in linux_turn(known) == (usual == 0 ? 0 : 100_000) }
        }
        try await SupervisorHarness.withHarness { harness in
            await harness.untilSpare()
            #expect(linux_turn(await harness.supervisor.firstWorker ?? 0) == usual)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `who has completed a request weighs as much as everybody, who has not does less`() async throws {
        try await SupervisorHarness.withHarness { harness in
            await harness.untilSpare()
            let spare = try #require(await harness.supervisor.firstWorker)
            #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(spare)) == 4)
            let result = await harness.run("answer")
            #expect(result.alert == "answer")
            let known = try #require(result.worker?.pid)
            // The launcher does it when it comes to it.
            await harness.until { _ in getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(known)) == 0 }
        }
    }

    @Test func `what extensions did is counted`() async throws {
        try await SupervisorHarness.withHarness { harness in
            _ = await harness.run("answer")
            _ = await harness.run("twice")
            _ = await harness.run("exit")
            _ = await harness.run("garbage")
            _ = await harness.run("late", budget: .seconds(20), grace: .milliseconds(19_900))
            _ = await harness.run("flood")
            let counts = await harness.counts()
            #expect(counts.given == 6)
            #expect(counts.completed == 4)
            #expect(counts.completedLate == 1)
            #expect(counts.missingCompletions == 2)
            #expect(counts.repeatedCompletions == 1)
            #expect(counts.violations == 1)
            #expect(counts.droppedLogLines >= 4000)
            #expect(counts.starts >= 3)
        }
    }
}

extension WorkerSupervisor {
    fileprivate var processCount: Int { staffs.reduce(0) { $0 + $1.members.count } }
}
