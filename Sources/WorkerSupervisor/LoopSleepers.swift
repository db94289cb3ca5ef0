// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Tasks that wait for the loop's timer.
///
/// One timer for all of them, which is set when the first of them changes. It counts what `ContinuousClock` does, a
/// suspended machine's time included.
struct LoopSleepers {
    struct Sleeper {
        let id: UInt64
        let instant: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    let timer: CInt
    private var sleepers: [Sleeper] = []
    private var lastID: UInt64 = 0

    init(timer: CInt) {
        self.timer = timer
    }

    mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ sleeper: Sleeper) {
        sleepers.append(sleeper)
        if soonest == sleeper.instant { setTimer() }
    }

    /// The timer stays as it is: going off for nobody costs less than being set.
    mutating func remove(_ id: UInt64) -> Sleeper? {
        sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
    }

    /// Takes out who has slept enough, in the order in which they should have woken.
    mutating func wakeDue() -> [Sleeper] {
        var count: UInt64 = 0
        _ = unsafe read(timer, &count, MemoryLayout<UInt64>.size)
        let now = ContinuousClock.now
        let due = sleepers.filter { $0.instant <= now }.sorted { $0.instant < $1.instant }
        sleepers.removeAll { $0.instant <= now }
        if !sleepers.isEmpty { setTimer() }
        return due
    }

    private var soonest: ContinuousClock.Instant? { sleepers.map(\.instant).min() }

    private func setTimer() {
        guard let soonest else { return }
        // A timer of zero is one that is off.
        let span = max(.nanoseconds(1), soonest - .now)
        var time = itimerspec()
        time.it_value.tv_sec = Int(clamping: span.components.seconds)
        time.it_value.tv_nsec = Int(span.components.attoseconds / 1_000_000_000)
        unsafe timerfd_settime(timer, 0, &time, nil)
    }
}
