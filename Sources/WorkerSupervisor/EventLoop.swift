// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Locking
import Synchronization

/// One thread that waits for descriptors and runs Swift jobs between them.
///
/// The loop is the executor of the supervisor's actor, so a packet is handled on the thread that saw it arrive, without
/// a hop; and it may be the preferred executor of the pipeline's tasks, so that a push crosses threads only at ingress
/// and at the sinks. Nothing that runs on it may block.
package final class EventLoop: SerialExecutor, TaskExecutor {
    /// The events for which a descriptor is watched, or that it is ready for.
    struct Readiness: OptionSet {
        let rawValue: UInt32
        static let read = Readiness(rawValue: UInt32(EPOLLIN.rawValue))
        static let write = Readiness(rawValue: UInt32(EPOLLOUT.rawValue))
        /// The other end is gone, either bit; reported without being asked for.
        static let hangUp = Readiness(rawValue: UInt32(EPOLLHUP.rawValue | EPOLLERR.rawValue))
    }

    typealias Handler = @Sendable (Readiness) -> Void

    private struct State {
        var jobs: [UnownedJob] = []
        var work: [@Sendable () -> Void] = []
        /// The arrays of the turn before, empty, so that a turn needs no new ones.
        var spareJobs: [UnownedJob] = []
        var spareWork: [@Sendable () -> Void] = []
        /// By registration, never by descriptor number: a number is reused while an event for it may still wait.
        var handlers: [UInt64: Handler] = [:]
        /// The first two are the loop's own.
        var nextRegistration: UInt64 = 2
        var isStopped = false
    }

    private static let keptCapacity = 1024
    private static let wakeupRegistration: UInt64 = 0
    private static let timerRegistration: UInt64 = 1

    private let epoll: CInt
    private let wakeup: CInt
    private let thread = Atomic<UInt>(0)
    private let state = Locked(State())
    private let timer: CInt
    private let sleepers: Locked<LoopSleepers>

    package init() throws(SystemError) {
        epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("epoll_create1", errno) }
        wakeup = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else {
            close(epoll)
            throw SystemError("eventfd", errno)
        }
        timer = timerfd_create(CLOCK_BOOTTIME, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timer >= 0 else {
            close(epoll)
            close(wakeup)
            throw SystemError("timerfd_create", errno)
        }
        sleepers = Locked(LoopSleepers(timer: timer))
        try control(EPOLL_CTL_ADD, wakeup, registration: Self.wakeupRegistration, interest: .read)
        try control(EPOLL_CTL_ADD, timer, registration: Self.timerRegistration, interest: .read)
        try startThread()
    }

    deinit {
        close(timer)
        close(wakeup)
        close(epoll)
    }

    /// Runs `work` on the loop's thread, after the jobs that wait there.
    func perform(_ work: @escaping @Sendable () -> Void) {
        let mustWake = state.withLock { state in
            state.work.append(work)
            return state.jobs.isEmpty && state.work.count == 1
        }
        if mustWake { wake() }
    }

    /// Runs `work` at once when called on the loop's thread, and like `perform` elsewhere.
    func performSoonest(_ work: @escaping @Sendable () -> Void) {
        if isOnThread { work() } else { perform(work) }
    }

    func withSleepers<Result>(_ body: (inout LoopSleepers) -> Result) -> Result {
        sleepers.withLock(body)
    }

    /// Ends the thread after what waits; jobs enqueued later never run.
    package func stop() {
        state.withLock { $0.isStopped = true }
        wake()
    }
}

// MARK: Executor

extension EventLoop {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            return state.work.isEmpty && state.jobs.count == 1
        }
        if mustWake { wake() }
    }

    package func checkIsolated() {
        precondition(isOnThread, "the event loop's actor is used on another thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isOnThread
    }

    private var isOnThread: Bool {
        thread.load(ordering: .relaxed) == UInt(pthread_self())
    }
}

// MARK: Descriptors

