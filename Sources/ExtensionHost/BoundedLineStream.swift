// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HostRuntime
import Locking

/// Log lines on their way to a descriptor: a queue of its own writes them, so that a reader that stalls stalls nobody.
///
/// Bound: 1 MiB of text waits; beyond it lines are dropped, and their number is written once there is room again.
final class BoundedLineStream: TextOutputStream, Sendable {
    static let waitingByteCount = 1 << 20

    private struct State {
        var waiting: [UInt8] = []
        var droppedCount = 0
        var isWriting = false
    }

    private let descriptor: Int32
    private let state = Locked(State())
    private let writer = DispatchQueue(label: "log")

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes one line with its end; what else would end or turn it is spelt out.
    func write(_ line: String) {
        let line = line.hasSuffix("\n") ? String(line.dropLast()).withoutHidden + "\n" : line.withoutHidden
        let needsTurn = state.withLock { state in
            guard state.waiting.count + line.utf8.count <= Self.waitingByteCount else {
                state.droppedCount += 1
                return false
            }
            state.waiting.append(contentsOf: line.utf8)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if needsTurn { writer.async { self.writeWaiting() } }
    }

    /// Returns when what was logged so far is written, or after a second: a stalled reader does not keep a process.
    ///
    /// Ten seconds are given while there is room for more: the reader is not what is slow then.
    func flush() {
        let written = DispatchSemaphore(value: 0)
        writer.async { written.signal() }
        for _ in 0..<10 {
            guard written.wait(timeout: .now() + 1) == .timedOut else { return }
            var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&room, 1, 0) == 1, room.revents == Int16(POLLOUT) else { return }
        }
    }

    private func writeWaiting() {
        // Where nobody can read the log, the host goes on without it.
        while let bytes = takeWaiting() { try? bytes.write(to: descriptor) }
    }

    private func takeWaiting() -> [UInt8]? {
        state.withLock { state in
            if state.droppedCount > 0, state.waiting.count < Self.waitingByteCount / 2 {
                state.waiting.append(contentsOf: "\(Terminal.program): \(state.droppedCount) log lines dropped\n".utf8)
                state.droppedCount = 0
            }
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
