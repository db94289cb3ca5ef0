// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import WorkerSupervisor

/// Standard output, for people.
enum Output {
    /// Writes a text as it is.
    ///
    /// Throws `ExitCode.readerGone` when whoever read it has closed it: that is no error to speak of, as of `head`.
    static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) throws {
        do throws(SystemError) { try Array(text.utf8).write(to: descriptor) } catch {
            guard error.code != EPIPE else { throw ExitCode.readerGone }
            throw CommandError(
                "nothing can be written to standard output: \(unsafe String(cString: strerror(error.code)))",
                hint: "give it a file or a pipe with room"
            )
        }
    }
}

extension ExitCode {
    /// Nobody reads the output any more: the status that a shell gives to a program which SIGPIPE has ended.
    static let readerGone = ExitCode(128 + SIGPIPE)
}

extension [UInt8] {
    /// Writes all of the bytes, and waits for a descriptor that has no room.
    ///
    /// A reader that is gone is `EPIPE` in a process that ignores SIGPIPE.
    func write(to descriptor: Int32) throws(SystemError) {
        var rest = self[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                throw SystemError("write", errno)
            }
        }
    }
}
