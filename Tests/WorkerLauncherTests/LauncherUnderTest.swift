// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Glibc

/// A real launcher and the host's end of its socket.
///
/// Belongs to one test and one task. Its end closes the socket, which ends the launcher and everything it started.
final class LauncherUnderTest {
    let pid: pid_t
    let socket: Descriptor
    let namespaces: UInt32
    let profile: Character
    let landlock: UInt32
    let instructions: UInt32
    let stage2: [Stage2]
    /// The objects that must live as long as the launcher, such as its folders.
    var kept: [AnyObject] = []
    private var lastSerial: UInt64 = 0
    private var reaped = false
    /// Ends of other processes that were told while a start was awaited.
    private var early: [Event] = []

    /// - Parameters:
    ///   - arguments: of the launcher.
    ///   - binary: another copy of the launcher, where another user can reach it.
    ///   - wrapper: a program with its arguments that executes the launcher, to change the user for example.
    ///   - showsRuntime: whether every process sees the Swift libraries.
    /// - Throws: `Unexpected` when its first word is not `ready`.
    init(
        _ arguments: [String] = [],
        binary: String = Products.path(of: "worker-launcher"),
        wrapper: [String] = [],
        showsRuntime: Bool = true
    ) throws {
        let (ours, theirs) = try Descriptor.packetPair()
        let command = wrapper + [binary] + arguments
        pid = try startProcess(command, descriptorThree: theirs)
        socket = ours
        theirs.close()
        let ready = try Event.next(on: ours)
        guard case .ready(let namespaces, let profile, let landlock, let instructions, let filterCount) = ready else {
            throw Unexpected("the launcher's first word is not ready")
        }
        stage2 = try (0..<filterCount).map { _ in try Stage2.next(on: ours) }
        self.namespaces = namespaces
        self.profile = profile
        self.landlock = landlock
        self.instructions = instructions
        // The build links even C programs with it.
        if showsRuntime { try show(SwiftRuntime.folder) }
    }

    deinit {
        socket.close()
        if !reaped {
            _ = exitStatus()
        }
    }

    var hasOwnPids: Bool { namespaces & LAUNCHER_NAMESPACE_PID.rawValue != 0 }

