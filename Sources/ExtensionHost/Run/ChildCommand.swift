// SPDX-License-Identifier: Apache-2.0

import Glibc
import WorkerSupervisor

/// A command in a process of its own, which is waited for.
enum ChildCommand {
    /// Runs a program with its words, of which the first is its name, and returns its status in the form of waitpid(2).
    ///
    /// SIGPIPE ends it as it ends other programs: this process ignores that signal, and what a child inherits so holds
    /// for all that it starts, such as a compiler and the programs of an author's build. SIGCHLD is as usual in both
    /// from here on: where it is ignored, as by some who start this process, no command has a status.
    static func run(_ program: String, _ words: [String]) throws(SystemError) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        sigaddset(&signals, SIGCHLD)
        signal(SIGCHLD, SIG_DFL)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        sigdelset(&signals, SIGPIPE)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, program, nil, &attributes, &arguments, environ)
        guard failure == 0 else { throw SystemError("posix_spawn", failure) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
