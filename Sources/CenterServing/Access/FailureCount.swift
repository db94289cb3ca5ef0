// SPDX-License-Identifier: Apache-2.0

import CenterStore

/// Credentials that were none, by the addresses that showed them, within a minute.
///
/// A stranger over the limits hears 429 in place of 401; who is known is served all the same, so that nobody can keep the
/// owner out.
struct FailureCount {
    private static let window: WallTime = 60_000
    private static let addressLimit = 10
    private static let limit = 100

    private var failures: [(time: WallTime, address: String)] = []

    /// Takes one; true if it is one too many.
    mutating func add(_ address: String, at now: WallTime) -> Bool {
        failures.removeAll { $0.time <= now - Self.window || $0.time > now }
        let isTooMany =
            failures.count >= Self.limit || failures.count { $0.address == address } >= Self.addressLimit
        // More of them would tell nothing new.
        if failures.count < Self.limit { failures.append((now, address)) }
        return isTooMany
    }
}
