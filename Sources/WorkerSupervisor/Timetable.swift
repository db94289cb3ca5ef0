// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The time as one owner of the supervisor's state knows it, and its way back to the event loop.
///
/// An owner is no `Sendable`: it belongs to the supervisor's actor and is called on the loop's thread alone. Whatever
/// comes from elsewhere, a deadline, a descriptor or another queue, is a closure that crosses threads and must not
/// hold the owner, so the closure gets it as its argument. Nothing runs once the supervisor is gone.
struct Timetable<Owner: AnyObject>: Sendable {
    let loop: EventLoop
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    private let visit: @Sendable (@Sendable (Owner) -> Void) -> Void

    /// `visit` is called on the loop's thread alone and calls what it gets with the owner.
    init(
        loop: EventLoop,
        clock: HostClock,
        deadlines: DeadlineQueue,
        visit: @escaping @Sendable (@Sendable (Owner) -> Void) -> Void
    ) {
        self.loop = loop
        self.clock = clock
        self.deadlines = deadlines
        self.visit = visit
    }

    var now: Duration { clock.now }

    /// Ends the program unless it is called on the loop's thread.
    ///
    /// For what an owner does behind an `await`: the way back to the loop is inherited from the caller, and nothing
    /// else would tell that it was lost.
    func preconditionIsolated() { loop.checkIsolated() }

    /// Has the owner do something at an instant of the clock.
    func schedule(at instant: Duration, _ work: @escaping @Sendable (Owner) -> Void) -> DeadlineQueue.ID {
        deadlines.schedule(at: instant) { [loop, visit] in
            loop.performSoonest { visit(work) }
        }
    }

    /// Forgets a deadline; harmless when it has passed.
    func cancel(_ id: DeadlineQueue.ID) {
        deadlines.cancel(id)
    }

    /// Has the owner do something on the loop's thread, after the jobs that wait there.
    func perform(_ work: @escaping @Sendable (Owner) -> Void) {
        loop.perform { [visit] in visit(work) }
    }

    /// Has the owner do something at once; for the handlers that the loop calls.
    func performNow(_ work: @Sendable (Owner) -> Void) {
        visit(work)
    }
}
