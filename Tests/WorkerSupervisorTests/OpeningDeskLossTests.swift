// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The openings that the desk forgets at a death, those that it keeps, and those of pushes that have given up.
struct OpeningDeskLossTests {
    private var desk = OpeningDesk()

    private mutating func take(_ ids: ClosedRange<UInt64>, of app: String) {
        for id in ids {
            let isTaken = desk.take(id, of: app)
            #expect(isTaken)
        }
    }

    private mutating func handAll(now: Duration = .zero) -> [UInt64] {
        var handed: [UInt64] = []
        while let id = desk.next(now: now) { handed.append(id) }
        return handed
    }

    private mutating func answer(_ id: UInt64) {
        let isKnown = desk.answered(id)
        #expect(isKnown)
    }

    private mutating func die(now: Duration = .zero) -> OpeningDesk.Verdict { desk.openerDied(now: now) }

    @Test mutating func `a suspect whose push gives up is not handed again`() {
        take(1...2, of: "a")
        #expect(handAll() == [1, 2])
        #expect(die() == .init())
        desk.gaveUp(1, of: "a")
        #expect(handAll() == [2])
    }

    @Test mutating func `a push that gave up while the opener had it is not tried again`() {
        take(1...2, of: "a")
        #expect(handAll() == [1, 2])
        desk.gaveUp(1, of: "a")
        #expect(die() == .init())
        #expect(handAll() == [2])
        answer(2)
        #expect(handAll() == [])
    }

    @Test mutating func `a culprit whose push gave up is blamed, and nothing is concluded`() {
        take(1...1, of: "a")
        #expect(handAll() == [1])
        #expect(die() == .init())
        #expect(handAll() == [1])
        desk.gaveUp(1, of: "a")
        let verdict = die()
        #expect(verdict.concluded == [])
        #expect(verdict.culprit == .init(app: "a", count: 1, pausedUntil: .seconds(1)))
    }

    @Test mutating func `three apps fill the window, though it has no three equal parts`() {
        for app in ["a", "b", "c"] {
            let first: UInt64 = app == "a" ? 1 : app == "b" ? 1001 : 2001
            take(first...(first + 299), of: app)
        }
        #expect(handAll().count == OpeningDesk.window)
    }

    @Test mutating func `after a death and its tries an app has its whole share again`() {
        let window = UInt64(OpeningDesk.window)
        take(1...window, of: "a")
        #expect(handAll().count == OpeningDesk.window)
        #expect(die() == .init())
        for id in 1...window {
            #expect(handAll() == [id])
            answer(id)
        }
        take(1001...1300, of: "a")
        take(2001...2300, of: "b")
        #expect(handAll().count { $0 < 2000 } == OpeningDesk.window / 2)
    }

    @Test mutating func `an answer between two culprits acquits the opener`() {
        for (id, app) in [(1, "a"), (2, "b"), (3, "answered"), (4, "c"), (5, "d")] as [(UInt64, String)] {
            take(id...id, of: app)
            #expect(handAll() == [id])
            if app == "answered" {
                answer(id)
                continue
            }
            #expect(die() == .init())
            #expect(handAll() == [id])
            #expect(die().culprit?.app == app)
            #expect(desk.failedStarts == 0)
        }
    }

    @Test mutating func `a file of an app that pauses takes no turn, and one on probation none beside others`() {
        take(1...1, of: "a")
        #expect(handAll() == [1])
        #expect(die() == .init())
        #expect(handAll() == [1])
        #expect(die().culprit?.app == "a")
        #expect(!desk.takesFiles(of: "a", now: .milliseconds(999)))
        #expect(desk.takesFiles(of: "a", now: .seconds(1)))
        take(2...2, of: "b")
        #expect(handAll(now: .seconds(1)) == [2])
        let isHandedBeside = desk.handFile(7, of: "a", now: .seconds(1))
        #expect(!isHandedBeside)
        answer(2)
        let isHandedAlone = desk.handFile(7, of: "a", now: .seconds(1))
        #expect(isHandedAlone)
        #expect(!desk.hasInHand(7), "a piece of a file is no opening")
    }
}
