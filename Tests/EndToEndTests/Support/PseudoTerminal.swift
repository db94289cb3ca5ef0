// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting

/// A program on a terminal of its own: what it writes is read, and keys are pressed.
final class PseudoTerminal {
    struct NoTerminal: Error {}

    let process = Process()
    private let main: Int32
    private(set) var screen = ""

    /// Starts a program on a terminal of 60 columns.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // pts(4): the terminal's number, and its lock taken off.
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var (number, lock): (Int32, Int32) = (0, 0)
        let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
        guard main >= 0, ioctl(main, getNumber, &number) == 0, ioctl(main, setLock, &lock) == 0 else {
            throw NoTerminal()
        }
        let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw NoTerminal() }
        var size = winsize(ws_row: 24, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        self.main = main
        let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        try ProcessStart.alone { try process.run() }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(main)
    }

    func press(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(main, bytes, bytes.count)
    }

    /// Reads on until the screen's whole text satisfies a condition, or the program has ended.
    func read(until condition: (String) -> Bool) async throws {
        while !condition(screen) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(main, &buffer, buffer.count)
            if count > 0 {
                screen += String(decoding: buffer[..<count], as: UTF8.self)
            } else if count == 0 || errno != EAGAIN {
                return
            } else {
                await output()
            }
        }
    }

    /// Returns when the program has written something, or after a second.
    private func output() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [main] in
                var wanted = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
                poll(&wanted, 1, 1_000)
                continuation.resume()
            }
        }
    }

    /// True while the terminal edits lines and shows what is typed.
    var editsLines: Bool {
        var settings = termios()
        return tcgetattr(main, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }
}
