// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import Locking

/// The values that the store has by their keys, kept at hand for what arrives.
///
/// Bounded: over its limit everything is forgotten and read again.
final class StoreCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let read: @Sendable (Key) throws(DatabaseFailure) -> Value?
    private let known = Locked<[Key: Value]>([:])

    /// `read` asks the store; `nil` means that it has nothing of the key yet, which is not kept.
    init(limit: Int, read: @escaping @Sendable (Key) throws(DatabaseFailure) -> Value?) {
        self.limit = limit
        self.read = read
    }

    func value(of key: Key) throws(DatabaseFailure) -> Value? {
        if let value = known.withLock({ $0[key] }) { return value }
        guard let value = try read(key) else { return nil }
        // Whoever changed it meanwhile has noted what the store has now.
        return known.withLock { known in
            if let newer = known[key] { return newer }
            if known.count < limit { known[key] = value }
            return value
        }
    }

    /// The store has another value from now on.
    func note(_ value: Value, of key: Key) {
        known.withLock { known in
            if known.count >= limit { known = [:] }
            known[key] = value
        }
    }
}
