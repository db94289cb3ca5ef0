// SPDX-License-Identifier: Apache-2.0

private import Locking

/// A clock that stands still until it is advanced.
///
/// Sleepers are resumed, earliest first, by the advance that reaches their instant. A test waits for
/// `sleeper(until:)` before it advances, so that it never races the code that goes to sleep.
package final class ManualClock: Clock {
    package struct Instant: InstantProtocol {
        package let offset: Swift.Duration

        package init(offset: Swift.Duration) {
            self.offset = offset
        }

        package func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: UInt64
        let wake: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Watcher {
        let wake: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var lastID: UInt64 = 0
        var sleepCount = 0
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant { state.withLock(\.now) }
    package var minimumResolution: Swift.Duration { .zero }

    /// The number of sleeps that ever began.
    package var sleepCount: Int { state.withLock(\.sleepCount) }

    package func sleep(until wake: Instant, tolerance: Swift.Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isComplete = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(Sleeper(id: id, wake: wake, continuation: continuation))
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(returning: false)
        }
        guard isComplete else { throw CancellationError() }
    }

    private func enter(_ sleeper: Sleeper) {
        let (answer, watchers) = state.withLock { state -> (Bool?, [Watcher]) in
            if Task.isCancelled { return (false, []) }
            state.sleepCount += 1
            if sleeper.wake <= state.now { return (true, []) }
            state.sleepers.append(sleeper)
            let watchers = state.watchers.filter { $0.wake == sleeper.wake }
            state.watchers.removeAll { $0.wake == sleeper.wake }
            return (nil, watchers)
        }
        if let answer { sleeper.continuation.resume(returning: answer) }
        for watcher in watchers { watcher.continuation.resume() }
    }

    /// Returns once somebody sleeps until exactly this instant, counted from the clock's start.
    package func sleeper(until offset: Swift.Duration) async {
        let wake = Instant(offset: offset)
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.contains(where: { $0.wake == wake }) { return true }
                state.watchers.append(Watcher(wake: wake, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock, never backwards.
    package func advance(to offset: Swift.Duration) {
        let due = state.withLock { state in
            state.now = max(state.now, Instant(offset: offset))
            let now = state.now
            let due = state.sleepers.filter { $0.wake <= now }
            state.sleepers.removeAll { $0.wake <= now }
            return due
        }
        for sleeper in due.sorted(by: { $0.wake < $1.wake }) { sleeper.continuation.resume(returning: true) }
    }

    package func advance(by duration: Swift.Duration) {
        advance(to: now.offset + duration)
    }
}
