// SPDX-License-Identifier: Apache-2.0

import Locking

/// The files that a centre was handed and has not answered for: open descriptors, of which a machine has few.
///
/// A record that would go over the bound waits, and the records behind it, until the centre has answered for others.
final class FileCredit: Sendable {
    /// A record with more goes when nothing else is under way.
    private static let limit = 64

    private struct State {
        var counts: [Int64: Int] = [:]
        var sum = 0
        var isClosed = false
    }

    private let state = Locked(State())
    private let isFreed = Signal()

    /// Waits for room for the files of a record; false means that the connection ended.
    ///
    /// One caller at a time may wait.
    func take(_ count: Int, for number: Int64) async -> Bool {
        guard count > 0 else { return true }
        while !Task.isCancelled {
            let isTaken: Bool? = state.withLock { state in
                guard !state.isClosed else { return nil }
                guard state.sum == 0 || state.sum + count <= Self.limit else { return false }
                state.counts[number] = count
                state.sum += count
                return true
            }
            guard let isTaken else { return false }
            if isTaken { return true }
            await isFreed.wait()
        }
        return false
    }

    /// The centre has answered for these records.
    func giveBack(_ numbers: ClosedRange<Int64>) {
        state.withLock { state in
            for number in state.counts.keys where numbers.contains(number) {
                state.sum -= state.counts.removeValue(forKey: number) ?? 0
            }
        }
        isFreed.raise()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        isFreed.raise()
    }
}
