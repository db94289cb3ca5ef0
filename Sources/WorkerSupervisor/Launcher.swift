// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Glibc

/// The host's end of `worker-launcher`, the only program of ours that starts sandboxed processes.
///
/// The launcher is started before the host has a second thread, gets the paths of the key files, and is sealed; from
/// then on the host cannot name a key any more. Its end of file kills every process it started.
package final class Launcher {
    /// The means of isolation that the launcher proved to work on this machine when it started.
    package struct Capabilities: Sendable, Equatable {
        package struct Namespaces: OptionSet, Sendable {
            package let rawValue: UInt32
            package init(rawValue: UInt32) { self.rawValue = rawValue }
            package static let user = Namespaces(rawValue: LAUNCHER_NAMESPACE_USER.rawValue)
            package static let mount = Namespaces(rawValue: LAUNCHER_NAMESPACE_MOUNT.rawValue)
            package static let pid = Namespaces(rawValue: LAUNCHER_NAMESPACE_PID.rawValue)
            package static let net = Namespaces(rawValue: LAUNCHER_NAMESPACE_NET.rawValue)
            package static let ipc = Namespaces(rawValue: LAUNCHER_NAMESPACE_IPC.rawValue)
            package static let uts = Namespaces(rawValue: LAUNCHER_NAMESPACE_UTS.rawValue)
            package static let cgroup = Namespaces(rawValue: LAUNCHER_NAMESPACE_CGROUP.rawValue)
        }

        package let namespaces: Namespaces
        /// A, B, C or D of docs/sandbox.md.
        package let profile: Character
        /// Version of the kernel's Landlock that processes are under, 0 if they are under none.
        package let landlockVersion: Int
        /// Instructions of the system-call filter that a worker gets before its first instruction.
        package let filterInstructionCount: Int

        /// Processes have a root and mounts of their own.
        package var hasOwnRoot: Bool { profile == "A" || profile == "B" }

        /// The user that a site's processes are outside of their namespaces, by its number; the first sites are the
        /// apps of the configuration.
        ///
        /// Root has one for each app and owner; everybody else has but himself.
        package func user(ofSiteAt index: Int) -> UInt32 {
            geteuid() == 0 && profile != "D" ? 61_200 + SupervisorConfiguration.user(ofSiteAt: index) : geteuid()
        }
    }

    package let pid: Int32
    var hasOwnRoot: Bool { capabilities.hasOwnRoot }
    package let capabilities: Capabilities
    /// Stage 2 in every form the launcher made, as `stage2` finds it.
    private let stage2Forms: [Stage2Form: [UInt8]]
    let socket: Descriptor
    /// System-call filters on this process, which everything it starts inherits.
    let inheritedFilterCount: Int?

    /// Starts the program and waits for it to have tried what this machine allows.
    ///
    /// With `B`, `C` or `D` as the strongest profile the sandbox is weaker than the machine can make it.
    package init(executable: String, strongestProfile: Character = "A") throws(LauncherError) {
        do {
            let pair = try DescriptorPair.packetSocket()
            // The first exchanges are questions and answers; the event loop's turn comes with `WorkerSupervisor`.
            _ = fcntl(pair.host.raw, F_SETFL, fcntl(pair.host.raw, F_GETFL) & ~O_NONBLOCK)
            pid = try Self.spawn([executable, "--profile", "\(strongestProfile)"], socket: pair.peer.raw)
            socket = pair.keepingHost()
        } catch {
            throw .notStarted(executable: executable, error)
        }
        var event = launcher_event()
        let result = unsafe launcher_receive_event(socket.raw, &event)
        guard result == 1, event.type == LAUNCHER_READY.rawValue else { throw .notReady(executable: executable) }
        capabilities = Capabilities(
            namespaces: .init(rawValue: event.namespaces),
            profile: Character(Unicode.Scalar(UInt8(truncatingIfNeeded: event.profile))),
            landlockVersion: Int(event.landlock),
            filterInstructionCount: Int(event.instructions)
        )
        inheritedFilterCount = FilterCount.ofThisProcess
        stage2Forms = try Self.receiveFilters(event.filter_count, on: socket, executable: executable)
    }

    /// The system-call filter that a worker with these grants loads itself, 8 bytes an instruction in the machine's
    /// byte order; empty if the launcher made none.
    ///
    /// With `trap`, a refused call is reported to the program before it dies of it: for development only.
    package func stage2(scratch: Bool, network: Bool, trap: Bool) -> [UInt8] {
        stage2Forms[Stage2Form(flags: LaunchGrants.flags(scratch: scratch, network: network), traps: trap)] ?? []
    }

    private struct Stage2Form: Hashable {
        let flags: UInt32
        let traps: Bool
    }

    private static func receiveFilters(
        _ count: UInt32,
        on socket: borrowing Descriptor,
        executable: String
    ) throws(LauncherError) -> [Stage2Form: [UInt8]] {
        var forms: [Stage2Form: [UInt8]] = [:]
        guard count <= LAUNCHER_MAXIMUM_FILTERS else { throw .notReady(executable: executable) }
        for _ in 0..<count {
            var code = [UInt8](repeating: 0, count: Int(LAUNCHER_FILTER_BYTES))
            let raw = socket.raw
            let filter: launcher_stage2? = unsafe code.withUnsafeMutableBufferPointer { code in
                var filter = unsafe launcher_stage2(flags: 0, trap: 0, length: 0, code: code.baseAddress)
                return unsafe launcher_receive_filter(raw, &filter) == 0 ? filter : nil
            }
            guard let filter = unsafe filter else { throw .notReady(executable: executable) }
            let form = unsafe Stage2Form(flags: filter.flags, traps: filter.trap != 0)
            forms[form] = unsafe Array(code.prefix(Int(filter.length) * Int(LAUNCHER_INSTRUCTION_BYTES)))
        }
        return forms
    }

    /// Waits until the launcher has ended: at the end of its socket it kills and reaps what it started.
    deinit {
        shutdown(socket.raw, CInt(SHUT_RDWR))
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    }

    /// Has the launcher open key files; the descriptor of the first in every opener is 4, of the next 5, and so on.
    ///
    /// The launcher refuses files that others can read; it never reads them itself.
    package func register(keyFiles: [String]) throws(LauncherError) {
        for (index, path) in keyFiles.enumerated() {
            let sent = unsafe launcher_send_register_key(socket.raw, UInt32(index), path)
            guard sent == 0 else { throw .lost }
            var event = launcher_event()
            guard unsafe launcher_receive_event(socket.raw, &event) == 1,
                event.type == LAUNCHER_KEY_REGISTERED.rawValue
            else { throw .lost }
            if let refusal = KeyFileRefusal(verdict: event.verdict, error: event.error) {
                throw .keyFile(path: path, refusal)
            }
        }
    }

    /// Tells the launcher what processes see beside the system's libraries: the Swift runtime, and of each extension
    /// what its app was given.
    ///
    /// The extensions are those of the supervisor's configuration, in its order. With an interpreter for everything,
    /// opener and extensions may all be its scripts.
    package func register(
        viewsOf extensions: [SupervisedExtension],
        interpreter: String? = nil
    ) throws(LauncherError) {
        if let runtime = SwiftRuntime.folder {
            try register(view: runtime, LAUNCHER_VIEW_FOLDER, slot: LAUNCHER_EVERY_SLOT)
        }
        if let interpreter { try register(view: interpreter, LAUNCHER_VIEW_INTERPRETER, slot: LAUNCHER_EVERY_SLOT) }
        for (index, each) in extensions.enumerated() {
            let slot = SupervisorConfiguration.slot(ofExtensionAt: index)
            for folder in each.viewFolders { try register(view: folder, LAUNCHER_VIEW_FOLDER, slot: slot) }
            if let interpreter = each.interpreter {
                try register(view: interpreter, LAUNCHER_VIEW_INTERPRETER, slot: slot)
            }
        }
    }

    private func register(view path: String, _ kind: launcher_view_kind, slot: UInt32) throws(LauncherError) {
        let sent = unsafe launcher_send_register_view(socket.raw, slot, kind.rawValue, path)
        guard sent == 0 else { throw .lost }
        var event = launcher_event()
        guard unsafe launcher_receive_event(socket.raw, &event) == 1,
            event.type == LAUNCHER_VIEW_REGISTERED.rawValue
        else { throw .lost }
        guard event.error == 0 else { throw .view(path: path, SystemError("view", event.error)) }
    }

    /// Gives the launcher a cgroup v2 folder, delegated to this user, in which every process gets a group of its own.
    ///
    /// True when the kernel can keep each process below its memory limit there.
    package func register(controlGroup path: String) throws(LauncherError) -> Bool {
        guard unsafe launcher_send_register_group(socket.raw, path) == 0 else { throw .lost }
        var event = launcher_event()
        guard unsafe launcher_receive_event(socket.raw, &event) == 1,
            event.type == LAUNCHER_GROUP_REGISTERED.rawValue
        else { throw .lost }
        guard event.error == 0 else { throw .controlGroup(path: path, SystemError("cgroup", event.error)) }
        return event.limits_memory != 0
    }

    /// Ends the registration of keys and views, and hands the socket to the event loop's pace.
    package func seal() throws(LauncherError) {
        guard launcher_send_seal(socket.raw) == 0 else { throw .lost }
        do { try socket.setNonBlocking() } catch { throw .lost }
    }

    private static func spawn(_ command: [String], socket: CInt) throws(SystemError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, socket, LAUNCHER_SOCKET_DESCRIPTOR)
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var pid: pid_t = 0
        let result = unsafe posix_spawn(&pid, command[0], &actions, nil, &arguments, &environment)
        guard result == 0 else { throw SystemError("posix_spawn", result) }
        return pid
    }
}

