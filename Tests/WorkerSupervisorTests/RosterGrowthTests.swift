// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The number of workers that an app gets while its notifications wait, by time alone.
struct RosterGrowthTests {
    /// Apps whose workers are ready as soon as they are started, and serve for as long as the test says.
    private struct Bench {
        var roster: Roster
        /// Since when each app's notifications wait.
        var waiting: [[Duration]]
        var now = Duration.zero
        /// The end of each request that is open.
        var ends: [(app: Int, serial: UInt64, instant: Duration)] = []
        var starts = 0
        /// True if the workers that are started do not become ready.
        var holdsStarts = false
        private var lastSerial: UInt64 = 0

        init(
            _ terms: [Roster.Terms],
            processes: Int = 100,
            memory: UInt64 = .max,
            processors: Int = 2
        ) {
            roster = Roster(
                terms,
                bounds: .init(processes: processes, memoryByteCount: memory, processors: processors)
            )
            waiting = terms.map { _ in [] }
        }

        mutating func settle(_ app: Int, serving time: Duration) {
            while let step = roster.nextStep(
                for: app,
                .init(count: waiting[app].count, since: waiting[app].first),
                now: now
            ) {
                switch step {
                case .start:
                    lastSerial += 1
                    starts += 1
                    roster.started(lastSerial, for: app)
                    roster.orderAnswered(lastSerial, of: app)
                    if !holdsStarts { roster.becameReady(lastSerial, of: app, now: now) }
                case .give(let serial):
                    waiting[app].removeFirst()
                    roster.requestBegan(with: serial, of: app, now: now)
                    ends.append((app, serial, now + time))
                case .retire(let serial): roster.retire(serial, of: app)
                case .evict(let serial): roster.evict(serial)
                }
            }
        }

        mutating func push(_ app: Int = 0, count: Int, serving time: Duration) {
            waiting[app] += Array(repeating: now, count: count)
            roster.needed(app)
            settle(app, serving: time)
        }

        /// Lets time pass, with a look every five milliseconds as the watch has it.
        mutating func pass(_ span: Duration, serving time: Duration) {
            let end = now + span
            var nextLook = now + .milliseconds(5)
            while now < end {
                now = min(end, nextLook, ends.map(\.instant).min() ?? end)
                if now >= nextLook { nextLook = now + .milliseconds(5) }
                for (app, serial, _) in ends.filter({ $0.instant <= now }) {
                    roster.requestEnded(with: serial, of: app, now: now)
                    ends.removeAll { $0.serial == serial && $0.instant <= now }
                    settle(app, serving: time)
                }
                for app in waiting.indices where !waiting[app].isEmpty { settle(app, serving: time) }
            }
        }

        var openCount: Int { roster.staffs[0].openCount }
    }

    private static let plain = Roster.Terms(memoryByteCount: 24)

    @Test func `a crowd of 256 for a fast extension is served by one worker, and one spare is started`() {
        var bench = Bench([Self.plain])
        bench.settle(0, serving: .microseconds(200))
        bench.push(count: 256, serving: .microseconds(200))
        bench.pass(.seconds(1), serving: .microseconds(200))
        #expect(bench.waiting[0].isEmpty)
        #expect(bench.starts == 2)
    }

    @Test func `a hundred of a second each have all the workers of the app after a while, and all end`() {
        var bench = Bench([Self.plain])
        bench.settle(0, serving: .seconds(1))
        bench.push(count: 100, serving: .seconds(1))
        #expect(bench.openCount == 1)
        bench.pass(.milliseconds(49), serving: .seconds(1))
        #expect(bench.openCount == 1)
        bench.pass(.milliseconds(11), serving: .seconds(1))
        #expect(bench.openCount == 2)
        bench.pass(.milliseconds(240), serving: .seconds(1))
        #expect(bench.openCount == 16)
        // The spare is beside them.
        #expect(bench.roster.processCount == 17)
        bench.pass(.seconds(8), serving: .seconds(1))
        #expect(bench.waiting[0].isEmpty)
        #expect(bench.openCount == 0)
        #expect(bench.starts == 17)
    }

    @Test func `behind one that hangs the next is the spare's after a standstill, and its worker serves the others`() {
        var bench = Bench([Self.plain])
        bench.settle(0, serving: .seconds(30))
        bench.push(count: 1, serving: .seconds(30))
        bench.push(count: 20, serving: .milliseconds(1))
        bench.pass(Roster.standstill + .milliseconds(5), serving: .milliseconds(1))
        bench.pass(.milliseconds(30), serving: .milliseconds(1))
        #expect(bench.waiting[0].isEmpty)
        #expect(bench.openCount == 1)
        #expect(bench.starts == 3)
    }

