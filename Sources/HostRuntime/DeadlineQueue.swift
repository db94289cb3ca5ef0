// SPDX-License-Identifier: Apache-2.0

import Locking

/// Every deadline of the host in one place: one sleeping task instead of one a request.
///
/// Actions run on the task of `run()`, in the order of their instants; they must be short and never block.
package final class DeadlineQueue: Sendable {
    package struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let instant: Duration
        let id: ID
        let action: @Sendable () -> Void
    }

    fileprivate struct State {
        /// Ordered by instant from `head` on; what lies before it has fired.
        ///
        /// Budgets are mostly equal, so nearly every deadline is the latest one yet and goes to the end.
        var entries: [Entry] = []
        var head = 0
        var live: Set<ID> = []
        var nextNumber: UInt64 = 0
        /// The instant until which the task sleeps; nil while it is awake.
        var sleepingUntil: Duration?
    }

    private let clock: HostClock
    private let state = Locked(State())
    private let earlier = Signal()

    package init(clock: HostClock) {
        self.clock = clock
    }

    /// Runs `action` once when the clock reaches `instant`, unless it is cancelled before.
    @discardableResult
    package func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> ID {
        let (id, mustWake) = state.withLock { state in
            state.nextNumber += 1
            let id = ID(number: state.nextNumber)
            state.live.insert(id)
            state.entries.insert(Entry(instant: instant, id: id, action: action), at: state.position(of: instant))
            return (id, state.sleepingUntil.map { instant < $0 } ?? false)
        }
        if mustWake { earlier.raise() }
        return id
    }

    /// Forgets a deadline; harmless when it has passed.
    package func cancel(_ id: ID) {
        state.withLock { state in
            guard state.live.remove(id) != nil else { return }
            state.dropDeadEntries()
        }
    }

    /// The number of deadlines that may still fire.
    package var count: Int { state.withLock { $0.live.count } }

    /// Fires deadlines until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            for action in takeDue() { action() }
            let next = state.withLock { state in
                let soonest = state.soonest?.instant
                state.sleepingUntil = soonest ?? .seconds(Int64.max)
                return soonest
            }
            await withTaskGroup(of: Void.self) { group in
                if let next {
                    group.addTask { [clock] in try? await clock.sleep(until: next) }
                }
                group.addTask { [earlier] in await earlier.wait() }
                await group.next()
                group.cancelAll()
            }
            state.withLock { $0.sleepingUntil = nil }
        }
    }

    private func takeDue() -> [@Sendable () -> Void] {
        let now = clock.now
        return state.withLock { state in
            var due: [@Sendable () -> Void] = []
            while let entry = state.soonest, entry.instant <= now {
                state.head += 1
                if state.live.remove(entry.id) != nil { due.append(entry.action) }
            }
            state.dropDeadEntries()
            return due
        }
    }
}

extension DeadlineQueue.State {
    fileprivate var soonest: DeadlineQueue.Entry? {
        head < entries.count ? entries[head] : nil
    }

    /// Returns the place of an instant: after all that are not later.
    fileprivate func position(of instant: Duration) -> Int {
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].instant <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Keeps fired and cancelled entries to at most as many as live ones, and a few.
    fileprivate mutating func dropDeadEntries() {
        guard entries.count > 2 * live.count + 64 else { return }
        entries.removeSubrange(..<head)
        head = 0
        let live = live
        entries.removeAll { !live.contains($0.id) }
    }
}
