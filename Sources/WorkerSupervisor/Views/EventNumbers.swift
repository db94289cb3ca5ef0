// SPDX-License-Identifier: Apache-2.0

/// The numbers that whoever opened a view gives its events, beside those that the view's process knows them by.
///
/// A pure value. A process gets the numbers 1, 2, 3 …; whoever opened the view may leave some out, because an event that
/// the scene does not offer reaches no process and is acknowledged all the same.
struct EventNumbers {
    /// Events that the process has not acknowledged, in their order; bounded by those that it leaves unread.
    private var open: [(own: UInt64, theirs: UInt64)] = []
    /// The last number that was acknowledged or is to be.
    private(set) var last: UInt64 = 0
    private var acknowledged: UInt64?

    /// An event goes to the process under its own number.
    mutating func sent(_ own: UInt64, as theirs: UInt64) {
        last = theirs
        open.append((own, theirs))
    }

    /// An event reaches no process; returns its number if it is acknowledged at once, as no event before it is open.
    mutating func skipped(_ theirs: UInt64) -> UInt64? {
        last = theirs
        guard open.isEmpty else {
            open[open.count - 1].theirs = theirs
            return nil
        }
        acknowledged = theirs
        return theirs
    }

    /// The number under which whoever opened the view knows what the process acknowledges.
    mutating func acknowledge(_ own: UInt64) -> UInt64? {
        let count = open.prefix { $0.own <= own }.count
        if count > 0 {
            acknowledged = open[count - 1].theirs
            open.removeFirst(count)
        }
        return acknowledged
    }
}