    @Test func `a line that moves, and slowly, is shortened after the patience of its first`() {
        var bench = Bench([Self.plain])
        bench.settle(0, serving: .milliseconds(20))
        bench.push(count: 256, serving: .milliseconds(20))
        bench.pass(.milliseconds(240), serving: .milliseconds(20))
        #expect(bench.openCount == 1)
        bench.pass(.milliseconds(60), serving: .milliseconds(20))
        #expect(bench.openCount > 1)
    }

    @Test func `an app has one start under way, however many wait`() {
        var bench = Bench([Self.plain])
        bench.holdsStarts = true
        bench.push(count: 100, serving: .seconds(1))
        bench.pass(.seconds(2), serving: .seconds(1))
        #expect(bench.starts == 1)
    }

    @Test func `with workers of one, one serves at a time, as many as wait`() {
        var bench = Bench([Roster.Terms(workers: 1)])
        bench.settle(0, serving: .seconds(1))
        bench.push(count: 5, serving: .seconds(1))
        for _ in 0..<4 {
            bench.pass(.milliseconds(900), serving: .seconds(1))
            #expect(bench.openCount == 1)
        }
        #expect(bench.starts == 2)
    }

    @Test func `a bundle that takes three at once has three in each worker`() {
        var bench = Bench([Roster.Terms(requestsPerWorker: 3, workers: 2)])
        bench.settle(0, serving: .seconds(1))
        bench.push(count: 10, serving: .seconds(1))
        #expect(bench.openCount == 3)
        bench.pass(.milliseconds(60), serving: .seconds(1))
        #expect(bench.openCount == 6)
        bench.pass(.milliseconds(500), serving: .seconds(1))
        #expect(bench.openCount == 6)
    }

    // MARK: Extensions that compute

    @Test func `workers that keep all cores busy get no further one beside them`() {
        var bench = Bench([Self.plain], processors: 2)
        bench.settle(0, serving: .seconds(10))
        bench.push(count: 10, serving: .seconds(10))
        for serial in 1...2 {
            bench.roster.looked(at: UInt64(serial), of: 0, isBurning: true)
            bench.pass(.milliseconds(60), serving: .seconds(10))
        }
        bench.pass(.seconds(1), serving: .seconds(10))
        #expect(bench.openCount == 2)
        // One of them waits now, for a network perhaps.
        bench.roster.looked(at: 1, of: 0, isBurning: false)
        bench.pass(.milliseconds(10), serving: .seconds(10))
        #expect(bench.openCount > 2)
    }

    @Test func `a worker that was lowered and retires holds up nobody`() {
        var bench = Bench([Self.plain], processors: 1)
        bench.settle(0, serving: .seconds(10))
        bench.push(count: 3, serving: .seconds(10))
        bench.roster.looked(at: 1, of: 0, isBurning: true)
        bench.pass(.seconds(1), serving: .seconds(10))
        #expect(bench.openCount == 1)
        bench.roster.retire(1, of: 0)
        bench.pass(.milliseconds(5), serving: .seconds(10))
        #expect(bench.openCount > 1)
    }

    // MARK: Between apps

    @Test func `an app that hangs in all its workers takes no other's room`() {
        var bench = Bench([Self.plain, Self.plain, Self.plain], processes: 12)
        bench.push(0, count: 200, serving: .seconds(1000))
        bench.pass(.seconds(5), serving: .seconds(1000))
        #expect(bench.openCount <= 5)
        for app in 1...2 {
            bench.push(app, count: 20, serving: .milliseconds(1))
            bench.pass(.milliseconds(100), serving: .milliseconds(1))
            #expect(bench.waiting[app].isEmpty)
            // With a spare of its own.
            #expect(bench.roster.staffs[app].members.count == 2)
        }
    }

    @Test func `the sum of the memory limits bounds growth, and every app has its first worker and a spare`() {
        var bench = Bench(Array(repeating: Self.plain, count: 3), memory: 24 * 5)
        bench.push(0, count: 200, serving: .seconds(1000))
        bench.pass(.seconds(5), serving: .seconds(1000))
        // Two fifths are kept for the others, and it leaves as much as it has.
        #expect(bench.roster.tally.memoryByteCount == 24 * 2)
        for app in 1...2 { bench.push(app, count: 1, serving: .seconds(1000)) }
        bench.pass(.seconds(5), serving: .seconds(1000))
        #expect(bench.waiting[1].isEmpty && bench.waiting[2].isEmpty)
        #expect(bench.roster.staffs.map(\.members.count) == [2, 2, 2])

        var small = Bench(Array(repeating: Self.plain, count: 3), memory: 24)
        for app in 0...2 { small.push(app, count: 2, serving: .seconds(1)) }
        small.pass(.seconds(3), serving: .seconds(1))
        #expect(small.waiting == [[], [], []])
        #expect(small.roster.staffs.map(\.members.count) == [2, 2, 2])
    }

    // MARK: Between owners of an app

    private static func owned(_ app: Int, workers: Int = 16, isFirst: Bool = true) -> Roster.Terms {
        Roster.Terms(workers: workers, memoryByteCount: 24, app: app, isFirst: isFirst)
    }

