// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import HostRuntime
import Locking
import TestClock
import Testing

@testable import WorkerSupervisor

/// Real launcher, real processes, real deaths.
@Suite(.timeLimit(.minutes(10)))
struct WorkerSupervisorTests {
    @Test func `a warm worker serves one notification after another`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let first = await harness.run("answer")
            let second = await harness.run("answer")
            #expect(first.alert == "answer")
            #expect(first.worker?.fresh == true)
            #expect(second.worker?.fresh == false)
            #expect(first.worker?.pid == second.worker?.pid)
            #expect((second.worker?.peakMemoryByteCount ?? 0) > 100_000)
        }
    }

    @Test(arguments: [
        ("exit", ExtensionFailure.exitedEarly),
        ("kill", .crashed(signal: SIGSEGV)),
        ("garbage", .protocolViolation),
        ("unknown id", .protocolViolation),
        ("no payload", .protocolViolation),
        ("descriptor", .protocolViolation),
        ("close", .protocolViolation),
    ])
    func `a worker that dies or lies costs its own notification and no other`(
        behaviour: String,
        failure: ExtensionFailure
    ) async throws {
        try await SupervisorHarness.withHarness { harness in
            let before = await harness.run("answer")
            let result = await harness.run(behaviour)
            let after = await harness.run("answer")
            #expect(result.conclusion == .failed(failure))
            #expect(result.worker?.pid == before.worker?.pid)
            #expect(after.alert == "answer")
            #expect(after.worker?.pid != before.worker?.pid)
            #expect(after.worker?.fresh == true)
        }
    }

    /// An aborting worker that is process 1 of its namespace is seen to die of SIGSEGV, any other of SIGABRT.
    @Test func `an aborting worker crashed`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let result = await harness.run("abort")
            #expect(
                [.failed(.crashed(signal: SIGABRT)), .failed(.crashed(signal: SIGSEGV))].contains(result.conclusion)
            )
        }
    }

    @Test func `a completion that was sent before the exit counts`() async throws {
        try await SupervisorHarness.withHarness { harness in
            for _ in 0..<20 {
                #expect(await harness.run("answer and exit").alert == "answer and exit")
            }
        }
    }

    @Test func `the second of two completions is counted and changes nothing`() async throws {
        try await SupervisorHarness.withHarness { harness in
            #expect(await harness.run("twice").alert == "twice")
            #expect(await harness.run("answer").alert == "answer")
            #expect(await harness.supervisor.activity.apps[SupervisorHarness.app]?.repeatedCompletions == 1)
        }
    }

    @Test func `content that answers the last call is late`() async throws {
        try await SupervisorHarness.withHarness { harness in
            _ = await harness.run("answer")
            let result = await harness.run("late", budget: .seconds(5), grace: .milliseconds(4900))
            guard case .content(_, let isLate) = result.conclusion else {
                Issue.record("concluded with \(result.conclusion)")
                return
            }
            #expect(isLate)
            #expect(result.alert == "late")
        }
    }

    @Test(arguments: [("hang", ExtensionFailure.budgetExceeded), ("murmur", .timeWillExpireIgnored)])
    func `a worker without an answer is killed at the end of its budget`(
        behaviour: String,
        failure: ExtensionFailure
    ) async throws {
        let time = ManualClock()
        try await SupervisorHarness.withHarness(clock: HostClock(time), startLimit: .seconds(1000)) { harness in
            let before = await harness.run("answer")
            async let result = harness.run(behaviour, budget: .seconds(6), grace: .seconds(4))
            await harness.until { $0.runs.contains { $0.life.assignment != nil } }
            time.advance(to: .seconds(2))
            await harness.until { supervisor in
                behaviour == "hang"
                    || supervisor.workers.contains { $0.requests.values.contains(where: \.wasHeardAfterLastCall) }
            }
            time.advance(to: .seconds(6))
            #expect(await result.conclusion == .failed(failure))
            let after = await harness.run("answer")
            #expect(after.alert == "answer")
            #expect(after.worker?.pid != before.worker?.pid)
            #expect(hasEnded(before.worker?.pid ?? 1))
        }
    }

    @Test func `output and log messages without end neither block nor kill a worker`() async throws {
        try await SupervisorHarness.withHarness { harness in
            #expect(await harness.run("print").alert == "print")
            #expect(await harness.run("flood").alert == "flood")
            #expect(await harness.run("answer").worker?.fresh == false)
        }
    }

    @Test func `a worker that never becomes ready is a failed launch, and starts pause after three`() async throws {
        try await SupervisorHarness.withHarness(script: "#!/bin/sh\nexit 9\n") { harness in
            for _ in 0..<4 {
                #expect(await harness.run("answer").conclusion == .failed(.launchFailed))
            }
        }
    }

    @Test func `isolation by notification gives each a process of its own`() async throws {
        try await SupervisorHarness.withHarness(isolation: .notification) { harness in
            var pids: Set<Int32> = []
            for _ in 0..<5 {
                let result = await harness.run("answer")
                #expect(result.alert == "answer")
                #expect(result.worker?.fresh == true)
                pids.insert(result.worker?.pid ?? 0)
            }
            #expect(pids.count == 5)
        }
    }

    @Test func `a lost launcher fails what is open and says so`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let worker = await harness.run("answer").worker?.pid ?? 0
            let launcher = await harness.supervisor.launcherProcess
            async let open = harness.run("hang")
            #expect(Glibc.kill(launcher, SIGKILL) == 0)
            let conclusion = await open.conclusion
            await harness.supervisor.launcherLost.wait()
            // The worker dies with its launcher, and either report may come first.
            #expect([.failed(.launchFailed), .failed(.crashed(signal: SIGKILL))].contains(conclusion))
            #expect(await harness.run("answer").conclusion == .failed(.launchFailed))
            #expect(worker > 0)
        }
    }

    @Test func `many notifications at once are served in order by one worker`() async throws {
        // Time stands still: on a busy machine the crowd would wait long enough for a second worker.
        try await SupervisorHarness.withHarness(clock: HostClock(ManualClock())) { harness in
            let results = await withTaskGroup(of: ExtensionResult.self) { group in
                for _ in 0..<200 { group.addTask { await harness.run("answer") } }
                return await group.reduce(into: [ExtensionResult]()) { $0.append($1) }
            }
            #expect(results.count == 200)
            #expect(results.allSatisfy { $0.alert == "answer" })
            #expect(Set(results.compactMap(\.worker?.pid)).count == 1)
        }
    }
}

/// Waits up to five seconds for the end of a process, reaped or not: the spare answers while the killed one is dying.
private func hasEnded(_ pid: Int32) -> Bool {
    let process = linux_pidfd_open(pid)
    guard process >= 0 else { return process == -ESRCH }
    defer { close(process) }
    var end = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, 5000) == 1
}