/// The reason for which there is no launcher, or for which it refuses a key file, a view or a control group.
package enum LauncherError: Error, Equatable {
    case notStarted(executable: String, SystemError)
    /// The launcher ended, or spoke another version, before it was ready.
    case notReady(executable: String)
    /// The launcher's socket is closed.
    case lost
    case keyFile(path: String, KeyFileRefusal)
    /// A file or folder that an app was to see is not there, or not what it should be.
    case view(path: String, SystemError)
    /// The launcher can make no groups there.
    case controlGroup(path: String, SystemError)
}

package enum KeyFileRefusal: Error, Equatable {
    case unreadable(SystemError)
    case notAFile
    case openToOthers
    case foreignOwner
    case symbolicLink
    case tooMany(limit: Int)
    case sealed

    init?(verdict: UInt32, error: Int32) {
        switch launcher_key_verdict(rawValue: verdict) {
        case LAUNCHER_KEY_OK: return nil
        case LAUNCHER_KEY_NOT_A_FILE: self = .notAFile
        case LAUNCHER_KEY_OPEN_TO_OTHERS: self = .openToOthers
        case LAUNCHER_KEY_FOREIGN_OWNER: self = .foreignOwner
        case LAUNCHER_KEY_SYMBOLIC_LINK: self = .symbolicLink
        case LAUNCHER_KEY_TOO_MANY: self = .tooMany(limit: Int(LAUNCHER_MAXIMUM_KEYS))
        case LAUNCHER_KEY_SEALED: self = .sealed
        default: self = .unreadable(SystemError("open", error))
        }
    }
}
