// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The conclusions that are drawn from looks at a worker, without a process.
struct WorkerUsageTests {
    @Test func `a worker at rest is looked at every quarter of a second`() {
        var usage = WorkerUsage()
        usage.enteredService(now: .seconds(1))
        let dues = [1249, 1250, 1251, 1500].map { usage.isDueAtRest(now: .milliseconds($0)) }
        #expect(dues == [false, true, false, true])
    }

    @Test func `a request puts the next look at a worker at rest off`() {
        var usage = WorkerUsage()
        usage.enteredService(now: .zero)
        usage.becameIdle(now: .milliseconds(200))
        let dues = [250, 450].map { usage.isDueAtRest(now: .milliseconds($0)) }
        #expect(dues == [false, true])
    }

    @Test func `a scratch folder is asked about at once, and then every quarter of a second at most`() {
        var usage = WorkerUsage()
        let dues = [0, 249, 250, 499, 500].map { milliseconds in
            let now = Duration.milliseconds(milliseconds)
            let isDue = usage.isScratchDue(now: now)
            if isDue { usage.askedAboutScratch(now: now) }
            return isDue
        }
        #expect(dues == [true, false, true, false, true])
    }

    @Test func `turns are not changed before the first completion`() {
        var usage = WorkerUsage()
        let turns = usage.turns(used: .seconds(1))
        #expect(turns == nil)
        #expect(usage.hasShortTurns == nil)
    }

    @Test func `turns are long after a look at which more than a millisecond was used, and short again`() {
        var usage = WorkerUsage()
        usage.earnedTurns(used: .milliseconds(10))
        let turns = [11, 13, 15, 16, 16].map { usage.turns(used: .milliseconds($0)) }
        #expect(turns == [nil, false, nil, true, nil])
    }

    @Test func `a worker burns that uses a quarter of a core, told every 50 ms`() {
        var usage = WorkerUsage()
        let looks: [(instant: Int, used: Int)] = [(0, 100), (49, 149), (50, 149), (100, 161), (150, 174)]
        let burning = looks.map { look in
            usage.isBurning(used: .milliseconds(look.used), now: .milliseconds(look.instant))
        }
        #expect(burning == [nil, nil, true, false, true])
    }

    @Test func `time at rest counts from the first look after the last request`() {
        var usage = WorkerUsage()
        let first = [3, 5].map { usage.atFirstLookAtRest(.milliseconds($0)) }
        usage.becameIdle(now: .seconds(1))
        let second = [9, 12].map { usage.atFirstLookAtRest(.milliseconds($0)) }
        #expect(first == [.milliseconds(3), .milliseconds(3)])
        #expect(second == [.milliseconds(9), .milliseconds(9)])
    }
}
