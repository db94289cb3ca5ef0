// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import WorkerSupervisor

/// A program that runs beside this one and ends with it, however that ends: its standard input is a pipe from here.
///
/// The program stands in a process group of its own. Control-C at a terminal reaches this process alone, which ends it
/// in order.
final class TiedProgram {
    /// The time between the end of its input, SIGTERM and SIGKILL, each in milliseconds.
    private static let patience: Int32 = 10_000

    /// The way in which a program has ended.
    struct End {
        fileprivate let status: Int32

        var isSuccess: Bool { status == 0 }
        /// The status or the signal, in words for people.
        var words: String {
            status & 0x7f == 0 ? "with status \(status >> 8 & 0xff)" : "by signal \(status & 0x7f)"
        }
    }

    /// A descriptor that is readable once the program has ended.
    let exit: Int32
    private let pid: pid_t
    /// `nil` means that it is closed.
    private var input: Int32?
    private var status: End?

    /// Starts a program with its words, of which the first is its name; `output` and `errors` are descriptors of this
    /// process, and an output of `nil` is dropped.
    init(_ program: String, _ words: [String], output: Int32? = nil, errors: Int32) throws(CommandError) {
        let (reader, writer) = try Self.pipe()
        defer { close(reader) }
        do throws(SystemError) {
            let streams = ChildCommand.Streams(input: reader, output: output, errors: errors)
            pid = try ChildCommand.start(program, words, streams, isApart: true)
            exit = linux_pidfd_open(pid)
            guard exit >= 0 else {
                kill(pid, SIGKILL)
                throw SystemError("pidfd_open", -exit)
            }
        } catch {
            close(writer)
            throw CommandError(
                "\"\(words.first ?? program)\" cannot be started: \(String(cString: strerror(error.code)))",
                hint: error.code == ENOENT
                    ? "it stands beside \(Terminal.program): install the programs of one build"
                    : "end other programs of this user, or try it again"
            )
        }
        input = writer
    }

    deinit {
        closeInput()
        if exit >= 0 { close(exit) }
    }

    /// Makes a pipe that no program inherits but by its standard streams; SIGPIPE must be ignored.
    static func pipe() throws(CommandError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else {
            throw CommandError("no pipe can be made: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Writes to its input, and waits for room; a program that has ended reads nothing, and its end tells of that.
    func write(_ bytes: [UInt8]) {
        guard let input else { return }
        try? bytes.write(to: input)
    }

    /// Returns how it ended; waits for that.
    func wait() -> End {
        if let status { return status }
        var number: Int32 = 0
        while waitpid(pid, &number, 0) < 0 && errno == EINTR {}
        let end = End(status: number)
        status = end
        return end
    }

    /// Ends it by the end of its input, and by signals if it goes on for long; waits for it.
    func end() {
        closeInput()
        for signal in [SIGTERM, SIGKILL] where !hasEnded(within: Self.patience) { kill(pid, signal) }
        _ = wait()
    }

    /// Ends it with all that it has started, if that stands in its group, at once; waits for it.
    func interrupt() {
        if status == nil { kill(-pid, SIGTERM) }
        end()
    }

    private func hasEnded(within milliseconds: Int32) -> Bool {
        if status != nil { return true }
        var ready = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, milliseconds) > 0
    }

    private func closeInput() {
        if let input { close(input) }
        input = nil
    }
}
