// SPDX-License-Identifier: Apache-2.0

// SAFETY: the state is reached only with the lock held, or by a caller who says that he takes care himself.
/// A lock on the heap with the state it guards.
///
/// The lock, as Apple's, is not recursive: a thread that takes it twice ends the process.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// The relation between the calling thread and the lock, for `precondition` to check.
    public enum Ownership: Sendable, Hashable {
        /// This thread has the lock.
        case owner
        /// This thread does not have the lock.
        case notOwner
    }

    private final class Storage {
        let lock: os_unfair_lock_t
        var state: State

        init(_ state: State) {
            unsafe lock = .allocate(capacity: 1)
            unsafe lock.initialize(to: os_unfair_lock_s())
            self.state = state
        }

        deinit {
            unsafe lock.deallocate()
        }
    }

    private let storage: Storage

    /// A lock over a state that need not be sendable; keeping it in is the caller's part.
    public init(uncheckedState initialState: State) {
        storage = Storage(initialState)
    }

    /// Runs the body with the lock held; what it returns need not be sendable.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        unsafe os_unfair_lock_lock(storage.lock)
        defer { unsafe os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Runs the body with the lock held.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs the body with the lock held; nil, and nothing run, when another thread has it.
    public func withLockIfAvailableUnchecked<Result>(
        _ body: (inout State) throws -> Result
    ) rethrows -> Result? {
        guard unsafe os_unfair_lock_trylock(storage.lock) else { return nil }
        defer { unsafe os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Runs the body with the lock held; nil, and nothing run, when another thread has it.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Ends the process when the condition does not hold.
    public func precondition(_ condition: Ownership) {
        switch condition {
        case .owner: unsafe os_unfair_lock_assert_owner(storage.lock)
        case .notOwner: unsafe os_unfair_lock_assert_not_owner(storage.lock)
        }
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// A lock over a state.
    public init(initialState: State) {
        self.init(uncheckedState: initialState)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock that guards nothing of its own.
    public init() {
        self.init(uncheckedState: ())
    }

    /// Takes the lock, waiting for it; the same thread gives it back.
    public func lock() { unsafe os_unfair_lock_lock(storage.lock) }

    /// Gives the lock back.
    public func unlock() { unsafe os_unfair_lock_unlock(storage.lock) }

    /// Takes the lock if nobody has it; false otherwise.
    public func lockIfAvailable() -> Bool { unsafe os_unfair_lock_trylock(storage.lock) }

    /// Runs the body with the lock held.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs the body with the lock held; what it returns need not be sendable.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs the body with the lock held; nil, and nothing run, when another thread has it.
    public func withLockIfAvailable<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
}
