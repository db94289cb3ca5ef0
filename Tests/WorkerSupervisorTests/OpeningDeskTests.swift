// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// Fair turns, suspects, blame, pauses and bounds of the desk, without a process.
struct OpeningDeskTests {
    /// A desk, and what was handed from it; time is what the test says.
    private struct Bench {
        var desk = OpeningDesk()
        var now: Duration = .zero

        /// Puts in openings `100 a + 1…` of app "a", `200 …` of "b" and so on.
        mutating func take(_ count: Int, of app: String, from first: UInt64 = 1) {
            for id in 0..<UInt64(count) { takeOne(Self.base(app) + first + id, of: app) }
        }

        mutating func takeOne(_ id: UInt64, of app: String, isRefused: Bool = false) {
            let isTaken = desk.take(id, of: app)
            #expect(isTaken != isRefused)
        }

        mutating func answer(_ id: UInt64, isUnknown: Bool = false) {
            let isKnown = desk.answered(id)
            #expect(isKnown != isUnknown)
        }

        mutating func handFile(_ id: UInt64, of app: String) -> Bool {
            desk.handFile(id, of: app, now: now)
        }

        static func base(_ app: String) -> UInt64 { UInt64(app.utf8.first ?? 0) * 10_000 }

        mutating func handAll() -> [UInt64] {
            var handed: [UInt64] = []
            while let id = desk.next(now: now) { handed.append(id) }
            return handed
        }

        mutating func die(silent: Bool = false) -> OpeningDesk.Verdict {
            desk.openerDied(wasSilent: silent, now: now)
        }
    }

    private static let (a, b, c) = (Bench.base("a"), Bench.base("b"), Bench.base("c"))

    // MARK: Turns and bounds

    @Test func `apps have turns, and within one the first comes first`() {
        var bench = Bench()
        bench.take(3, of: "a")
        bench.take(2, of: "b")
        bench.take(1, of: "c")
        #expect(bench.handAll() == [Self.a + 1, Self.b + 1, Self.c + 1, Self.a + 2, Self.b + 2, Self.a + 3])
    }

