// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import Testing

/// The group that each process gets on a machine with a cgroup v2 that this user may divide.
@Suite(.timeLimit(.minutes(5)), .enabled(if: ControlGroup.root != nil, "needs root and a cgroup v2"))
struct GroupTests {
    @Test(arguments: ["A", "B", "C"], [[], ["--no-clone3"]])
    func `a process is in a group of its own, which goes with it`(profile: String, lacks: [String]) throws {
        let folder = try ControlGroup()
        let wrapper = lacks.isEmpty ? [] : [Products.path(of: "poor-machine")] + lacks
        let launcher = try LauncherUnderTest(["--profile", profile], wrapper: wrapper)
        guard case .groupRegistered(0, _) = try launcher.registerGroup(folder.path) else {
            throw Unexpected("no groups in \(folder.path)")
        }
        #expect(launcher_send_seal(launcher.socket.number) == 0)
        let bundle = try Bundle()
        bundle.openToAll()
        let workers = try (1...2).map { try launcher.start(in: bundle, slot: $0) }
        let groups = try workers.map { try ControlGroup.name(of: $0.pid) }
        #expect(Set(groups).count == 2)
        for group in groups {
            #expect(group.hasPrefix("/" + folder.name + "/worker-"))
            #expect(try access(ControlGroup.requiredRoot() + group, F_OK) == 0)
        }
        // A worker that sees only its own part of the tree has no name above it.
        if launcher.hasOwnPids { #expect(try workers[0].ask("group") == ["0::/"]) }
        for worker in workers {
            worker.order.socket.close()
            #expect(try launcher.nextEvent().end == .exited(worker, 0))
        }
        for group in groups { #expect(try access(ControlGroup.requiredRoot() + group, F_OK) == -1) }
    }

    @Test func `all that is in a group dies at one word`() throws {
        let folder = try ControlGroup()
        let launcher = try LauncherUnderTest(["--profile", "C"])
        _ = try launcher.registerGroup(folder.path)
        let bundle = try Bundle()
        bundle.openToAll()
        let worker = try launcher.start(in: bundle, slot: 1)
        let (unused, other) = try Descriptor.pipe()
        let bystander = try startProcess(["sleep", "600"], descriptorThree: other)
        unused.close()
        let group = try ControlGroup.requiredRoot() + ControlGroup.name(of: worker.pid)
        try "\(bystander)".write(toFile: group + "/cgroup.procs", atomically: false, encoding: .utf8)
        #expect(launcher_send_kill(launcher.socket.number, worker.order.serial) == 0)
        var status: Int32 = 0
        #expect(waitpid(bystander, &status, 0) == bystander)
        #expect(status & 0x7F == SIGKILL)
        #expect(try launcher.nextEvent().end == .killed(worker, SIGKILL))
    }

    @Test func `no group and no descriptor stays behind`() throws {
        let folder = try ControlGroup()
        let launcher = try LauncherUnderTest()
        _ = try launcher.registerGroup(folder.path)
        let bundle = try Bundle()
        let before = try launcher.openDescriptorCount()
        for _ in 1...10 {
            let worker = try launcher.start(in: bundle)
            worker.closeAll()
            _ = try launcher.nextEvent()
            _ = try launcher.order("nobody", in: bundle)
            _ = try launcher.nextEvent()
        }
        #expect(try launcher.openDescriptorCount() == before)
        // That of the child that waits.
        #expect(try folder.groups().count == 1)
        launcher.socket.close()
        #expect(launcher.exitStatus() == 0)
        #expect(try folder.groups().isEmpty)
    }

    @Test func `what a killed launcher left behind is cleared by the next`() throws {
        let folder = try ControlGroup()
        let bundle = try Bundle()
        let first = try LauncherUnderTest()
        _ = try first.registerGroup(folder.path)
        _ = try first.start(in: bundle)
        kill(first.pid, SIGKILL)
        #expect(first.exitStatus() == 128 + SIGKILL)
        try folder.waitUntilNobodyIsLeft()
        #expect(try folder.groups().contains { $0.hasPrefix("worker-\(first.pid)-") })
        let second = try LauncherUnderTest()
        _ = try second.registerGroup(folder.path)
        #expect(try folder.groups().allSatisfy { !$0.hasPrefix("worker-\(first.pid)-") })
    }

    @Test func `a folder that is no cgroup, a second one, and one after seal are refused`() throws {
        let folder = try ControlGroup()
        let launcher = try LauncherUnderTest()
        #expect(try launcher.registerGroup("/tmp") == .groupRegistered(error: EINVAL, limitsMemory: false))
        #expect(try launcher.registerGroup("/none") == .groupRegistered(error: ENOENT, limitsMemory: false))
        guard case .groupRegistered(0, _) = try launcher.registerGroup(folder.path) else { throw Unexpected("refused") }
        #expect(try launcher.registerGroup(folder.path) == .groupRegistered(error: EPERM, limitsMemory: false))
        let sealed = try LauncherUnderTest()
        #expect(launcher_send_seal(sealed.socket.number) == 0)
        #expect(try sealed.registerGroup(folder.path) == .groupRegistered(error: EPERM, limitsMemory: false))
    }
}

/// A folder of this test in the cgroup v2 tree.
final class ControlGroup {
    /// The mount point of the cgroup v2 tree; `nil` unless it is mounted and this user is root and can write to it.
    static let root: String? = {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        let fields = mounts.split(separator: "\n").map { $0.split(separator: " ") }
        let place = fields.first { $0.count > 2 && $0[2] == "cgroup2" }.map { String($0[1]) }
        return geteuid() == 0 ? place.flatMap { access($0, W_OK) == 0 ? $0 : nil } : nil
    }()

    static func requiredRoot() throws -> String {
        guard let root else { throw Unexpected("no cgroup v2") }
        return root
    }

    let name = "launcher-tests-\(UUID().uuidString)"
    let path: String

    init() throws {
        path = try Self.requiredRoot() + "/" + name
        guard mkdir(path, 0o755) == 0 else { throw SystemFailure(error: errno) }
    }

    deinit {
        for group in (try? groups()) ?? [] { rmdir(path + "/" + group) }
        rmdir(path)
    }

    func groups() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("worker-") }
    }

    func waitUntilNobodyIsLeft() throws {
        let events = try Descriptor(checking: open(path + "/cgroup.events", O_RDONLY | O_CLOEXEC))
        var text = [UInt8](repeating: 0, count: 128)
        while true {
            let count = pread(events.number, &text, text.count, 0)
            if String(decoding: text.prefix(max(count, 0)), as: UTF8.self).contains("populated 0") { return }
            var change = pollfd(fd: events.number, events: Int16(POLLPRI), revents: 0)
            guard poll(&change, 1, 5_000) == 1 else { throw Unexpected("somebody is left in \(path)") }
        }
    }

    /// The group of a process, from the tree's root.
    static func name(of pid: pid_t) throws -> String {
        let lines = try String(contentsOfFile: "/proc/\(pid)/cgroup", encoding: .utf8).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("0::") }) else { throw Unexpected("no group") }
        return String(line.dropFirst(3))
    }
}
