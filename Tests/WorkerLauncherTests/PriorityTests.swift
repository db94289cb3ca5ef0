// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// The weight of a process at the processor.
@Suite(.timeLimit(.minutes(10)))
struct PriorityTests {
    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `an extension starts behind those that are known, and its place changes with the host's word`() throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle())
        #expect(Weight(of: worker.pid) == Weight(4))
        for nice: UInt32 in [0, 19, 0] {
            #expect(launcher_send_priority(launcher.socket.number, worker.order.serial, nice) == 0)
            // Its orders are done one after another, and the next has an answer.
            try launcher.show("/usr/share")
            #expect(Weight(of: worker.pid) == Weight(Int(nice)))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `the opener comes before everybody`() throws {
        let launcher = try LauncherUnderTest()
        let opener = try launcher.start(in: Bundle(), kind: LAUNCHER_OPENER)
        #expect(Weight(of: opener.pid) == Weight(-10))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `of a user who cannot raise it again nobody's is lowered at the start`() throws {
        let (launcher, folder) = try OtherUser.launcher([])
        let bundle = try Bundle()
        bundle.give(to: OtherUser.number)
        let worker = try launcher.start(in: bundle)
        #expect(Weight(of: worker.pid) == Weight(0))
        #expect(Weight(of: launcher.pid) == Weight(0))
        #expect(launcher_send_priority(launcher.socket.number, worker.order.serial, 19) == 0)
        try launcher.show("/usr/share")
        #expect(Weight(of: worker.pid).thread == 19)
        withExtendedLifetime(folder) {}
    }

    @Test func `a priority of nobody is without effect`() throws {
        let launcher = try LauncherUnderTest()
        #expect(launcher_send_priority(launcher.socket.number, 77, 0) == 0)
        let worker = try launcher.start(in: Bundle())
        try worker.tell("exit 0")
        #expect(try launcher.nextEvent().end == .exited(worker, 0))
    }
}

/// Nice values as the kernel has them.
private struct Weight: Equatable {
    let thread: Int
    /// The nice value of the process's session; `nil` where the kernel does not group by session.
    let session: Int?

    init(_ nice: Int) {
        thread = nice
        session = access("/proc/self/autogroup", F_OK) == 0 ? nice : nil
    }

    init(of pid: pid_t) {
        thread = Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(pid)))
        // "/autogroup-123 nice 4"
        let text = try? String(contentsOfFile: "/proc/\(pid)/autogroup", encoding: .utf8)
        session = text?.split { " \n".contains($0) }.last.flatMap { Int($0) }
    }
}
