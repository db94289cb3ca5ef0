// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// Machines that offer less: the launcher finds out, says so, and never pretends.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: geteuid() == 0, "needs root to make a machine poorer"),
    .enabled(if: (try? LauncherUnderTest().profile) == "A", "this machine is poor already")
)
struct ProfileTests {
    @Test(arguments: [
        ([], "A", true),
        (["--no-landlock"], "A", false),
        // What systemd's RestrictNamespaces= makes of it.
        (["--no-clone3"], "A", true),
        (["--no-user-namespaces"], "B", true),
        (["--no-user-namespaces", "--no-landlock"], "B", false),
        // Root without other users, as in many containers: the host's own user, with Landlock around it.
        (["--one-user"], "C", true),
        (["--one-user", "--no-landlock"], "D", false),
    ])
    func `the profile is what a child could be held in`(
        lacks: [String],
        profile: Character,
        hasLandlock: Bool
    ) throws {
        let launcher = try LauncherUnderTest(wrapper: [Products.path(of: "poor-machine")] + lacks)
        #expect(launcher.profile == profile)
        #expect((launcher.landlock > 0) == hasLandlock)
        let ground = try AttemptGround(launcher)
        for what in ["read /etc/passwd", "create in /tmp", "sockets of every family", "become root", "fork, vfork"] {
            let attempt = try Attempt.named(what)
            guard attempt.expected(of: .first, on: ground) != nil else { continue }
            let outcome = try ground.outcome(of: attempt)
            #expect(attempt.isAsExpected(outcome, on: ground), "\(what): \(outcome)")
        }
    }

    @Test func `without Landlock profile C is no sandbox and not offered`() throws {
        let wrapper = [Products.path(of: "poor-machine"), "--no-landlock"]
        #expect(try LauncherUnderTest(["--profile", "C"], wrapper: wrapper).profile == "D")
    }

    /// With another /proc, and one processor on which nobody is interrupted: a child has gone on before the launcher
    /// runs again.
    private static func machine(after mount: String) -> [String] {
        let script = #"""
            first=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
            \#(mount)
            exec taskset -c "$first" chrt --batch 0 "$0" "$@"
            """#
        return ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", script]
    }

    /// Hides processes as systemd's ProtectProc= does: one sees those that it may trace, and none that forbids tracing.
    @Test func `where processes are hidden from each other every start is one`() throws {
        let machine = Self.machine(after: "mount -t proc -o hidepid=2 proc /proc")
        let (launcher, folder) = try OtherUser.launcher(["--profile", "C"], on: machine)
        launcher.kept.append(folder)
        let bundle = try Bundle()
        bundle.give(to: OtherUser.number)
        for _ in 0..<200 {
            let worker = try launcher.start(in: bundle)
            #expect(worker.status.text().contains("\nPid:\t\(worker.pid)\n"))
            try worker.tell("exit 3")
            #expect(try launcher.nextEvent().end == .exited(worker, 3))
        }
    }

    /// A child that fails before it has read its plan leaves that unread: its report is told all the same.
    @Test func `a step that fails before there is a plan is named`() throws {
        let launcher = try LauncherUnderTest(wrapper: Self.machine(after: "mount -t tmpfs none /proc"))
        let bundle = try Bundle()
        for _ in 0..<20 {
            let order = try launcher.order("launcher-probe", in: bundle)
            guard case .failed(order.serial, let step, let error) = try launcher.nextEvent() else {
                Issue.record("not a failed start")
                return
            }
            #expect(step == "status file")
            #expect(error == ENOENT)
        }
    }
}