    /// Waits for the launcher's end, at most 20 s; the shell's form of a status (128 + signal).
    func exitStatus() -> Int32 {
        var status: Int32 = 0
        endWithin20Seconds(pid)
        waitpid(pid, &status, 0)
        reaped = true
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Orders a process.
    ///
    /// `path` names the bundle's folder otherwise than its descriptor, `folder` opens it otherwise. Without a `user` an
    /// extension is the user of its slot's number.
    func order(
        _ executable: String,
        in bundle: Bundle,
        folder opened: String? = nil,
        kind: launcher_process_kind = LAUNCHER_EXTENSION,
        slot: UInt32 = 0,
        user: UInt32? = nil,
        cpuSeconds: UInt64 = 0,
        timeZone: String = "Europe/Berlin",
        path: String? = nil,
        replayFiles: (Int32, Int32)? = nil,
        flags: UInt32 = 0,
        scratchBytes: UInt64 = 0,
        storage: String? = nil,
        storagePath: String? = nil
    ) throws -> Order {
        lastSerial += 1
        let (ours, theirs) = try Descriptor.packetPair()
        try ours.limitWaiting(seconds: 20)
        let (output, outputEnd) = try Descriptor.pipe()
        let folder = try Descriptor(checking: linux_open_folder(opened ?? bundle.path))
        let storageFolder = try storage.map { try Descriptor(checking: linux_open_folder($0)) }
        var request = launcher_spawn_request()
        request.serial = lastSerial
        request.kind = kind.rawValue
        request.slot = slot
        request.user = user ?? (kind == LAUNCHER_EXTENSION ? slot : 0)
        request.memory_limit_bytes = 24 << 20
        request.cpu_limit_seconds = cpuSeconds
        request.flags = flags
        request.scratch_bytes = scratchBytes
        request.socket = theirs.number
        request.output = outputEnd.number
        request.bundle_folder = folder.number
        request.storage_folder = storageFolder?.number ?? -1
        request.replay_files = replayFiles ?? (-1, -1)
        request.replay_file_count = replayFiles == nil ? 0 : 2
        let error = executable.withCString { executable in
            timeZone.withCString { zone in
                (path ?? bundle.path).withCString { path in
                    (storagePath ?? storage ?? "").withCString { storage in
                        request.executable = executable
                        request.time_zone = zone
                        request.bundle_path = path
                        request.storage_path = storage
                        return launcher_send_spawn(socket.number, &request)
                    }
                }
            }
        }
        storageFolder?.close()
        for descriptor in [theirs, outputEnd, folder] {
            descriptor.close()
        }
        guard error == 0 else { throw SystemFailure(error: -error) }
        return Order(launcher: self, bundle: bundle, serial: lastSerial, socket: ours, output: output)
    }

    func nextEvent() throws -> Event {
        early.isEmpty ? try Event.next(on: socket) : early.removeFirst()
    }

    /// Orders a process and waits until it runs.
    func start(
        _ executable: String = "launcher-probe",
        in bundle: Bundle,
        kind: launcher_process_kind = LAUNCHER_EXTENSION,
        slot: UInt32 = 0,
        user: UInt32? = nil,
        cpuSeconds: UInt64 = 0,
        replayFiles: (Int32, Int32)? = nil,
        flags: UInt32 = 0,
        scratchBytes: UInt64 = 0,
        storage: String? = nil
    ) throws -> Worker {
        let order = try order(
            executable,
            in: bundle,
            kind: kind,
            slot: slot,
            user: user,
            cpuSeconds: cpuSeconds,
            replayFiles: replayFiles,
            flags: flags,
            scratchBytes: scratchBytes,
            storage: storage
        )
        var event = try Event.next(on: socket)
        while let end = event.end, end.serial != order.serial {
            early.append(event)
            event = try Event.next(on: socket)
        }
        guard case .started(order.serial, let pid, let pidfd, let status, let grants) = event else {
            throw Unexpected("\(event) instead of started")
        }
        return Worker(order: order, pid: pid, pidfd: pidfd, status: status, grants: grants)
    }

    /// Registers a key and returns the verdict with its errno.
    func register(_ path: String, index: UInt32 = 0) throws -> Event {
        let error = launcher_send_register_key(socket.number, index, path)
        guard error == 0 else { throw SystemFailure(error: -error) }
        return try nextEvent()
    }

    /// Registers what processes of a slot see; 0, or the launcher's errno.
    @discardableResult
    func show(
        _ path: String,
        as kind: launcher_view_kind = LAUNCHER_VIEW_FOLDER,
        slot: UInt32 = LAUNCHER_EVERY_SLOT
    ) throws -> Int32 {
        let error = launcher_send_register_view(socket.number, slot, kind.rawValue, path)
        guard error == 0 else { throw SystemFailure(error: -error) }
        guard case .viewRegistered(let refusal) = try nextEvent() else { throw Unexpected("no answer to a view") }
        return refusal
    }

    /// Has groups made in a cgroup folder, and returns the answer.
    func registerGroup(_ path: String) throws -> Event {
        let error = launcher_send_register_group(socket.number, path)
        guard error == 0 else { throw SystemFailure(error: -error) }
        return try nextEvent()
    }

    /// Takes a file out of a worker's private scratch folder; with an empty name asks for its use.
    func takeScratch(_ name: String, of worker: Worker) throws -> Event {
        let error = launcher_send_take_scratch(socket.number, worker.order.serial, name)
        guard error == 0 else { throw SystemFailure(error: -error) }
        return try nextEvent()
    }

    /// Makes a file in a worker's private scratch folder.
    func putScratch(_ name: String, of worker: Worker) throws -> Event {
        let error = launcher_send_put_scratch(socket.number, worker.order.serial, name)
        guard error == 0 else { throw SystemFailure(error: -error) }
        return try nextEvent()
    }

    /// Lets go of the private scratch folder of a worker that has ended.
    func forgetScratch(of worker: Worker) throws {
        let error = launcher_send_forget_scratch(socket.number, worker.order.serial)
        guard error == 0 else { throw SystemFailure(error: -error) }
    }

    /// Lets go of the folders of all workers that have ended, and waits until the launcher is at rest, with a child
    /// prepared for the next start; `nil` for anyone but root: it is not dumpable, and its descriptors are nobody's
    /// business.
    func openDescriptorCount() throws -> Int? {
        guard geteuid() == 0 else { return nil }
        // Few of them had a folder, and any of those may be among the 64 that the launcher keeps.
        for serial in 0...lastSerial {
            while launcher_send_forget_scratch(socket.number, serial) == -EAGAIN { sched_yield() }
        }
        let patience = ContinuousClock.now + .seconds(10)
        while !(hasSpare && isWaiting), ContinuousClock.now < patience { sched_yield() }
        guard hasSpare else { throw Unexpected("no child is prepared") }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
    }

    /// True if the launcher sleeps in poll, by the system call's numbers on x86-64 and AArch64: nothing is half done.
    private var isWaiting: Bool {
        let call = try? String(contentsOfFile: "/proc/\(pid)/syscall", encoding: .utf8)
        return ["7", "271", "73"].contains(call?.split(separator: " ").first)
    }

    private var hasSpare: Bool {
        let children = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
        return children.split(separator: " ").contains { child in
            (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "worker-spare\n"
        }
    }
}

/// A process that the launcher was asked for; keeps the launcher and the bundle alive.
struct Order {
    let launcher: LauncherUnderTest
    let bundle: Bundle
    let serial: UInt64
    let socket: Descriptor
    let output: Descriptor

    func closeAll() {
        socket.close()
        output.close()
    }
}

/// A started process.
struct Worker {
    let order: Order
    let pid: pid_t
    let pidfd: Descriptor
    let status: Descriptor
    let grants: Grants

    /// Sends the probe a command and returns its answer, one line an element.
    func ask(_ command: String) throws -> [String] {
        try tell(command)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(order.socket.number, &bytes, bytes.count, 0)
        guard count >= 0 else { throw SystemFailure(error: errno) }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func tell(_ command: String) throws {
        guard send(order.socket.number, command, command.utf8.count, Int32(MSG_NOSIGNAL)) >= 0 else {
            throw SystemFailure(error: errno)
        }
    }

    /// Tells whether the process has ended; waits for at most the given time.
    func hasEnded(within milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: pidfd.number, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) == 1
    }

    /// Everything the process writes until it ends.
    func outputText() -> String { order.output.text() }

    func closeAll() {
        order.closeAll()
        pidfd.close()
        status.close()
        grants.listener?.close()
    }
}
