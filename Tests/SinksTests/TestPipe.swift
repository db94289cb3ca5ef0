// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking

/// A pipe whose ends close with the value; reading blocks a thread of its own.
final class TestPipe: Sendable {
    let reading: Int32
    let writing: Int32
    private let open = Locked<(reading: Bool, writing: Bool)>((true, true))

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        // Other tests start processes meanwhile; one that inherited an end would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        closeWriting()
        closeReading()
    }

    func closeWriting() {
        open.withLock { open in
            if open.writing { close(writing) }
            open.writing = false
        }
    }

    func closeReading() {
        open.withLock { open in
            if open.reading { close(reading) }
            open.reading = false
        }
    }

    func makeWritingNonBlocking() {
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    }

    /// Fills the pipe; returns how many bytes that took.
    func fill() -> Int {
        makeWritingNonBlocking()
        var count = 0
        var byte = UInt8(ascii: "\n")
        while write(writing, &byte, 1) == 1 { count += 1 }
        _ = fcntl(writing, F_SETFL, 0)
        return count
    }

    /// Reads the text that lies in the pipe, at most 65,536 bytes; blocks until there is some, or the writing end is
    /// closed.
    func readAvailable() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reading, &bytes, bytes.count)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    func readSome() async -> String {
        await onThread { self.readAvailable() }
    }

    /// The lines up to the end, once that many bytes were skipped.
    func readToEnd(after skipped: Int = 0) async -> [String] {
        await onThread {
            let bytes = FileHandle(fileDescriptor: self.reading, closeOnDealloc: false).readDataToEndOfFile()
            return String(decoding: bytes.dropFirst(skipped), as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
