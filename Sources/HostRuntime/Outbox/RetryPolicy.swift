// SPDX-License-Identifier: Apache-2.0

/// Decides when a record is tried again, and when no more.
package struct RetryPolicy: Sendable {
    /// The wait after the first failure; each further failure doubles the wait.
    package var first: Duration = .seconds(1)
    /// The longest wait, whoever asks for it.
    package var longest: Duration = .seconds(3600)
    /// Failed attempts after which a record becomes a dead letter: with the waits above, about a day.
    package var maximumAttempts = 36

    package init() {}

    /// The wait after so many failed attempts, 1 and up.
    ///
    /// `random` is in 0..<1 and shortens it by up to a half, so that what failed together does not come back together.
    /// A wish of the other side is a lower bound.
    func wait(afterAttempts attempts: Int, wish: Duration?, random: Double) -> Duration {
        let doubled = attempts > 20 ? longest : min(first * (1 << (attempts - 1)), longest)
        let milliseconds = Double(doubled.nanoseconds / 1_000_000)
        return min(max(.milliseconds(Int(milliseconds * (1 - random / 2))), wish ?? .zero), longest)
    }
}
