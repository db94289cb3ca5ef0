// SPDX-License-Identifier: Apache-2.0

/// A rate of calls: so many at once, and from then on so many a second.
///
/// Each call takes its share of a second from an account that fills with time; the instants are handed in.
package struct CallRate: Sendable, Equatable {
    package let perSecond: Int
    package let atOnce: Int
    /// The instant at which everything taken so far is paid for.
    private var paid: Duration?

    /// Both numbers are at least 1.
    package init(perSecond: Int, atOnce: Int) {
        self.perSecond = max(1, perSecond)
        self.atOnce = max(1, atOnce)
    }

    /// The rate of an app over its socket.
    package static let app = CallRate(perSecond: 100, atOnce: 1000)
    /// The rate of a worker.
    package static let worker = CallRate(perSecond: 32, atOnce: 256)

    private var share: Duration { .seconds(1) / perSecond }

    /// The time until the next call is allowed; zero means now.
    package func pause(at now: Duration) -> Duration {
        guard let paid else { return .zero }
        return max(.zero, paid - now - share * (atOnce - 1))
    }

    /// Takes one call; false if none is allowed now.
    package mutating func take(at now: Duration) -> Bool {
        guard pause(at: now) == .zero else { return false }
        add(at: now)
        return true
    }

    /// Takes one call, now or later; returns the time until it is allowed.
    package mutating func reserve(at now: Duration) -> Duration {
        let pause = pause(at: now)
        add(at: now)
        return pause
    }

    /// True if the account is as full as it was at the beginning.
    package func isIdle(at now: Duration) -> Bool { paid.map { $0 <= now } ?? true }

    private mutating func add(at now: Duration) { paid = max(paid ?? now, now) + share }
}
