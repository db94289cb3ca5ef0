// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process that this one has started, known by its id until it was waited for.
struct Child {
    let pid: pid_t

    /// Starts a program; what it prints goes to files, and `/dev/null` is its input.
    init(_ program: String, _ arguments: [String], output: String, notes: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, notes, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, program, &actions, nil, words, environ)
        guard code == 0 else { throw BenchError("\"\(program)\" does not start: \(String(cString: strerror(code)))") }
        self.pid = pid
        Watchdog.shared.enter(pid)
    }

    /// The CPU time that its threads have used so far, in seconds.
    var cpu: Double {
        get throws {
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw BenchError("process \(pid) has ended")
            }
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    /// `RssAnon` of proc_pid_status(5), in bytes: memory that no file backs.
    var ownMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 } ?? 0
    }

    /// True once the process has ended, which also waits for it; false while it runs.
    func hasEnded() -> Bool {
        var status: CInt = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return false }
        Watchdog.shared.leave(pid)
        return true
    }

    /// Sends a signal, unless it is 0, and waits for the end; true if the exit status is 0.
    func wait(_ name: String, signal: CInt = 0, seconds: Int = 60) -> Bool {
        if signal != 0 { kill(pid, signal) }
        return Watchdog.shared.within(seconds, name) {
            var status: CInt = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            Watchdog.shared.leave(pid)
            return status == 0
        }
    }
}
