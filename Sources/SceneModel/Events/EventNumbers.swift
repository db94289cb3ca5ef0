// SPDX-License-Identifier: Apache-2.0

/// The numbers that whoever opened a view gives its events, beside those under which they are handed on.
///
/// A pure value, which the host keeps for its processes and the centre for its links. Events are handed on under the
/// numbers 1, 2, 3 …; an event that is not handed on is acknowledged all the same, and one that is handed on for
/// somebody else has the number of the event before it.
package struct EventNumbers: Sendable {
    /// Events of which the acknowledgement is remembered; of more than that the oldest are told with the later ones.
    private static let limit = 1024

    /// Events that were handed on and not acknowledged, in their order.
    private var open: [(own: UInt64, theirs: UInt64)] = []
    /// The last number that was acknowledged or is to be.
    package private(set) var last: UInt64 = 0
    private var acknowledged: UInt64?

    package init() {}

    /// An event is handed on under a number of its own.
    package mutating func sent(_ own: UInt64, as theirs: UInt64) {
        last = theirs
        if open.count == Self.limit { open.removeFirst() }
        open.append((own, theirs))
    }

    /// An event is not handed on; returns its number if it is acknowledged at once, as no event before it is open.
    package mutating func skipped(_ theirs: UInt64) -> UInt64? {
        last = theirs
        guard open.isEmpty else {
            open[open.count - 1].theirs = theirs
            return nil
        }
        acknowledged = theirs
        return theirs
    }

    /// The number under which whoever opened the view knows what is acknowledged; `nil` means none of its events.
    package mutating func acknowledge(_ own: UInt64) -> UInt64? {
        let count = open.prefix { $0.own <= own }.count
        if count > 0 {
            acknowledged = open[count - 1].theirs
            open.removeFirst(count)
        }
        return acknowledged == 0 ? nil : acknowledged
    }
}
