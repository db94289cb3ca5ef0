// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The sender's program, beside this one: the host has no code that seals.
enum SealPayload {
    /// Its output; what it says to people goes where this program's does.
    ///
    /// The process has one thread and must keep it, so this is the system's own spawn and no `Process`.
    static func run(_ arguments: [String], input: Data = Data()) throws(CommandError) -> String {
        let program = HostComposition.programFolder + "/seal-payload"
        guard let file = tmpfile() else { throw CommandError("no temporary file can be made: \(cause())") }
        defer { fclose(file) }
        _ = input.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        rewind(file)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CommandError("no pipe can be made: \(cause())") }
        defer { close(ends[0]) }
        for descriptor in ends + [fileno(file)] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, fileno(file), 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var pid: pid_t = 0
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let failure = posix_spawn(&pid, program, &actions, nil, &words, environ)
        close(ends[1])
        guard failure == 0 else {
            throw CommandError(
                "\"\(program)\" cannot be started: \(String(cString: strerror(failure)))",
                hint: "seal-payload stands beside extension-host"
            )
        }
        let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: false).readDataToEndOfFile()
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw CommandError("seal-payload did not seal the payload, see above") }
        return String(decoding: output, as: UTF8.self)
    }

    private static func cause() -> String {
        String(cString: strerror(errno))
    }
}
