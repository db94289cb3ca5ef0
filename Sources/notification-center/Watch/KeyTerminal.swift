// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix

/// A terminal that gives each key as it is pressed, and is put back as it was.
struct KeyTerminal {
    private let former: termios

    /// Takes line editing, echo and the signals of keys away from the terminal of standard input.
    init() throws(Failure) {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw Failure("keys need a terminal, and standard input is none", hint: "leave --interactive out")
        }
        former = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else {
            throw Failure("the terminal gives no single keys: \(String(cString: strerror(errno)))")
        }
    }

    func restore() {
        var settings = former
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Calls `key` with each byte until it returns false, or the terminal is gone.
    func keys(_ key: (UInt8) async throws -> Bool) async throws {
        let copy = dup(STDIN_FILENO)
        guard copy >= 0 else { throw Failure("the terminal cannot be read: \(String(cString: strerror(errno)))") }
        let channel = try await NIOPipeBootstrap(group: NIOSingletons.posixEventLoopGroup)
            .takingOwnershipOfDescriptor(input: copy) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { bytes, _ in
            for try await buffer in bytes {
                for byte in buffer.readableBytesView {
                    guard try await key(byte) else { return }
                }
            }
        }
    }
}
