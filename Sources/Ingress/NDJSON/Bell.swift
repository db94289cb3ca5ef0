// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// Wakes a thread that blocks on a descriptor; rung once, it rings for ever.
final class Bell: Sendable {
    struct PipeError: Error {
        let errno: Int32
    }

    private let reading: Int32
    private let writing: Int32

    init() throws(PipeError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PipeError(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Blocks until the descriptor can be read, or is at its end: true; or until the bell rings: false.
    func waitForInput(_ descriptor: Int32) -> Bool {
        var watched = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&watched, 2, -1) < 0, errno == EINTR {}
        return watched[0].revents == 0
    }

    /// Blocks for that long at most; true when the bell rang.
    func waitForRing(_ duration: Duration) -> Bool {
        var watched = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        let milliseconds =
            Int32(clamping: duration.components.seconds * 1000)
            + Int32(duration.components.attoseconds / 1_000_000_000_000_000)
        while poll(&watched, 1, milliseconds) < 0, errno == EINTR {}
        return watched.revents != 0
    }
}
