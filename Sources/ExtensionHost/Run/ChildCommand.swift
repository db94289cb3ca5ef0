// SPDX-License-Identifier: Apache-2.0

import Glibc
import WorkerSupervisor

/// A command in a process of its own.
enum ChildCommand {
    /// The standard streams of a command: descriptors of this process.
    struct Streams {
        var input = STDIN_FILENO
        /// `nil` means that nobody reads what the command prints.
        var output: Int32? = STDOUT_FILENO
        var errors = STDERR_FILENO
    }

    /// Runs a program with its words, of which the first is its name, and returns its status in the form of waitpid(2).
    static func run(_ program: String, _ words: [String]) throws(SystemError) -> Int32 {
        let pid = try start(program, words)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    /// Starts a program with its words, of which the first is its name; with `isApart` in a process group of its own,
    /// which control-C at a terminal does not reach.
    ///
    /// SIGPIPE ends it as it ends other programs: this process ignores that signal, and what a child inherits so holds
    /// for all that it starts, such as a compiler and the programs of an author's build. SIGCHLD is as usual in both
    /// from here on: where it is ignored, as by some who start this process, no command has a status.
    static func start(
        _ program: String,
        _ words: [String],
        _ streams: Streams = Streams(),
        isApart: Bool = false
    ) throws(SystemError) -> pid_t {
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
        // Those by which this process may be waiting for its own end.
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigdelset(&signals, number) }
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO)
        if let output = streams.output {
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO)
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, program, &actions, &attributes, &arguments, environ)
        guard failure == 0 else { throw SystemError("posix_spawn", failure) }
        return pid
    }
}
