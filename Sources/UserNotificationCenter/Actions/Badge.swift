// SPDX-License-Identifier: Apache-2.0

/// The number on an app's icon, of one owner: 0 to 2³¹−1, and 0 shows none.
///
/// Notifications set it in the order of their delivery. A notification that is replaced or removed takes nothing back,
/// because no sender counts for two devices.
/// Source: center.md §11.
package struct Badge: Sendable, Equatable {
    package static let limit = NotificationTraits.countLimit

    package private(set) var count: Int

    /// Brings the number into its range.
    package init(_ count: Int = 0) {
        self.count = min(max(0, count), Self.limit)
    }

    /// Applies the badge of a notification that was decided about, whether or not anything of it is shown; true if the
    /// number changed.
    ///
    /// `nil` leaves the number as it is.
    package mutating func deliver(_ wanted: Int?, _ showing: Showing) -> Bool {
        guard let wanted, showing.badge else { return false }
        return change(to: wanted)
    }

    /// Sets the number on the app's own wish; true if it changed.
    ///
    /// A number above 2³¹−1 becomes 2³¹−1. The list stays as it is, also at 0.
    package mutating func set(_ wanted: Int, isPermitted: Bool) throws(BadgeFault) -> Bool {
        guard wanted >= 0 else { throw .belowZero(wanted) }
        guard isPermitted else { throw .notAllowed }
        return change(to: wanted)
    }

    /// The number on the icon that stands for all apps of an owner.
    package static func sum(of badges: some Sequence<Badge>) -> Int64 {
        // At most 1,000 installations of an owner: the sum stays far below 2⁶³.
        badges.reduce(0) { $0 + Int64($1.count) }
    }

    private mutating func change(to wanted: Int) -> Bool {
        let former = self
        self = Badge(wanted)
        return self != former
    }
}

/// The reason for which an app's wish for a badge is refused.
package enum BadgeFault: Error, Equatable {
    /// Apple's error 1600.
    case belowZero(Int)
    /// Apple's error 1: the owner allows the app no badge.
    case notAllowed
}
