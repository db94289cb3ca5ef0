// SPDX-License-Identifier: Apache-2.0

import CLinux
import DesktopBus
import Dispatch
import FoundationEssentials
import Glibc
import Locking

/// A program of the desktop that the agent has started, with no descriptor of the agent's and nothing to read or write.
///
/// The system's own spawn is used, because the agent ignores signals that end a program, and Foundation's `Process`
/// hands that down. Source: posix_spawn(3), pidfd_open(2).
final class RunningProgram: Sendable {
    /// The end of a program, as far as it was waited for.
    enum End: Sendable, Equatable {
        case exited(CInt)
        case signalled
        /// The time was up.
        case runs
    }

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    // SAFETY: any thread may activate or cancel a dispatch source.
    private struct Source: @unchecked Sendable {
        let events: any DispatchSourceRead
    }

    private let pid: pid_t
    private let ended = Signal()
    /// `nil` until the end is known.
    private let end = Locked<End?>(nil)

    /// Starts the program at a path, the first word, with variables (`NAME=value`) beside those of the agent.
    ///
    /// The program is the first of a process group of its own.
    init(_ command: [String], adding variables: [String] = []) throws(BusFailure) {
        pid = try Self.start(command, adding: variables)
        let descriptor = linux_pidfd_open(pid)
        guard descriptor >= 0 else {
            Glibc.kill(-pid, SIGKILL)
            throw BusFailure(-descriptor)
        }
        let queue = DispatchQueue(label: "program")
        let source = Source(events: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue))
        // The source holds this object until the program ends, so that no program is left without its end taken.
        source.events.setEventHandler {
            self.takeEnd()
            source.events.cancel()
        }
        source.events.setCancelHandler { close(descriptor) }
        source.events.activate()
    }

    /// Finds a program by its name in the folders of `PATH`.
    static func path(of name: String) -> String? {
        guard let folders = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    /// Waits for the end, but no longer than a time.
    func wait(atMost patience: Duration, _ clock: some Clock<Duration>) async -> End {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [ended] in await ended.wait() }
            group.addTask { try? await clock.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
        return end.withLock(\.self) ?? .runs
    }

    /// Ends the program and what it has started; one that has ended is let be.
    func kill() {
        // With the lock held its number is no other process's.
        end.withLock { end in _ = end == nil ? Glibc.kill(-pid, SIGKILL) : 0 }
    }

    private func takeEnd() {
        end.withLock { end in
            var status: CInt = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return }
            end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled
        }
        ended.raise()
    }

    private static func start(_ words: [String], adding variables: [String]) throws(BusFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in STDIN_FILENO...STDERR_FILENO {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // Not every library of the agent has its descriptors close by themselves, and another thread may open one now:
        // the child itself closes what it has. The C library's module does not show the call to Swift.
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { throw BusFailure(ENOSYS) }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        let own = variables.map { $0.prefix { $0 != "=" } }
        let inherited = ProcessInfo.processInfo.environment.filter { name, _ in !own.contains { $0 == name } }
        var environment = (inherited.map { "\($0.key)=\($0.value)" } + variables).map { strdup($0) } + [nil]
        defer { environment.forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, words[0], &actions, &attributes, &arguments, &environment)
        guard failure == 0 else { throw BusFailure(failure) }
        return pid
    }
}
