// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// Numbers of records that a transaction committed: the fewest ranges that hold these numbers and no other.
///
/// Shape: ranges ascend, and between two of them a number is missing; at most 1,024.
package struct TakenRanges: Sendable, Equatable {
    package static let limit = 1024

    /// Ascending; no two of them touch.
    package let ranges: [ClosedRange<Int64>]

    /// Merges the numbers of a batch, in any order and repeated at will; a number below 1 is left out.
    ///
    /// `nil` means that there is nothing to say, or more than 1,024 ranges of it, which a batch of as many records
    /// never has.
    package init?(_ numbers: some Sequence<Int64>) {
        var ranges: [ClosedRange<Int64>] = []
        for number in numbers.sorted() where number > 0 {
            if let last = ranges.last, number - 1 <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        guard (1...Self.limit).contains(ranges.count) else { return nil }
        self.ranges = ranges
    }

    /// The number of numbers; many when a peer says so, hence no `Int` of its own: `UInt64` holds each sum of disjoint
    /// ranges.
    package var count: UInt64 {
        ranges.reduce(0) { $0 + UInt64($1.upperBound - $1.lowerBound) + 1 }
    }
}

extension TakenRanges {
    var json: JSON { .array(ranges.map { [.integer($0.lowerBound), .integer($0.upperBound)] }) }

    /// Takes `ranges`: pairs of numbers above 0, ascending and disjoint.
    ///
    /// Two ranges may touch: what is fewest is the centre's own concern.
    init(_ members: inout Members) throws(MemberFault) {
        let path = members.path(of: "ranges")
        guard let list = try members.optionalList("ranges", atMost: Self.limit) else { throw .missing(path) }
        guard !list.isEmpty else { throw .empty(path) }
        var ranges: [ClosedRange<Int64>] = []
        for value in list {
            guard let pair = value.array, pair.count == 2, let first = pair[0].integer, let last = pair[1].integer
            else {
                throw .wrongKind(path)
            }
            guard first > ranges.last?.upperBound ?? 0, first <= last else { throw .outOfRange(path) }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }
}
