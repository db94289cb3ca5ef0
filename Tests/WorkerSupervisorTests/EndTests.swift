// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Locking
import Logging
import Testing

@testable import WorkerSupervisor

/// The end of the supervisor, and its knowledge of a worker that begins to serve.
@Suite(.timeLimit(.minutes(5)))
struct EndTests {
    @Test(arguments: ["A", "C"] as [Character])
    func `nobody uses the folder after the end, however many were being started`(profile: Character) async throws {
        let errors = Locked<[String]>([])
        let logger = Logger(label: "test") { _ in RecordingHandler(lines: errors) }
        let folder = try HostFolder(temporaryBelow: "/tmp")
        let apps = [SupervisorHarness.app] + (1..<20).map { "com.example.app\($0)" }
        try await SupervisorHarness.withHarness(apps: apps, profile: profile, folder: folder, logger: logger) {
            // The launcher has the first orders and has hardly begun with them.
            await $0.supervisor.end()
            #expect(await $0.supervisor.pids.isEmpty)
            folder.remove()
            #expect(access(folder.path, F_OK) != 0)
            let after = await $0.run("answer")
            #expect(after.conclusion == .failed(.launchFailed))
        }
        #expect(errors.withLock { $0 } == [])
    }

    @Test func `workers that served are asked to end, and are gone when the end returns`() async throws {
        try await SupervisorHarness.withHarness(isolation: .app, maxConcurrentRequests: 2) { harness in
            let served = await harness.run("answer").worker?.pid ?? 0
            await harness.untilSpare()
            let pids = await harness.supervisor.pids
            #expect(pids.count == 2 && pids.contains(served))
            await harness.supervisor.end()
            for pid in pids { #expect(kill(pid, 0) != 0) }
        }
    }

    /// The budget of the first one is longer than the test may take.
    @Test func `what is cut off concludes at once, its worker is gone, and the next has another`() async throws {
        try await SupervisorHarness.withHarness { harness in
            async let first = harness.run("silent", budget: .seconds(3600))
            async let second = harness.run("silent", wait: .seconds(3600), budget: .seconds(3600))
            await harness.until { supervisor in
                supervisor.owners.runs.all.count == 2 && supervisor.owners.runs.all.contains { $0.life.isAtWork }
            }
            await harness.supervisor.cutOff()
            let cut = await [first, second]
            #expect(cut.map(\.conclusion) == [.failed(.exitedEarly), .failed(.exitedEarly)])
            let pid = cut.compactMap { $0.worker?.pid }.first
            let next = await harness.run("answer")
            guard case .content = next.conclusion else {
                Issue.record("the next one has no content")
                return
            }
            #expect(next.worker?.pid != pid)
            // A call that was cancelled before comes too late for the cut, and is refused.
            let cancelled = Signal()
            let late = Task {
                await cancelled.wait()
                return await harness.run("silent", budget: .seconds(3600))
            }
            late.cancel()
            #expect(await late.value.conclusion == .failed(.exitedEarly))
        }
    }

    @Test func `a worker that does not end when it is asked has a second`() async throws {
        let script = SupervisorHarness.script.replacing("if kind == 4: sys.exit(0)", with: "if kind == 4: continue")
        try await SupervisorHarness.withHarness(script: script) { harness in
            let pid = await harness.run("answer").worker?.pid ?? 0
            let begin = ContinuousClock.now
            await harness.supervisor.end()
            #expect(ContinuousClock.now - begin >= .seconds(1))
            #expect(kill(pid, 0) != 0)
        }
    }

    @Test func `the opener is gone when the end returns`() async throws {
        let script = """
            #!/usr/bin/python3
            import signal, socket, struct
            host = socket.socket(fileno=3)
            host.recv(65536)
            host.send(struct.pack(">BQ", 0x81, 0) + b'{"protocol":1,"nextRow":0}')
            signal.pause()
            """
        try await ScriptedOpener.withOpener(script) { harness, _ in
            // It may be ready before the launcher has told of its start.
            await harness.until { ($0.openerProcess ?? 0) > 0 }
            let pid = try #require(await harness.supervisor.openerProcess)
            await harness.supervisor.end()
            #expect(kill(pid, 0) != 0)
        }
    }

    @Test func `the end does not wait for a launcher that is gone`() async throws {
        try await SupervisorHarness.withHarness { harness in
            await harness.untilSpare()
            let lost = harness.supervisor.launcherLost
            kill(await harness.supervisor.launcherProcess, SIGKILL)
            await lost.wait()
            await harness.supervisor.end()
            #expect(await harness.supervisor.pids.isEmpty)
        }
    }

    @Test func `a launcher that has just died is known to be lost before the loop has looked`() async throws {
        try await SupervisorHarness.withHarness { harness in
            let (wasSeen, isLost) = await harness.supervisor.killLauncherAndAsk()
            #expect(!wasSeen)
            #expect(isLost)
        }
    }

    /// The supervisor learns from the launcher alone what a worker may do and what confines it.
    @Test func `a worker that is quicker than the launcher's word of it waits for that`() async throws {
        try await SupervisorHarness.withHarness(isolation: .notification) { harness in
            await harness.untilSpare()
            try await harness.supervisor.hearLauncher(false)
            #expect(await harness.run("answer").alert == "answer")
            async let second = harness.run("answer")
            await harness.until { supervisor in
                supervisor.workers.contains { $0.hasSaidReady && $0.pid == 0 }
            }
            #expect(await harness.supervisor.activity.waiting == 1)
            try await harness.supervisor.hearLauncher(true)
            let worker = try #require(await second.worker)
            #expect(worker.pid > 0)
            #expect(worker.sandbox == "A1")
            #expect((worker.peakMemoryByteCount ?? 0) > 100_000)
        }
    }
}

extension WorkerSupervisor {
    fileprivate var pids: Set<Int32> { Set(workers.map(\.pid)) }
    fileprivate var openerProcess: Int32? { owners.opener.view.pid }

    /// On the loop, which sees nothing meanwhile.
    fileprivate func killLauncherAndAsk() -> (wasSeen: Bool, isLost: Bool) {
        kill(launcherProcess, SIGKILL)
        var socket = pollfd(fd: launcherSocket.raw, events: 0, revents: 0)
        while socket.revents & Int16(POLLHUP) == 0 { poll(&socket, 1, -1) }
        return (isLauncherLost, hasLostLauncher())
    }

    /// Turns the reading of the launcher's socket on or off; messages wait in the socket while it is off.
    fileprivate func hearLauncher(_ hears: Bool) throws {
        let socket = launcherSocket
        guard let registration = socket.registration else { return }
        try loop.change(socket.raw, registration: registration, interest: hears ? .read : [])
    }
}
