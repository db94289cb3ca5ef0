// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// Many apps that want to start at once.
struct StartOrderTests {
    private static let limit = Roster.orderLimit

    /// Makes a roster with all orders that there may be, one an app; the other apps asked once and were postponed.
    private func crowdedRoster(apps: Int, waiting: Set<Int> = []) -> Roster {
        var roster = Roster((0..<apps).map { _ in Roster.Terms() }, bounds: .init(processes: 100))
        for app in 0..<apps {
            let step = roster.nextStep(for: app, .init(count: waiting.contains(app) ? 1 : 0), now: .zero)
            #expect(step == (app < Self.limit ? .start : nil))
            if step == .start { roster.started(UInt64(app), for: app) }
        }
        return roster
    }

    @Test func `a start beyond the limit waits until the launcher has answered`() {
        var roster = crowdedRoster(apps: Self.limit + 2)
        #expect(roster.nextPostponed() == nil)
        roster.orderAnswered(0, of: 0)
        #expect(roster.nextPostponed() == Self.limit)
        #expect(roster.nextStep(for: Self.limit, .init(), now: .zero) == .start)
        roster.started(100, for: Self.limit)
        #expect(roster.nextPostponed() == nil)
        #expect(roster.postponed == [Self.limit + 1])
    }

    @Test func `an app with a notification starts before those without`() {
        var roster = crowdedRoster(apps: Self.limit + 4, waiting: [Self.limit + 2])
        #expect(roster.postponed == [10, 8, 9, 11])
        // A notification arrives for one that was postponed already.
        #expect(roster.nextStep(for: 11, .init(count: 1), now: .zero) == nil)
        #expect(roster.postponed == [10, 11, 8, 9])
        roster.remove(3, of: 3)
        #expect(roster.nextPostponed() == 10)
        #expect(roster.nextPostponed() == 11)
    }
}