    @Test func `owners share the workers of their app beside a first one each, and no flood has them all`() {
        var bench = Bench([Self.owned(0, workers: 4), Self.owned(1, workers: 4)])
        for _ in 1...2 {
            bench.roster.add(Self.owned(0, workers: 4, isFirst: false))
            bench.waiting.append([])
        }
        for site in [0, 2, 3] {
            bench.push(site, count: 50, serving: .seconds(1000))
            bench.pass(.seconds(5), serving: .seconds(1000))
        }
        #expect(bench.roster.staffs.map(\.openCount) == [3, 0, 2, 1])
        // An app with one owner has all of its own.
        bench.push(1, count: 50, serving: .seconds(1000))
        bench.pass(.seconds(5), serving: .seconds(1000))
        #expect(bench.roster.staffs.map(\.openCount) == [3, 4, 2, 1])
    }

    @Test func `an app of two owners and one worker serves one notification of each at a time`() {
        var bench = Bench([Self.owned(0, workers: 1), Self.owned(0, workers: 1, isFirst: false)])
        bench.roster.add(Self.owned(0, workers: 1, isFirst: false))
        for site in 0...1 { bench.push(site, count: 9, serving: .seconds(1)) }
        for _ in 0..<4 {
            bench.pass(.milliseconds(900), serving: .seconds(1))
            #expect(bench.roster.staffs.map(\.openCount) == [1, 1, 0])
        }
    }

    @Test func `a further owner has a first worker in any case, and a spare where memory is left`() {
        for (memory, count) in [(UInt64(24 * 4), 1), (24 * 6, 2)] {
            var bench = Bench([Self.owned(0)], memory: memory)
            bench.settle(0, serving: .milliseconds(1))
            for site in 1...2 {
                bench.roster.add(Self.owned(0, isFirst: false))
                bench.waiting.append([])
                bench.push(site, count: 3, serving: .milliseconds(1))
                bench.pass(.seconds(1), serving: .milliseconds(1))
                #expect(bench.waiting[site].isEmpty)
            }
            bench.push(0, count: 3, serving: .milliseconds(1))
            bench.pass(.seconds(1), serving: .milliseconds(1))
            #expect(bench.roster.staffs[0].members.count == 2)
            #expect(bench.roster.staffs[2].members.count == count, "\(memory)")
            var tally = Roster.Tally()
            for staff in bench.roster.staffs { tally.add(staff) }
            #expect(bench.roster.tally == tally)
        }
    }

    // MARK: Bounds of apps

    @Test func `an app whose limit is more than the bound costs no other app its spare`() {
        var bench = Bench([Roster.Terms(memoryByteCount: 1000), Self.plain], memory: 100)
        for app in 0...1 {
            bench.push(app, count: 1, serving: .milliseconds(1))
            bench.pass(.seconds(1), serving: .milliseconds(1))
        }
        #expect(bench.roster.staffs.map(\.members.count) == [2, 2])
    }

    @Test func `an app that pauses claims no place meanwhile`() {
        var bench = Bench([Self.plain, Self.plain], processes: 1)
        bench.push(0, count: 1, serving: .seconds(5))
        bench.push(1, count: 1, serving: .seconds(5))
        #expect(bench.roster.hungry == [1])
        for _ in 1...3 { bench.roster.startFailed(in: 1, now: bench.now) }
        bench.waiting[1] = []
        bench.settle(1, serving: .seconds(5))
        #expect(bench.roster.hungry == [])
    }

    @Test func `in a crowd without an idle worker nobody looks through all apps for one`() {
        var bench = Bench(Array(repeating: Self.plain, count: 4), processes: 2)
        for app in 0...3 { bench.push(app, count: 1, serving: .seconds(1)) }
        #expect(bench.roster.readyCount == 0)
        #expect(bench.roster.hungry == [2, 3])
    }

    @Test func `what is counted as it changes is what a count of all says`() {
        var bench = Bench(Array(repeating: Roster.Terms(servedLimit: 3, memoryByteCount: 7), count: 5), processes: 9)
        for round in 0..<40 {
            bench.push(round * 7 % 5, count: round % 6, serving: .milliseconds(130 * (round % 4)))
            bench.pass(.milliseconds(90), serving: .milliseconds(130 * (round % 4)))
            if round % 3 == 0 {
                let app = round % 5
                for member in bench.roster.staffs[app].members where member.openCount == 0 {
                    bench.roster.remove(member.serial, of: app)
                }
            }
            var tally = Roster.Tally()
            for staff in bench.roster.staffs { tally.add(staff) }
            #expect(bench.roster.tally == tally)
            let ready = bench.roster.staffs.flatMap(\.members).count { $0.stage == .ready }
            #expect(bench.roster.readyCount == ready)
        }
    }
}
