// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The processor time of a view between looks at it: a value that looks at nothing itself.
struct ViewUse {
    /// The instant and the processor time from which use without an event counts.
    private var mark: (since: Duration, used: Duration)?

    /// The reason for which a view may not go on; `nil` means that it may.
    ///
    /// `used` is the processor time of its life, and `stirred` the instant of its last event.
    mutating func excess(
        memoryByteCount: UInt64,
        limitByteCount: UInt64,
        used: Duration,
        stirred: Duration,
        now: Duration
    ) -> ViewEnd? {
        if memoryByteCount > limitByteCount { return .memoryLimitExceeded }
        if used > ViewRules.processorTime { return .cpu }
        guard let mark, mark.since >= stirred else {
            mark = (now, used)
            return nil
        }
        guard now - mark.since >= ViewRules.quietSpan else { return nil }
        self.mark = (now, used)
        return (used - mark.used) * 2 > now - mark.since ? .cpu : nil
    }
}
