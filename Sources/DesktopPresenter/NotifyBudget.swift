// SPDX-License-Identifier: Apache-2.0

/// The calls that a daemon may get: four a second, and eight at once after a rest.
///
/// A daemon takes up to 7 ms for a popup, and draws every one of them.
struct NotifyBudget: Sendable, Equatable {
    static let burst = 8
    static let pause = Duration.milliseconds(250)

    /// The moment at which the budget is whole again.
    private var isWholeAt = Duration.zero

    /// The next moment at which a call may be made; `now` means at once.
    func nextCall(at now: Duration) -> Duration { max(now, isWholeAt - Self.pause * (Self.burst - 1)) }

    /// Counts a call that is made.
    mutating func spend(at now: Duration) { isWholeAt = max(now, isWholeAt) + Self.pause }
}
