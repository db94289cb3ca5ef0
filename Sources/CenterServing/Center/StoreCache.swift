// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Locking

/// The values that the store has by their keys, kept at hand for what arrives.
///
/// Bounded: over its limit everything is forgotten and read again.
final class StoreCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var known: [Key: Value] = [:]
        /// The number of times that a value was forgotten because the store has it no more.
        var removals = 0
    }

    private let limit: Int
    private let read: @Sendable (Key) throws(DatabaseFailure) -> Value?
    private let state = Locked(State())

    /// `read` asks the store; `nil` means that it has nothing of the key yet, which is not kept.
    init(limit: Int, read: @escaping @Sendable (Key) throws(DatabaseFailure) -> Value?) {
        self.limit = limit
        self.read = read
    }

    func value(of key: Key) throws(DatabaseFailure) -> Value? {
        let (kept, removals) = state.withLock { ($0.known[key], $0.removals) }
        if let kept { return kept }
        guard let value = try read(key) else { return nil }
        // Whoever changed it meanwhile has noted what the store has now.
        return state.withLock { state in
            if let newer = state.known[key] { return newer }
            // What was read may be gone by now.
            if state.known.count < limit, state.removals == removals { state.known[key] = value }
            return value
        }
    }

    /// The store has another value from now on.
    func note(_ value: Value, of key: Key) {
        state.withLock { state in
            if state.known.count >= limit { state.known = [:] }
            state.known[key] = value
        }
    }

    /// The store has nothing of the key from now on.
    func forget(_ key: Key) {
        state.withLock { state in
            state.known[key] = nil
            state.removals += 1
        }
    }
}
