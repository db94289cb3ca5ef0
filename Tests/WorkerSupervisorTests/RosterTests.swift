// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The choice of the worker that gets a notification, is started or ends, without a process.
struct RosterTests {
    /// A roster with somebody who does what it says.
    private struct Bench {
        var roster: Roster
        var waiting: [Int]
        var now = Duration.zero
        var log: [String] = []
        private var lastSerial: UInt64 = 0

        init(_ terms: [Roster.Terms], processLimit: Int = 100) {
            roster = Roster(terms, bounds: .init(processes: processLimit))
            waiting = terms.map { _ in 0 }
        }

        /// Does all steps of an app and returns them: `s1` started 1, `g1` gave to 1, `r1` retired 1, `e1` evicted 1.
        @discardableResult
        mutating func settle(_ app: Int = 0) -> String {
            var steps: [String] = []
            while let step = roster.nextStep(for: app, .init(count: waiting[app]), now: now) {
                switch step {
                case .start:
                    lastSerial += 1
                    roster.started(lastSerial, for: app)
                    roster.orderAnswered(lastSerial, of: app)
                    steps.append("s\(lastSerial)")
                case .give(let serial):
                    waiting[app] -= 1
                    roster.requestBegan(with: serial, of: app, now: now)
                    steps.append("g\(serial)")
                case .retire(let serial):
                    roster.retire(serial, of: app)
                    steps.append("r\(serial)")
                case .evict(let serial):
                    roster.evict(serial)
                    steps.append("e\(serial)")
                }
            }
            return steps.joined(separator: " ")
        }

        mutating func push(_ app: Int = 0, count: Int = 1) -> String {
            waiting[app] += count
            roster.needed(app)
            return settle(app)
        }

        mutating func ready(_ serial: UInt64, of app: Int = 0) -> String {
            roster.becameReady(serial, of: app, now: now)
            return settle(app)
        }

        mutating func done(_ serial: UInt64, of app: Int = 0) -> String {
            roster.requestEnded(with: serial, of: app, now: now)
            return settle(app)
        }

