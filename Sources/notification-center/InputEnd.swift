// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The end of standard input as an event: of a pipe whose other end is with the program that started this one, and that
/// goes with it however it ends.
enum InputEnd {
    /// Calls `stop` once nothing more can come, on a thread of its own; what comes before is dropped.
    static func whenReached(_ stop: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            while true {
                // An input that does not wait is waited for.
                poll(&ready, 1, -1)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                guard count > 0 || count < 0 && (errno == EINTR || errno == EAGAIN) else { break }
            }
            stop()
        }
    }
}