    @Test func `an app alone fills the window, and beside others gets its share of it`() {
        var bench = Bench()
        bench.take(300, of: "a")
        let handed = bench.handAll()
        #expect(handed.count == OpeningDesk.window)
        bench.take(300, of: "b")
        for id in 1...UInt64(OpeningDesk.window) {
            bench.answer(Self.a + id)
            // As long as "a" has more than its half in hand each place goes to the other.
            let next = bench.handAll()
            #expect(next.count == 1)
            if id <= UInt64(OpeningDesk.window / 2) { #expect(next == [Self.b + id]) }
        }
        #expect(bench.desk.inHandCount == OpeningDesk.window)
    }

    @Test func `a full queue refuses its own app and no other`() {
        var bench = Bench()
        bench.take(OpeningDesk.waitingLimit, of: "a")
        bench.takeOne(1, of: "a", isRefused: true)
        bench.takeOne(Self.b + 1, of: "b")
        // Whoever gives up makes room.
        bench.desk.gaveUp(Self.a + 5, of: "a")
        bench.takeOne(2, of: "a")
    }

    @Test func `who gives up is not handed, and what is in hand is waited for`() {
        var bench = Bench()
        bench.take(2, of: "a")
        bench.desk.gaveUp(Self.a + 1, of: "a")
        #expect(bench.handAll() == [Self.a + 2])
        bench.desk.gaveUp(Self.a + 2, of: "a")
        #expect(bench.desk.inHandCount == 1)
        #expect(bench.desk.hasInHand(Self.a + 2))
        bench.answer(Self.a + 2)
        bench.answer(Self.a + 2, isUnknown: true)
        #expect(bench.desk.oldestHandedAt == nil)
    }

    // MARK: Deaths

    @Test func `what was in hand is tried again, each alone and before what is fresh`() {
        var bench = Bench()
        bench.take(2, of: "a")
        bench.take(1, of: "b")
        let all = bench.handAll()
        #expect(all.count == 3)
        bench.take(1, of: "c")
        #expect(bench.die() == .init())
        var order: [UInt64] = []
        for _ in 0..<3 {
            let handed = bench.handAll()
            #expect(handed.count == 1)
            order += handed
            bench.answer(handed[0])
        }
        #expect(Set(order) == [Self.a + 1, Self.a + 2, Self.b + 1])
        #expect(order.filter { $0 != Self.b + 1 } == [Self.a + 1, Self.a + 2])
        #expect(bench.handAll() == [Self.c + 1])
    }

    @Test func `the second death over one message is its own, and its app pauses while others go on`() {
        var bench = Bench()
        bench.take(3, of: "a")
        bench.take(2, of: "b")
        _ = bench.handAll()
        #expect(bench.die() == .init())
        let only = bench.handAll()
        #expect(only.count == 1)
        let verdict = bench.die()
        #expect(verdict.concluded.count == 1)
        #expect(verdict.culprit?.count == 1)
        #expect(verdict.culprit?.pausedUntil == .seconds(1))
        #expect(verdict.restartPause == .zero)
        let paused = verdict.culprit?.app
        // The other app's suspects are answered, one after the other; the paused one's stay.
        var others = 0
        while let id = bench.desk.next(now: bench.now) {
            #expect(id / 10_000 != Bench.base(paused ?? "") / 10_000)
            bench.answer(id)
            others += 1
        }
        #expect(others == (paused == "a" ? 2 : 3))
        bench.now = .seconds(1)
        let later = bench.handAll()
        #expect(later.count == 1)
    }

    @Test func `a message alone in hand has a second try, one that an opener was silent with has none`() {
        var bench = Bench()
        bench.take(2, of: "a")
        #expect(bench.desk.next(now: .zero) == Self.a + 1)
        #expect(bench.die() == .init())
        #expect(bench.handAll() == [Self.a + 1])
        bench.answer(Self.a + 1)
        #expect(bench.handAll() == [Self.a + 2])
        let verdict = bench.die(silent: true)
        #expect(verdict.concluded == [Self.a + 2])
    }

    @Test func `silence with several in hand is nobody's yet`() {
        var bench = Bench()
        bench.take(1, of: "a")
        bench.take(1, of: "b")
        _ = bench.handAll()
        #expect(bench.die(silent: true) == .init())
        let only = bench.handAll()
        #expect(only.count == 1)
    }

    @Test func `pauses grow to a minute, and the first message behind one is tried alone`() {
        var bench = Bench()
        bench.take(20, of: "a")
        var pauses: [Duration] = []
        // The first has two tries, each later one is tried behind a pause, alone.
        _ = bench.desk.next(now: bench.now)
        _ = bench.die()
        for _ in 0..<9 {
            bench.take(1, of: "b", from: UInt64(pauses.count) + 1)
            let handed = bench.handAll()
            // "b" is answered beside whatever is not alone.
            for id in handed where id / 10_000 == Self.b / 10_000 { bench.answer(id) }
            let alone = bench.handAll()
            #expect(bench.desk.inHandCount == 1, "\(handed) \(alone)")
            let verdict = bench.die()
            #expect(verdict.concluded.count == 1)
            #expect(verdict.restartPause == .zero)
            let end = verdict.culprit?.pausedUntil ?? .zero
            pauses.append(end - bench.now)
            // What is left of "b" is answered within the pause.
            for id in bench.handAll() { bench.answer(id) }
            bench.now = end
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test func `an answer to what is alone ends the probation, and a quiet minute the blame`() {
        var bench = Bench()
        var verdict = OpeningDesk.Verdict()
        bench.take(6, of: "a")
        _ = bench.desk.next(now: bench.now)
        _ = bench.die()
        _ = bench.handAll()
        verdict = bench.die()
        #expect(verdict.culprit?.count == 1)
        bench.now = .seconds(1)
        #expect(bench.handAll() == [Self.a + 2])
        bench.answer(Self.a + 2)
        #expect(bench.handAll() == [3, 4, 5, 6].map { Self.a + $0 })
        #expect(bench.die() == .init())
        #expect(bench.handAll() == [Self.a + 3])
        // Not yet forgotten.
        verdict = bench.die()
        #expect(verdict.culprit?.count == 2)
        bench.now = .seconds(3) + OpeningDesk.forgettingTime
        #expect(bench.handAll() == [Self.a + 4])
        verdict = bench.die()
        #expect(verdict.culprit?.count == 1)
    }

    @Test func `an opener that dies with nothing in hand waits longer each time, until one answers`() {
        var bench = Bench()
        let pauses = (0..<10).map { _ in bench.die().restartPause }
        #expect(pauses == [.zero, .milliseconds(100)] + [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        bench.take(1, of: "a")
        _ = bench.handAll()
        bench.answer(Self.a + 1)
        #expect(bench.desk.failedStarts == 0)
        let verdict = bench.die()
        #expect(verdict.restartPause == .zero)
    }

    @Test func `an opener that dies over every app's messages is itself at fault`() {
        var bench = Bench()
        var pauses: [Duration] = []
        for app in ["a", "b", "c", "d", "e"] {
            bench.take(1, of: app)
            for _ in 0..<2 {
                let only = bench.handAll()
                #expect(only.count == 1)
                pauses.append(bench.die().restartPause)
            }
        }
        #expect(pauses.prefix(6) == [.zero, .zero, .zero, .zero, .zero, .zero])
        #expect(pauses.suffix(2) == [.milliseconds(100), .seconds(1)])
    }

    @Test func `no message is in hand at more than two deaths`() {
        var random = Numbers(state: 7)
        for _ in 0..<200 {
            var bench = Bench()
            var deaths: [UInt64: Int] = [:]
            var concluded: Set<UInt64> = []
            var inHand: [UInt64] = []
            var next: UInt64 = 0
            for _ in 0..<300 {
                bench.now += .milliseconds(Int64(random.next() % 400))
                switch random.next() % 5 {
                case 0, 1:
                    next += 1
                    let app = ["a", "b", "c"][Int(random.next() % 3)]
                    bench.takeOne(next, of: app)
                case 2 where !inHand.isEmpty:
                    let id = inHand.remove(at: Int(random.next() % UInt64(inHand.count)))
                    bench.answer(id)
                    concluded.insert(id)
                case 3:
                    for id in inHand { deaths[id, default: 0] += 1 }
                    let verdict = bench.die()
                    for id in verdict.concluded { concluded.insert(id) }
                    inHand = []
                default: break
                }
                for id in bench.handAll() {
                    #expect(!concluded.contains(id))
                    // Whatever a death was over has nothing beside it.
                    if deaths[id] != nil { #expect(inHand.isEmpty) }
                    inHand.append(id)
                }
            }
            #expect(deaths.values.allSatisfy { $0 <= 2 })
        }
    }

    // MARK: Files

    @Test func `a file's piece is in hand beside openings, and never beside one that is tried`() {
        var bench = Bench()
        bench.take(1, of: "a")
        #expect(bench.handAll() == [Self.a + 1])
        #expect(bench.handFile(7, of: "b") == true)
        #expect(bench.die() == .init())
        #expect(bench.handAll() == [Self.a + 1])
        // The file's app is tried too, for its piece may have been the cause.
        #expect(bench.handFile(8, of: "b") == false)
        bench.answer(Self.a + 1)
        #expect(bench.handFile(8, of: "b") == true)
        bench.take(1, of: "c")
        #expect(bench.handAll() == [])
        let verdict = bench.die()
        #expect(verdict.concluded == [])
        #expect(verdict.culprit?.app == "b")
        #expect(bench.handFile(9, of: "b") == false)
        #expect(bench.handAll() == [Self.c + 1])
    }

    private struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }

    @Test func `a file of an app on probation waits for no turn while others have something in hand`() {
        var bench = Bench()
        let isHanded = bench.handFile(7, of: "a")
        #expect(isHanded)
        bench.take(1, of: "b")
        let beside = bench.handAll()
        #expect(beside == [Self.b + 1])
        _ = bench.die()
        #expect(bench.desk.takesFiles(of: "a", now: bench.now))
        bench.take(1, of: "c")
        let suspect = bench.handAll()
        #expect(suspect == [Self.b + 1])
        #expect(!bench.desk.takesFiles(of: "a", now: bench.now))
        #expect(bench.desk.takesFiles(of: "c", now: bench.now))
    }
}
