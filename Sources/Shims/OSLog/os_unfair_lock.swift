// SPDX-License-Identifier: Apache-2.0

import CUnfairLock

/// A lock of four bytes.
///
/// The lock, as Apple's, knows its owner, and a thread that takes it twice, or gives back what it does not hold, ends
/// the process. It must not move while it is in use; in Swift that means memory of the caller's own, or
/// `OSAllocatedUnfairLock`. Apple's also lends the owner the priority of those who wait; this one does not.
public struct os_unfair_lock_s: Sendable {
    /// The owner's thread number, and in the top bit whether others wait.
    public var _os_unfair_lock_opaque: UInt32

    /// An open lock.
    public init() {
        _os_unfair_lock_opaque = 0
    }
}

/// A lock of four bytes.
public typealias os_unfair_lock = os_unfair_lock_s
/// The address of a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Takes the lock, waiting for it; ends the process when this thread has it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    unsafe lock.withMemoryRebound(to: UInt32.self, capacity: 1) { unsafe unfair_lock_take($0) }
}

/// Takes the lock if nobody has it; false otherwise.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    unsafe lock.withMemoryRebound(to: UInt32.self, capacity: 1) { unsafe unfair_lock_try($0) }
}

/// Gives the lock back; ends the process when this thread does not have it.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    unsafe lock.withMemoryRebound(to: UInt32.self, capacity: 1) { unsafe unfair_lock_give($0) }
}

/// Ends the process when this thread does not have the lock.
public func os_unfair_lock_assert_owner(_ lock: UnsafePointer<os_unfair_lock_s>) {
    precondition(unsafe isOwner(lock), "os_unfair_lock: this thread does not have the lock")
}

/// Ends the process when this thread has the lock.
public func os_unfair_lock_assert_not_owner(_ lock: UnsafePointer<os_unfair_lock_s>) {
    precondition(unsafe !isOwner(lock), "os_unfair_lock: this thread has the lock")
}

private func isOwner(_ lock: UnsafePointer<os_unfair_lock_s>) -> Bool {
    unsafe lock.withMemoryRebound(to: UInt32.self, capacity: 1) { unsafe unfair_lock_is_mine($0) }
}
