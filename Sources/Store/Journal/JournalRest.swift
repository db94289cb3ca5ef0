// SPDX-License-Identifier: Apache-2.0

/// Tells a pause between two pushes from the end of a crowd.
///
/// A pause of a second is time enough to copy the log. The pages that a crowd needed are given back later, once: a next
/// one that comes within some seconds would have the kernel lay out each of them anew.
struct JournalRest {
    /// The quiet after which pages are given back, in milliseconds of journal time.
    static let length: Int64 = 10_000

    private enum State {
        case busy
        case quiet(since: Int64)
        case atRest
    }

    private var hasCommitted = false
    private var state = State.busy

    /// Notes that something was written.
    mutating func committed() { hasCommitted = true }

    /// Returns whether nothing was written since the last look, at an instant of journal time.
    mutating func isQuiet(at now: Int64) -> Bool {
        defer { hasCommitted = false }
        if hasCommitted {
            state = .busy
        } else if case .busy = state {
            state = .quiet(since: now)
        }
        return !hasCommitted
    }

    /// Returns whether the quiet has lasted for `length`, once for each.
    mutating func begins(at now: Int64) -> Bool {
        guard case .quiet(let start) = state, now - start >= Self.length else { return false }
        state = .atRest
        return true
    }
}
