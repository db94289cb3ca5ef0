// SPDX-License-Identifier: Apache-2.0

import CenterStore
import HTTPServing
package import NIOCore

/// Credentials that were none, by the callers that showed them, within a minute.
///
/// A stranger over the limits hears 429 in place of 401; who is known is served all the same, so that nobody can keep
/// the owner out.
struct FailureCount {
    private static let window: WallTime = 60_000
    private static let callerLimit = 10
    private static let limit = 100

    private var failures: [(time: WallTime, caller: CallerAddress)] = []

    /// Takes one; true if it is one too many.
    mutating func add(_ caller: CallerAddress, at now: WallTime) -> Bool {
        failures.removeAll { $0.time <= now - Self.window || $0.time > now }
        let isTooMany = failures.count >= Self.limit || failures.count { $0.caller == caller } >= Self.callerLimit
        // More of them would tell nothing new.
        if failures.count < Self.limit { failures.append((now, caller)) }
        return isTooMany
    }
}

/// The address of a caller, as far as failures are counted by it: one of IPv4, the first half of one of IPv6, and each
/// of this machine's own.
package struct CallerAddress: Equatable, Sendable {
    private let source: PeerSource
    /// `nil` means that the source says it all.
    private let own: String?

    package init(_ address: SocketAddress?) {
        source = PeerSource(address)
        own = source.isCounted ? nil : address?.ipAddress
    }
}
