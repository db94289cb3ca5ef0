// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A named pipe of which a test holds the end for writing, and sees whether somebody reads.
final class NamedPipe: Sendable {
    let path: String
    private let own: Int32

    init() throws {
        path = NSTemporaryDirectory() + "pipe-\(UUID().uuidString)"
        try #require(mkfifo(path, 0o600) == 0)
        // For both ways: neither end waits for the other one to be opened.
        own = open(path, O_RDWR | O_CLOEXEC)
        try #require(own >= 0)
    }

    deinit {
        close(own)
        unlink(path)
    }

    /// Gives up the end for reading, so that whoever has opened the path is the only reader.
    func leaveToReader() throws {
        let writing = open(path, O_WRONLY | O_CLOEXEC)
        try #require(writing >= 0)
        try #require(dup2(writing, own) == own)
        try #require(fcntl(own, F_SETFD, FD_CLOEXEC) == 0)
        close(writing)
    }

    /// Returns true once nobody reads; false after ten seconds.
    func isLeft() async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [own] in
                var state = pollfd(fd: own, events: 0, revents: 0)
                continuation.resume(returning: poll(&state, 1, 10_000) == 1)
            }
        }
    }
}
