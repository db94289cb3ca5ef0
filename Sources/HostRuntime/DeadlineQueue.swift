// SPDX-License-Identifier: Apache-2.0

import Locking

/// Every deadline of the host in one place: one sleeping task instead of one a request.
///
/// Actions run on the task of `run()`, in the order of their instants; they must be short and never block.
package final class DeadlineQueue: Sendable {
    package struct ID: Hashable, Sendable {
        fileprivate let place: Int
        fileprivate let number: UInt64
    }

    fileprivate struct Entry {
        let instant: Duration
        let id: ID
        let action: @Sendable () -> Void
    }

    fileprivate struct State {
        /// A binary heap by instant and number, with entries that were cancelled among them.
        ///
        /// Budgets are mostly equal, so nearly every deadline is later than its parent and stays at the end.
        var entries: [Entry] = []
        /// The number of the deadline that has each place; 0 means that the place is free.
        ///
        /// An entry is live if its place has its number: no hash for each of some ten calls a push.
        var numbers: [UInt64] = []
        var freePlaces: [Int] = []
        var nextNumber: UInt64 = 0
        /// The instant until which the task sleeps; nil while it is awake.
        var sleepingUntil: Duration?

        var liveCount: Int { numbers.count - freePlaces.count }
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
            let id = state.takePlace()
            state.insert(Entry(instant: instant, id: id, action: action))
            return (id, state.sleepingUntil.map { instant < $0 } ?? false)
        }
        if mustWake { earlier.raise() }
        return id
    }

    /// Forgets a deadline; harmless when it has passed.
    package func cancel(_ id: ID) {
        state.withLock { state in
            guard state.giveUpPlace(of: id) else { return }
            state.dropDeadEntries()
        }
    }

    /// The number of deadlines that may still fire.
    package var count: Int { state.withLock { $0.liveCount } }

    /// Fires deadlines until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            for action in takeDue() { action() }
            let next = state.withLock { state in
                let soonest = state.entries.first?.instant
                state.sleepingUntil = soonest ?? .seconds(Int64.max)
                return soonest
            }
            await clock.sleep(until: next, orUntil: earlier)
            state.withLock { $0.sleepingUntil = nil }
        }
    }

    private func takeDue() -> [@Sendable () -> Void] {
        let now = clock.now
        return state.withLock { state in
            var due: [@Sendable () -> Void] = []
            while let entry = state.entries.first, entry.instant <= now {
                state.removeFirst()
                if state.giveUpPlace(of: entry.id) { due.append(entry.action) }
            }
            state.dropDeadEntries()
            return due
        }
    }
}

extension DeadlineQueue.State {
    fileprivate mutating func takePlace() -> DeadlineQueue.ID {
        nextNumber += 1
        guard let place = freePlaces.popLast() else {
            numbers.append(nextNumber)
            return DeadlineQueue.ID(place: numbers.count - 1, number: nextNumber)
        }
        numbers[place] = nextNumber
        return DeadlineQueue.ID(place: place, number: nextNumber)
    }

    /// Returns false for a deadline that has passed or was cancelled.
    fileprivate mutating func giveUpPlace(of id: DeadlineQueue.ID) -> Bool {
        guard isLive(id) else { return false }
        numbers[id.place] = 0
        freePlaces.append(id.place)
        return true
    }

    private func isLive(_ id: DeadlineQueue.ID) -> Bool { numbers[id.place] == id.number }

    /// Keeps cancelled entries to at most as many as live ones, and a few.
    fileprivate mutating func dropDeadEntries() {
        guard entries.count > 2 * liveCount + 64 else { return }
        let numbers = numbers
        entries.removeAll { numbers[$0.id.place] != $0.id.number }
        for index in (0..<entries.count / 2).reversed() { sink(from: index) }
    }

    // MARK: - The heap

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (entries[left].instant, entries[right].instant)
        return one == other ? entries[left].id.number < entries[right].id.number : one < other
    }

    fileprivate mutating func insert(_ entry: DeadlineQueue.Entry) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0, isBefore(index, (index - 1) / 2) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    fileprivate mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        sink(from: 0)
    }

    private mutating func sink(from start: Int) {
        var index = start
        while 2 * index + 1 < entries.count {
            var child = 2 * index + 1
            if child + 1 < entries.count, isBefore(child + 1, child) { child += 1 }
            guard isBefore(child, index) else { return }
            entries.swapAt(child, index)
            index = child
        }
    }
}
