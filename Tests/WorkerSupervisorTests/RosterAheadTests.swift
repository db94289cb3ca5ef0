// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The number of requests that a worker is given ahead, by its completions alone.
struct RosterAheadTests {
    /// An app with one worker that is ready and serves; the worker says that it takes `ahead`.
    private struct Bench {
        var roster: Roster
        private(set) var openCount = 0

        init(_ terms: Roster.Terms = .init(), ahead: Int = 7) {
            roster = Roster([terms], bounds: .init(processes: 2))
            roster.started(1, for: 0)
            roster.orderAnswered(1, of: 0)
            roster.becameReady(1, of: 0, ahead: ahead, now: .zero)
            give()
        }

        private mutating func give() {
            roster.requestBegan(with: 1, of: 0, now: .zero)
            openCount += 1
        }

        /// Gives the worker as many as the roster says, and returns how many it has then.
        mutating func fill(mayGoAhead: Bool = true) -> Int {
            while roster.nextStep(for: 0, .init(count: 1, mayGoAhead: mayGoAhead), now: .zero) == .give(to: 1) {
                give()
            }
            return openCount
        }

        mutating func complete(after time: Duration = .milliseconds(1), isAmongFiles: Bool = false) {
            roster.completed(1, of: 0, after: time, isAmongFiles: isAmongFiles)
            roster.requestEnded(with: 1, of: 0, now: .zero)
            openCount -= 1
        }
    }

    @Test func `a worker gets nothing ahead before its first completion, and then twice as many with each`() {
        var bench = Bench()
        var counts = [bench.fill()]
        for _ in 0..<5 {
            bench.complete()
            counts.append(bench.fill())
        }
        #expect(counts == [1, 2, 3, 5, 8, 8])
    }

    @Test(arguments: [(0, 1), (1, 2), (3, 4), (7, 8), (64, 8)])
    func `a worker gets no more ahead than it takes and the host gives`(ahead: Int, most: Int) {
        var bench = Bench(ahead: ahead)
        for _ in 0..<6 { bench.complete(); _ = bench.fill() }
        #expect(bench.openCount == most)
    }

    @Test func `an app that may reach the network has nothing ahead`() {
        var bench = Bench(Roster.Terms(mostAhead: 0))
        bench.complete()
        #expect(bench.fill() == 1)
        let plain = SupervisedExtension(app: "a", bundleIdentifier: "a.b", bundlePath: "/", executable: "e")
        let online = SupervisedExtension(
            app: "a",
            bundleIdentifier: "a.b",
            bundlePath: "/",
            executable: "e",
            grantsNetwork: true
        )
        let most = [plain, online].map { $0.terms(app: 0, isFirst: true).mostAhead }
        #expect(most == [Roster.aheadLimit, 0])
    }

    @Test func `one that works on several at once gets as many more`() {
        var bench = Bench(Roster.Terms(requestsPerWorker: 4))
        for _ in 0..<6 {
            bench.complete()
            _ = bench.fill()
        }
        #expect(bench.openCount == 11)
    }

    @Test func `what may not go ahead waits for a worker that works on nothing`() {
        var bench = Bench()
        bench.complete()
        #expect(bench.fill(mayGoAhead: false) == 1)
        #expect(bench.fill() == 2)
    }

    @Test func `a slow completion leaves nothing ahead`() {
        var bench = Bench()
        for _ in 0..<4 {
            bench.complete()
            _ = bench.fill()
        }
        bench.complete(after: Roster.quickness)
        #expect(bench.fill() == 7)
        for _ in 0..<7 { bench.complete(after: Roster.quickness) }
        #expect(bench.fill() == 1)
        bench.complete(after: Roster.quickness - .nanoseconds(1))
        #expect(bench.fill() == 2)
    }

    @Test func `a worker that was held back begins anew`() {
        var bench = Bench()
        bench.complete()
        bench.roster.holdBack(1, of: 0)
        #expect(bench.fill() == 1)
        bench.complete()
        #expect(bench.fill() == 2)
    }

    @Test func `nothing goes before a request whose files are not there`() {
        var bench = Bench()
        bench.complete(isAmongFiles: true)
        #expect(bench.fill() == 1)
    }

    @Test func `what is ahead counts as served`() {
        var bench = Bench(Roster.Terms(servedLimit: 4))
        for _ in 0..<3 {
            bench.complete()
            _ = bench.fill()
        }
        #expect(bench.openCount == 1)
    }

    @Test func `a worker with a last call gets nothing ahead`() {
        var bench = Bench()
        for _ in 0..<2 {
            bench.complete()
            _ = bench.fill()
        }
        bench.roster.lastCallCame(to: 1, of: 0)
        bench.complete()
        #expect(bench.fill() == 2)
    }
}
