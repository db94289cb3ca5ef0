// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// Start, end and death, as the host hears of them.
@Suite(.timeLimit(.minutes(10)))
struct LifetimeTests {
    static let isRoot = geteuid() == 0

    @Test func `ready is the first word and names the profile`() throws {
        let launcher = try LauncherUnderTest()
        #expect("ABCD".contains(launcher.profile))
        let all: UInt32 = 127
        switch launcher.profile {
        case "A": #expect(launcher.namespaces == all)
        case "B": #expect(launcher.namespaces == all & ~LAUNCHER_NAMESPACE_USER.rawValue)
        default: #expect(launcher.namespaces == 0)
        }
    }

    @Test(arguments: ["A", "B", "C", "D"])
    func `an option makes the profile weaker, never stronger`(letter: String) throws {
        let strongest = try LauncherUnderTest().profile
        let launcher = try LauncherUnderTest(["--profile", letter])
        #expect(launcher.profile >= Character(letter))
        #expect(launcher.profile >= strongest)
    }

    @Test func `exit status and signals are reported truly`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        for (command, code, status) in [("exit 0", 1, 0), ("exit 7", 1, 7), ("fault", 2, SIGSEGV)] {
            let worker = try launcher.start(in: bundle)
            try worker.tell(command)
            let end = try launcher.nextEvent()
            #expect(end.end == End(serial: worker.order.serial, code: Int32(code), status: Int32(status)))
            guard case .exited(_, _, _, let peak) = end else { continue }
            #expect(peak > 100_000 && peak < 20_000_000)
        }
        let aborted = try launcher.start(in: bundle)
        try aborted.tell("abort")
        // Process 1 of a namespace cannot raise SIGABRT against itself; libc then faults.
        #expect(try launcher.nextEvent().end == .killed(aborted, launcher.hasOwnPids ? SIGSEGV : SIGABRT))
        let closed = try launcher.start(in: bundle)
        closed.order.socket.close()
        #expect(try launcher.nextEvent().end == .exited(closed, 0))
    }

    @Test func `a worker that uses up its processor time is killed`() throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle(), cpuSeconds: 1)
        try worker.tell("spin")
        #expect(try launcher.nextEvent().end == .killed(worker, SIGKILL))
    }

    @Test func `kill ends the process with that serial and no other`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let first = try launcher.start(in: bundle)
        let second = try launcher.start(in: bundle)
        #expect(launcher_send_kill(launcher.socket.number, first.order.serial) == 0)
        #expect(try launcher.nextEvent().end == .killed(first, SIGKILL))
        #expect(launcher_send_kill(launcher.socket.number, first.order.serial) == 0)
        try second.tell("exit 3")
        #expect(try launcher.nextEvent().end == .exited(second, 3))
    }

    @Test func `the host's own signal reaches the worker through the pidfd`() throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle())
        #expect(linux_pidfd_send_signal(worker.pidfd.number, SIGKILL) == 0)
        #expect(try launcher.nextEvent().end == .killed(worker, SIGKILL))
    }

    @Test func `a kill during the start leaves exactly one end`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        for _ in 1...50 {
            let order = try launcher.order("launcher-probe", in: bundle)
            #expect(launcher_send_kill(launcher.socket.number, order.serial) == 0)
            var event = try launcher.nextEvent()
            if case .started = event {
                event = try launcher.nextEvent()
                #expect(event.end == End(serial: order.serial, code: 2, status: SIGKILL))
            } else {
                #expect(event == .failed(serial: order.serial, step: "ended before execute", error: ESRCH))
            }
        }
        let after = try launcher.start(in: bundle)
        try after.tell("exit 5")
        #expect(try launcher.nextEvent().end == .exited(after, 5))
    }

    @Test(arguments: isRoot ? ["A", "B", "C", "D"] : ["A", "C", "D"])
    func `workers die with the launcher`(profile: String) throws {
        try expectEnd { launcher in
            kill(launcher.pid, SIGKILL)
            return 128 + SIGKILL
        } of: {
            try LauncherUnderTest(["--profile", profile])
        }
    }

    @Test func `the end of the host's socket ends launcher and workers`() throws {
        try expectEnd { launcher in
            launcher.socket.close()
            return 0
        } of: {
            try LauncherUnderTest()
        }
    }

    /// Nobody is left some time after the end, however busy the machine is.
    private func expectEnd(
        by end: (LauncherUnderTest) -> Int32,
        of start: () throws -> LauncherUnderTest
    ) throws {
        for _ in 1...3 {
            let launcher = try start()
            let bundle = try Bundle()
            let workers = try (0..<3).map { try launcher.start(in: bundle, slot: $0) }
            let status = end(launcher)
            for worker in workers { #expect(worker.hasEnded(within: 30_000)) }
            #expect(launcher.exitStatus() == status)
        }
    }

    @Test func `a stop signal to the whole group leaves the launcher to the host`() throws {
        let launcher = try LauncherUnderTest()
        for signal in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
            kill(launcher.pid, signal)
        }
        let worker = try launcher.start(in: Bundle())
        try worker.tell("exit 4")
        #expect(try launcher.nextEvent().end == .exited(worker, 4))
    }
}
