// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing
import UserNotificationCenter

/// The number on an app's icon.
///
/// Source: center.md §11.
struct BadgeTests {
    private static func showing(badge: Bool) -> Showing {
        var showing = Showing()
        showing.badge = badge
        return showing
    }

    @Test(
        arguments: [
            (3, 5, true, 5, true), (3, 0, true, 0, true), (3, nil, true, 3, false), (3, 3, true, 3, false),
            (3, 5, false, 3, false), (3, .max, true, 2_147_483_647, true), (3, -1, true, 0, true),
        ] as [(Int, Int?, Bool, Int, Bool)]
    )
    func `a delivered notification leaves this number`(
        before: Int,
        wanted: Int?,
        isPermitted: Bool,
        after: Int,
        hasChanged: Bool
    ) {
        var badge = Badge(before)
        let changed = badge.deliver(wanted, Self.showing(badge: isPermitted))
        #expect(badge.count == after)
        #expect(changed == hasChanged)
    }

    @Test func `an app sets its number, also to 0`() throws {
        var badge = Badge(3)
        let changes = [
            try badge.set(7, isPermitted: true), try badge.set(7, isPermitted: true),
            try badge.set(0, isPermitted: true),
        ]
        #expect(changes == [true, false, true])
        #expect(badge.count == 0)
        _ = try badge.set(.max, isPermitted: true)
        #expect(badge.count == 2_147_483_647)
    }

    @Test(
        arguments: [(-1, true, .belowZero(-1)), (-1, false, .belowZero(-1)), (1, false, .notAllowed)]
            as [(Int, Bool, BadgeFault)]
    )
    func `a wish that is refused changes nothing`(wanted: Int, isPermitted: Bool, fault: BadgeFault) {
        var badge = Badge(3)
        #expect(throws: fault) { try badge.set(wanted, isPermitted: isPermitted) }
        #expect(badge.count == 3)
    }

    @Test func `a stored number is brought into its range`() {
        #expect(Badge(-5).count == 0)
        #expect(Badge(.max).count == 2_147_483_647)
    }

    @Test func `the owner's number is the sum over the apps`() {
        #expect(Badge.sum(of: []) == 0)
        #expect(Badge.sum(of: [Badge(1), Badge(), Badge(41)]) == 42)
        #expect(Badge.sum(of: Array(repeating: Badge(.max), count: 1000)) == 2_147_483_647_000)
    }
}
