// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc

/// A program that a command starts and waits for, by the system's own spawn.
///
/// Foundation's `Process` starts threads, which a command that makes namespaces must not have, and its
/// `waitUntilExit()` was seen to wait for ever for the second child of a process on a busy machine: the socket that
/// tells of the child's end was in no set that its thread looks at.
package struct ChildProgram {
    /// The destination of the child's error output.
    package enum Errors {
        /// The child's errors go where this program's own go.
        case inherited
        /// The child's errors stand in the output, in the order in which all was written.
        case joined
    }

    /// The status of a program whose time was over.
    package static let outOfTime: Int32 = -1

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let input: Data
    private let errors: Errors

    /// Names a program and what it is given.
    ///
    /// The variables of `environment` are set beside those of this process, and hide the ones of the same name.
    package init(
        path: String,
        arguments: [String],
        environment: [String: String] = [:],
        input: Data = Data(),
        errors: Errors = .inherited
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.errors = errors
    }

    /// Runs the program to its end; `status` is 0 only for an exit with 0.
    ///
    /// A program that is still there after `limit` is killed with all that it has started and not left behind, and has
    /// the status `outOfTime`.
    ///
    /// SIGCHLD is as usual from here on: where it is ignored, as by some who start this process, no child has a status.
    ///
    /// - Throws: `CommandError` when it cannot be started.
    package func run(within limit: Duration? = nil) throws(CommandError) -> (output: Data, status: Int32) {
        guard let file = tmpfile() else { throw CommandError("no temporary file can be made: \(Self.cause())") }
        defer { fclose(file) }
        _ = input.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        rewind(file)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CommandError("no pipe can be made: \(Self.cause())") }
        defer { close(ends[0]) }
        for descriptor in ends + [fileno(file)] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        signal(SIGCHLD, SIG_DFL)
        let pid: pid_t
        do {
            defer { close(ends[1]) }
            pid = try spawn(input: fileno(file), output: ends[1])
        }
        var output = Data()
        let isWhole = Self.read(ends[0], into: &output, until: limit.map { .now + $0 })
        if !isWhole { Self.killTree(pid) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return (output, isWhole ? status : Self.outOfTime)
    }

    /// Reads until nobody can write any more; false: the time was over before.
    private static func read(_ descriptor: Int32, into data: inout Data, until end: ContinuousClock.Instant?) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let rest = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) / .milliseconds(1) }
            // Whoever writes without a pause is not waited for either.
            if rest == 0 { return false }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, rest.map { Int32(min($0.rounded(.up), 1e9)) } ?? -1)
            if ready == 0 { return false }
            let count = ready < 0 ? -1 : Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return true }
            data.append(contentsOf: piece[..<count])
        }
    }

    /// Kills a process and what it has started, whatever groups and sessions these have made.
    ///
    /// A process is told to stand still before its children are looked for. A call that was under way may still make a
    /// child, so they are looked for until there is no other.
    private static func killTree(_ pid: pid_t) {
        kill(pid, SIGSTOP)
        var known: Set<pid_t> = []
        while case let new = children(of: pid).subtracting(known), !new.isEmpty {
            for child in new { killTree(child) }
            known.formUnion(new)
        }
        kill(pid, SIGKILL)
    }

    private static func children(of pid: pid_t) -> Set<pid_t> {
        let tasks = "/proc/\(pid)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        let lists = names.map { (try? String(contentsOfFile: "\(tasks)/\($0)/children", encoding: .utf8)) ?? "" }
        return Set(lists.flatMap { $0.split(separator: " ").compactMap { pid_t($0) } })
    }

    private func spawn(input: Int32, output: Int32) throws(CommandError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        switch errors {
        case .inherited: break
        case .joined: posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        }
        var pid: pid_t = 0
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let inherited = ProcessInfo.processInfo.environment
        var variables =
            inherited.merging(environment) { $1 }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { variables.forEach { free($0) } }
        let failure = posix_spawn(&pid, path, &actions, nil, &words, &variables)
        guard failure == 0 else {
            throw CommandError("\"\(path)\" cannot be started: \(String(cString: strerror(failure)))")
        }
        return pid
    }

    private static func cause() -> String {
        String(cString: strerror(errno))
    }
}