extension EventLoop {
    /// Calls `handler` on the loop's thread whenever the descriptor is ready for `interest`, until it is forgotten.
    func register(_ descriptor: CInt, interest: Readiness, handler: @escaping Handler) throws(SystemError) -> UInt64 {
        let registration = state.withLock { state in
            defer { state.nextRegistration += 1 }
            state.handlers[state.nextRegistration] = handler
            return state.nextRegistration
        }
        do {
            try control(EPOLL_CTL_ADD, descriptor, registration: registration, interest: interest)
        } catch {
            state.withLock { $0.handlers[registration] = nil }
            throw error
        }
        return registration
    }

    func change(_ descriptor: CInt, registration: UInt64, interest: Readiness) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, registration: registration, interest: interest)
    }

    /// No call of the handler begins after this returns on the loop's thread.
    func forget(_ descriptor: CInt, registration: UInt64) {
        state.withLock { $0.handlers[registration] = nil }
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    private func control(
        _ operation: CInt,
        _ descriptor: CInt,
        registration: UInt64,
        interest: Readiness
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data_t(u64: registration))
        guard unsafe epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw SystemError("epoll_ctl", errno) }
    }
}

// MARK: The thread

extension EventLoop {
    private func startThread() throws(SystemError) {
        var handle = pthread_t()
        // The thread holds the loop until it ends.
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe pthread_create(
            &handle,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                let loop = unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                loop.thread.store(UInt(pthread_self()), ordering: .relaxed)
                loop.runUntilStopped()
                return nil
            },
            context
        )
        guard result == 0 else {
            unsafe Unmanaged<EventLoop>.fromOpaque(context).release()
            throw SystemError("pthread_create", result)
        }
        pthread_detach(handle)
    }

    private func wake() {
        guard !isOnThread else { return }
        var one: UInt64 = 1
        _ = unsafe write(wakeup, &one, MemoryLayout<UInt64>.size)
    }

    private func runUntilStopped() {
        var events = unsafe [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let (hasWork, isStopped) = state.withLock { state in
                (!state.jobs.isEmpty || !state.work.isEmpty, state.isStopped)
            }
            if isStopped, !hasWork { return }
            let count = unsafe epoll_wait(epoll, &events, CInt(events.count), hasWork ? 0 : -1)
            for index in 0..<max(0, Int(count)) {
                unsafe handle(events[index])
            }
            // Work makes work: a few turns before the descriptors are asked again, never so many that they starve.
            var turns = 0
            while turns < 8, runWaiting() { turns += 1 }
        }
    }

    private func handle(_ event: epoll_event) {
        let registration = unsafe event.data.u64
        switch registration {
        case Self.wakeupRegistration:
            var counter: UInt64 = 0
            _ = unsafe read(wakeup, &counter, MemoryLayout<UInt64>.size)
        case Self.timerRegistration:
            for sleeper in withSleepers({ $0.wakeDue() }) { sleeper.continuation.resume() }
        default:
            let handler = state.withLock { $0.handlers[registration] }
            handler?(Readiness(rawValue: unsafe event.events))
        }
    }

    /// Runs what waits now, and tells whether anything did.
    ///
    /// Jobs and work enqueued meanwhile wait for the next turn.
    private func runWaiting() -> Bool {
        var (jobs, work) = state.withLock { state in
            defer {
                (state.jobs, state.work) = (state.spareJobs, state.spareWork)
                (state.spareJobs, state.spareWork) = ([], [])
            }
            return (state.jobs, state.work)
        }
        for job in jobs {
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: asUnownedTaskExecutor()
            )
        }
        for work in work { work() }
        let ranAny = !jobs.isEmpty || !work.isEmpty
        // The room of a crowd is given back with it.
        jobs.removeAll(keepingCapacity: jobs.capacity <= Self.keptCapacity)
        work.removeAll(keepingCapacity: work.capacity <= Self.keptCapacity)
        state.withLock { [jobs, work] state in (state.spareJobs, state.spareWork) = (jobs, work) }
        return ranAny
    }
}
