// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A value that one thread at a time may touch.
///
/// For small state and short work: nothing that blocks, suspends or calls out belongs inside. It is a POSIX mutex and
/// not `Synchronization.Mutex`, because the thread sanitizer sees the one and not the other on Linux: a race detector
/// that cries at every lock finds nothing.
// SAFETY: `value` is reached only through `withLock`, which holds the mutex.
@safe package final class Locked<Value: ~Copyable>: @unchecked Sendable {
    // Only `withLock` uses them; it is compiled into its callers, which would otherwise look the types up at each call.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline var value: Value

    package init(_ value: consuming sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    @inlinable package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
