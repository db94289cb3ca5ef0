// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// Journal time: milliseconds of running since the journal was made, whatever the clock on the wall does.
struct JournalTime: Sendable {
    static let day: Int64 = 24 * 60 * 60 * 1000
    static let minute: Int64 = 60 * 1000

    private let clock: HostClock
    private let origin: Duration
    private let start: Int64

    /// Continues at `start`, now.
    init(_ clock: HostClock, continuingAt start: Int64) {
        self.clock = clock
        self.start = start
        origin = clock.now
    }

    var now: Int64 { start + (clock.now - origin).milliseconds }
}

extension Duration {
    /// Whole ones, rounded down.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
