// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Glibc
import Locking
import NIOCore
import NIOPosix

/// A terminal that gives each key as it is pressed, and is put back as it was.
struct KeyTerminal {
    private let former: termios
    /// True once the terminal is put back for good: a signal may come while it is taken.
    private let isOver = Locked(false)

    /// Looks at the terminal of standard input, which stays as it is until `take()`.
    init() throws(Failure) {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw Failure("keys need a terminal, and standard input is none", hint: "leave --interactive out")
        }
        former = settings
    }

    /// Takes line editing, echo and the signals of keys away from the terminal.
    ///
    /// Whoever puts it back at a signal listens to that signal before.
    func take() throws(Failure) {
        var settings = former
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        let status = isOver.withLock { isOver in isOver ? 0 : tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
        guard status == 0 else {
            throw Failure("the terminal gives no single keys: \(String(cString: strerror(errno)))")
        }
        // From now on a terminal that can marks what is pasted.
        mark("\u{1b}[?2004h")
    }

    func restore() {
        var settings = former
        isOver.withLock { isOver in
            isOver = true
            // The watch may end while it writes a row.
            mark("\u{1b}[?2004l" + WatchScreen.wrapping)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
    }

    private func mark(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// Calls `take` with the bytes of keys, as they come, until it returns false, or the terminal is gone.
    func keys(_ take: ([UInt8]) async throws -> Bool) async throws {
        // Opened anew: waiting for keys makes an opening non-blocking, and the shell has a part in that of the input.
        let copy = open("/proc/self/fd/\(STDIN_FILENO)", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard copy >= 0 else { throw Failure("the terminal cannot be read: \(String(cString: strerror(errno)))") }
        let channel = try await NIOPipeBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .takingOwnershipOfDescriptor(input: copy) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { bytes, _ in
            for try await buffer in bytes {
                guard try await take(Array(buffer: buffer)) else { return }
            }
        }
    }
}
