// SPDX-License-Identifier: Apache-2.0

import CenterStore
private import Locking

/// The last number of each owner's series that was committed, and those who wait for a later one.
///
/// A watcher that is told reads the store: it gets what came meanwhile in one piece, and one that reads slowly costs a
/// place here and no memory for what it has not read.
final class OwnerPositions: Sendable {
    private struct Watcher {
        let after: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    /// The last number of an owner.
    struct Position {
        var number: Int64 = 0
        /// The time at which it was told, by the clock that measures.
        var time = Duration.zero
    }

    private struct State {
        var positions: [OwnerName: Position] = [:]
        var watchers: [OwnerName: [Int: Watcher]] = [:]
        var cancelled: Set<Int> = []
        var lastNumber = 0
    }

    private let state = Locked(State())
    private let announcements: Announcements

    /// Begins without a number; `announcements` has the streams of events, which a later number wakes as well.
    init(_ announcements: Announcements) {
        self.announcements = announcements
    }

    /// The number of those who wait.
    var watcherCount: Int { state.withLock { $0.watchers.values.reduce(0) { $0 + $1.count } } }

    /// The last number that was raised; 0 before the first.
    func position(of owner: OwnerName) -> Position { state.withLock { $0.positions[owner] ?? Position() } }

    /// A commit took numbers up to this one, which is told at this time.
    func raise(_ owner: OwnerName, to position: Int64, at time: Duration) {
        let told: [Watcher]? = state.withLock { state in
            guard position > state.positions[owner]?.number ?? 0 else { return nil }
            state.positions[owner] = Position(number: position, time: time)
            guard let watchers = state.watchers[owner] else { return [] }
            let told = watchers.filter { $0.value.after < position }
            state.watchers[owner] = watchers.count == told.count ? nil : watchers.filter { told[$0.key] == nil }
            return Array(told.values)
        }
        guard let told else { return }
        for watcher in told { watcher.continuation.resume() }
        announcements.wake(owner)
    }

    /// Returns when the owner has a later number than this one; at once when the task is cancelled.
    func wait(for owner: OwnerName, after position: Int64) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    if position < state.positions[owner]?.number ?? 0 { return true }
                    state.watchers[owner, default: [:]][number] = Watcher(after: position, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher: Watcher? = state.withLock { state in
                guard let watcher = state.watchers[owner]?.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil
                }
                if state.watchers[owner]?.isEmpty == true { state.watchers[owner] = nil }
                return watcher
            }
            watcher?.continuation.resume()
        }
        // The cancellation may have come when the wait was over.
        state.withLock { _ = $0.cancelled.remove(number) }
    }
}
