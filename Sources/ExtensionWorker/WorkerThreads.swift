// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import Locking

/// Threads for code that may block for as long as it likes: one job a thread, never a shared pool.
///
/// A thread that finished its job waits for another; more than `parkedLimit` waiting ones end. The number of busy
/// threads has no limit of its own: the host bounds the requests, and each has two jobs at most.
package final class WorkerThreads: Sendable {
    /// Thread stacks count as data of the process, whose limit is small.
    static let stackByteCount = 512 << 10

    private let parkedLimit: Int
    private let parked = Locked<[Parked]>([])

    init(parkedLimit: Int = 4) {
        self.parkedLimit = parkedLimit
    }

    /// A waiting thread and the job it is handed.
    private final class Parked: Sendable {
        let job = Locked<(@Sendable () -> Void)?>(nil)
        let wake = DispatchSemaphore(value: 0)

        func takeJob() -> (@Sendable () -> Void)? {
            job.withLock { job in
                defer { job = nil }
                return job
            }
        }
    }

    deinit {
        // Woken without a job, a thread ends.
        for place in parked.withLock({ $0 }) {
            place.wake.signal()
        }
    }

    /// Runs a job on a thread of its own; false when the system gives no thread, and the job does not run.
    func run(_ job: @escaping @Sendable () -> Void) -> Bool {
        guard let waiting = parked.withLock({ $0.popLast() }) else { return start(job) }
        waiting.job.withLock { $0 = job }
        waiting.wake.signal()
        return true
    }

    private func start(_ job: @escaping @Sendable () -> Void) -> Bool {
        Self.startThread { [weak self] in
            job()
            let place = Parked()
            while self?.park(place) == true {
                place.wake.wait()
                guard let next = place.takeJob() else { return }
                next()
            }
        }
    }

    private func park(_ place: Parked) -> Bool {
        parked.withLock { parked in
            guard parked.count < parkedLimit else { return false }
            parked.append(place)
            return true
        }
    }

    /// Foundation's `Thread` would hide that the system refused one.
    package static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard unsafe pthread_attr_init(&attributes) == 0 else { return false }
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let box = unsafe Unmanaged.passRetained(ThreadBody(body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let box = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
                box.body()
                return nil
            },
            box.toOpaque()
        )
        if result != 0 { unsafe box.release() }
        return result == 0
    }
}

private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