        mutating func gone(_ serial: UInt64, of app: Int = 0) -> String {
            roster.remove(serial, of: app)
            let hungry = roster.hungry.map { settle($0) }
            return (hungry + [settle(app)]).filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    private static let warm = Roster.Terms(servedLimit: 3)
    private static let isolated = Roster.Terms(servedLimit: 1, workers: 2)

    @Test func `an app has one worker before its first notification, and a spare beside it from then on`() {
        var bench = Bench([Self.warm])
        #expect(bench.settle() == "s1")
        #expect(bench.ready(1) == "")
        #expect(bench.push() == "g1 s2")
        #expect(bench.ready(2) == "")
        #expect(bench.done(1) == "")
        #expect(bench.push() == "g1")
    }

    @Test func `a notification that finds a start under way waits for it and no second one`() {
        var bench = Bench([Self.warm])
        #expect(bench.settle() == "s1")
        #expect(bench.push(count: 3) == "")
        #expect(bench.ready(1) == "g1 s2")
    }

    @Test func `what comes behind a moment ago is left to the worker that serves, and not the spare's`() {
        var bench = Bench([Self.warm])
        bench.settle()
        _ = bench.ready(1)
        #expect(bench.push(count: 2) == "g1 s2")
        #expect(bench.ready(2) == "")
        #expect(bench.done(1) == "g1")
    }

    @Test func `one worker serves in parallel what the bundle allows`() {
        var bench = Bench([Roster.Terms(requestsPerWorker: 3)])
        bench.settle()
        _ = bench.ready(1)
        #expect(bench.push(count: 5) == "g1 g1 g1 s2")
        #expect(bench.done(1) == "g1")
    }

    @Test func `one that got a last call takes nothing new before it has nothing open`() {
        var bench = Bench([Roster.Terms(requestsPerWorker: 3)])
        bench.settle()
        _ = bench.ready(1)
        #expect(bench.push(count: 2) == "g1 g1 s2")
        bench.roster.lastCallCame(to: 1, of: 0)
        #expect(bench.push() == "")
        #expect(bench.ready(2) == "")
        let next = bench.roster.nextStep(for: 0, .init(count: 1, since: .zero), now: Roster.standstill)
        #expect(next == .give(to: 2))
        #expect(bench.done(1) == "")
        #expect(bench.done(1) == "g1")
    }

    @Test func `one that outstays a budget beside other requests leaves its place to the spare`() {
        var bench = Bench([Roster.Terms(requestsPerWorker: 8, workers: 1)])
        bench.settle()
        _ = bench.ready(1)
        #expect(bench.push(count: 2) == "g1 g1 s2")
        #expect(bench.ready(2) == "")
        bench.roster.lastCallCame(to: 1, of: 0)
        bench.roster.retire(1, of: 0)
        #expect(bench.done(1) == "")
        #expect(bench.push() == "g2 s3")
    }

    @Test func `when a worker is gone its spare serves at once and gets a successor`() {
        var bench = Bench([Self.warm])
        bench.settle()
        _ = bench.ready(1)
        _ = bench.push()
        _ = bench.ready(2)
        bench.roster.retire(1, of: 0)
        bench.roster.requestEnded(with: 1, of: 0, now: bench.now)
        #expect(bench.push() == "g2 s3")
        #expect(bench.gone(1) == "")
    }

    @Test func `a worker that has served as often as it may retires, and the spare takes its place`() {
        var bench = Bench([Self.warm])
        bench.settle()
        _ = bench.ready(1)
        _ = bench.push()
        _ = bench.ready(2)
        _ = bench.done(1)
        for _ in 0..<1 {
            _ = bench.push()
            _ = bench.done(1)
        }
        #expect(bench.push() == "g1")
        #expect(bench.done(1) == "r1")
        #expect(bench.push() == "g2 s3")
    }

    @Test func `isolated notifications have a process each, as many at once as the app allows`() {
        var bench = Bench([Self.isolated])
        bench.settle()
        _ = bench.ready(1)
        #expect(bench.push() == "g1 s2")
        #expect(bench.ready(2) == "")
        #expect(bench.push(count: 3) == "g2 s3")
        #expect(bench.ready(3) == "")
        #expect(bench.done(1) == "r1 g3 s4")
        #expect(bench.gone(1) == "")
        #expect(bench.ready(4) == "")
        #expect(bench.done(2) == "r2 g4 s5")
    }

    @Test func `a crowd of isolated notifications has one start at a time, and as many workers as the app may have`() {
        var bench = Bench([Self.isolated])
        #expect(bench.push(count: 10) == "s1")
        #expect(bench.ready(1) == "g1 s2")
        #expect(bench.ready(2) == "g2 s3")
        #expect(bench.ready(3) == "")
    }

    @Test func `three failed starts in a row pause an app for longer and longer`() {
        var bench = Bench([Self.warm])
        var pauses: [Duration] = []
        for serial in 1...12 {
            bench.now = bench.roster.staffs[0].notBefore
            #expect(bench.push() == "s\(serial)")
            bench.waiting = [0]
            bench.roster.remove(UInt64(serial), of: 0)
            bench.roster.startFailed(in: 0, now: bench.now)
            pauses.append(max(.zero, bench.roster.staffs[0].notBefore - bench.now))
            if serial >= 3 { #expect(bench.push() == "") }
            bench.waiting = [0]
        }
        #expect(pauses == [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map(Duration.seconds))
        bench.roster.completed(12, of: 0, after: .zero)
        #expect(bench.roster.staffs[0].failedStarts == 0)
    }

    @Test func `a spare that does not last is not replaced before the next notification`() {
        var bench = Bench([Self.warm])
        bench.settle()
        _ = bench.ready(1)
        bench.roster.spareFailed(in: 0)
        #expect(bench.gone(1) == "")
        #expect(bench.push() == "s2")
    }

    @Test func `a kill from outside is excused eight times`() {
        var bench = Bench([Self.warm])
        let excuses = (0..<10).map { _ in bench.roster.excuse(0) }
        #expect(excuses == Array(repeating: true, count: 8) + [false, false])
    }

    @Test func `what has served is idle after a minute, what has not is kept`() {
        var bench = Bench([Self.warm])
        bench.settle()
        _ = bench.ready(1)
        _ = bench.push()
        _ = bench.ready(2)
        bench.now = .seconds(100)
        _ = bench.done(1)
        #expect(bench.roster.idleWorkers(now: .seconds(160) - .nanoseconds(1)).isEmpty)
        #expect(bench.roster.idleWorkers(now: .seconds(160)).map(\.serial) == [1])
        bench.roster.retire(1, of: 0)
        #expect(bench.roster.idleWorkers(now: .seconds(1000)).isEmpty)
        #expect(bench.settle() == "")
    }

    // MARK: The bound

    @Test func `the first worker of an app takes the place of the one whose last use is longest ago`() {
        var bench = Bench([Self.warm, Self.warm, Self.warm], processLimit: 2)
        for app in 0...1 {
            bench.now = .seconds(app)
            #expect(bench.push(app) == "s\(app + 1)")
            _ = bench.ready(UInt64(app + 1), of: app)
            _ = bench.done(UInt64(app + 1), of: app)
        }
        #expect(bench.push(2) == "e1")
        #expect(bench.roster.processCount == 2)
        #expect(bench.gone(1) == "s3")
        #expect(bench.ready(3, of: 2) == "g3")
        // And back again.
        #expect(bench.push(0) == "e2")
        #expect(bench.gone(2, of: 1) == "s4")
    }

    @Test func `of several workers of an app the spare goes before an app's only one`() {
        var bench = Bench([Self.warm, Self.warm, Self.warm], processLimit: 3)
        bench.now = .seconds(1)
        bench.settle(0)
        _ = bench.ready(1, of: 0)
        bench.settle(1)
        _ = bench.ready(2, of: 1)
        _ = bench.push(0)
        bench.now = .seconds(2)
        // One place is left, and an app without a worker could claim it.
        #expect(bench.roster.processCount == 2)
        #expect(bench.settle(2) == "s3")
        #expect(bench.ready(3, of: 2) == "")
    }

    @Test func `an app that hangs in every process leaves each other app its place, and as much as it has`() {
        let greedy = Roster.Terms(servedLimit: 1, workers: 50)
        var bench = Bench([greedy, Self.warm, Self.warm], processLimit: 10)
        _ = bench.push(0, count: 50)
        for serial in 1...9 { _ = bench.ready(UInt64(serial)) }
        // Of ten places two are those of the other apps: four are its own, four are left.
        #expect(bench.roster.processCount == 4)
        #expect(bench.push(1) == "s5")
        #expect(bench.push(2) == "s6")
        #expect(bench.ready(5, of: 1) == "g5 s7")
        #expect(bench.ready(6, of: 2) == "g6 s8")
    }

    @Test func `apps that found no room get it in the order of their need`() {
        var bench = Bench([Self.warm, Self.warm, Self.warm], processLimit: 1)
        #expect(bench.push(0) == "s1")
        #expect(bench.ready(1) == "g1")
        // The one worker is busy: nobody can be evicted.
        #expect(bench.push(2) == "")
        #expect(bench.push(1) == "")
        #expect(bench.roster.hungry == [2, 1])
        bench.roster.requestEnded(with: 1, of: 0, now: .seconds(1))
        #expect(bench.settle(2) == "e1")
        #expect(bench.settle(1) == "")
        #expect(bench.gone(1) == "s2")
        #expect(bench.ready(2, of: 2) == "g2")
        _ = bench.done(2, of: 2)
        #expect(bench.settle(1) == "e2")
        #expect(bench.gone(2, of: 2) == "s3")
    }

    @Test func `an app whose notification gave up claims no room any more`() {
        var bench = Bench([Self.warm, Self.warm], processLimit: 1)
        _ = bench.push(0)
        _ = bench.ready(1)
        #expect(bench.push(1) == "")
        bench.waiting[1] = 0
        #expect(bench.settle(1) == "")
        #expect(bench.roster.hungry == [])
    }

    // MARK: Rules

    @Test(
        arguments: [
            (true, 2, 10, .milliseconds(1000), .seconds(1), .fine),
            (true, 2, 10, .milliseconds(1001), .seconds(2), .lower),
            (true, 9, 10, .zero, .zero, .fine), (false, 5, 10, .zero, .zero, .fine),
            (false, 6, 10, .zero, .zero, .recycle),
            (false, 2, 10, .milliseconds(1001), .seconds(2), .lower), (true, 2, 10, .zero, .seconds(300), .fine),
            (true, 2, 10, .zero, .seconds(301), .recycle), (false, 2, 10, .zero, .seconds(301), .recycle),
        ] as [(Bool, UInt64, UInt64, Duration, Duration, WorkerRules.Verdict)]
    )
    func `memory at rest and processor time decide on a worker`(
        isBusy: Bool,
        memory: UInt64,
        limit: UInt64,
        time: Duration,
        life: Duration,
        verdict: WorkerRules.Verdict
    ) {
        #expect(
            WorkerRules.verdict(
                isBusy: isBusy,
                hasServed: true,
                memoryByteCount: memory,
                limitByteCount: limit,
                processorTime: time,
                processorTimeOfLife: life
            ) == verdict
        )
    }

    @Test func `what a worker holds before it served is no reason to recycle it`() {
        let verdict = WorkerRules.verdict(
            isBusy: false,
            hasServed: false,
            memoryByteCount: 9,
            limitByteCount: 10,
            processorTime: .zero,
            processorTimeOfLife: .zero
        )
        #expect(verdict == .fine)
    }
}
