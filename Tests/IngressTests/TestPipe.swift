// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking

/// A pipe whose ends close with the value.
final class TestPipe: Sendable {
    let reading: Int32
    let writing: Int32
    private let isWritingOpen = Locked(true)

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        // Other tests start processes meanwhile; one that inherited an end would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Fills the pipe from a thread, so that any amount fits.
    convenience init(containing bytes: [UInt8], closed: Bool = true) {
        self.init()
        Thread.detachNewThread { [self] in
            var offset = 0
            while offset < bytes.count {
                let count = bytes[offset...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                offset += count
            }
            if closed { closeWriting() }
        }
    }

    deinit {
        closeWriting()
        close(reading)
    }

    func closeWriting() {
        isWritingOpen.withLock { isOpen in
            if isOpen { close(writing) }
            isOpen = false
        }
    }

    /// Reads to the end.
    func readLines() -> [String] {
        let bytes = FileHandle(fileDescriptor: reading, closeOnDealloc: false).readDataToEndOfFile()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
