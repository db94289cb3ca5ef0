// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import OSLog
import Testing

struct UnfairLockTests {
    @Test func `threads that fight for a lock lose no count`() {
        let count = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 16_000)
    }

    @Test func `a lock that another thread has is not available`() {
        let lock = OSAllocatedUnfairLock()
        lock.lock()
        lock.precondition(.owner)
        let tried = Locked<[Bool]>([])
        let thread = Thread {
            lock.precondition(.notOwner)
            let took = lock.lockIfAvailable()
            tried.withLock { $0.append(took) }
            let ran = lock.withLockIfAvailable { true }
            tried.withLock { $0.append(ran == true) }
        }
        thread.start()
        let limit = ContinuousClock.now + .seconds(120)
        while tried.withLock({ $0.count }) < 2, ContinuousClock.now < limit { sched_yield() }
        lock.unlock()
        #expect(tried.withLock { $0 } == [false, false])
        #expect(lock.lockIfAvailable())
        lock.unlock()
    }

    @Test func `a lock in memory of one's own knows its owner`() {
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        defer { lock.deallocate() }
        os_unfair_lock_assert_not_owner(lock)
        os_unfair_lock_lock(lock)
        os_unfair_lock_assert_owner(lock)
        #expect(!os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        #expect(os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        #expect(lock.pointee._os_unfair_lock_opaque == 0)
    }

    @Test func `taking a lock twice ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let lock = OSAllocatedUnfairLock()
            lock.lock()
            lock.lock()
        }
    }

    @Test func `giving back a lock that is not held ends the process`() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            OSAllocatedUnfairLock().unlock()
        }
    }
}
