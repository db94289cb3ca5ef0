// SPDX-License-Identifier: Apache-2.0

import Fleet
import Testing

@Suite("What a session takes, keeps and gives back")
struct FleetBoardTests {
    static let parts = Partition.all.prefix(8).map { $0 }

    /// A snapshot in which every partition of the tests is as `holding` says.
    static func snapshot(
        _ members: [FleetSnapshot.Member],
        _ holding: (Partition) -> FleetSnapshot.Holding
    ) -> FleetSnapshot {
        FleetSnapshot(members: members, holdings: parts.map(holding))
    }

    static func free(_ part: Partition) -> FleetSnapshot.Holding {
        FleetSnapshot.Holding(part: part, holder: nil, epoch: 0)
    }

    static func held(by session: Int64, epoch: Int64 = 1) -> (Partition) -> FleetSnapshot.Holding {
        { FleetSnapshot.Holding(part: $0, holder: session, epoch: epoch) }
    }

    /// The partitions for which a host is the first of two.
    static func first(_ host: String, before other: String) -> [Partition] {
        parts.filter { $0.score(host: host, weight: 1) > $0.score(host: other, weight: 1) }
    }

    /// A board that holds all partitions of the tests at 0 s.
    static func holder(_ members: [FleetSnapshot.Member]) -> FleetBoard {
        var board = FleetBoard(session: 1, now: .zero)
        let began = board.look(snapshot(members, held(by: 1)), sent: .zero, now: .zero)
        #expect(began == [.begin(parts.map(held(by: 1)))])
        return board
    }

    let me = FleetSnapshot.Member(session: 1, host: "a")
    let other = FleetSnapshot.Member(session: 2, host: "b")

    @Test("a session alone takes everything that is free, at once and in one call")
    func alone() {
        var board = FleetBoard(session: 1, now: .zero)
        let snapshot = Self.snapshot([me], Self.free)
        #expect(board.look(snapshot, sent: .zero, now: .zero) == [.take(Self.parts.map(Self.free), from: nil)])
        // Until the answer nothing is asked for twice.
        #expect(board.look(snapshot, sent: .seconds(1), now: .seconds(1)) == [])
        let taken = Self.parts.map(Self.held(by: 1))
        #expect(board.took(taken, of: Self.parts.map(Self.free)) == [.begin(taken)])
        #expect(board.working == Set(Self.parts))
    }

    @Test("of two sessions each takes what it is the first for; what the other leaves, after two seconds")
    func two() {
        var board = FleetBoard(session: 1, now: .zero)
        let snapshot = Self.snapshot([me, other], Self.free)
        let mine = Self.first("a", before: "b")
        #expect(!mine.isEmpty && mine.count < Self.parts.count)
        #expect(board.look(snapshot, sent: .zero, now: .zero) == [.take(mine.map(Self.free), from: nil)])
        #expect(board.took(mine.map(Self.held(by: 1)), of: mine.map(Self.free)).count == 1)
        func now(_ part: Partition) -> FleetSnapshot.Holding {
            mine.contains(part) ? Self.held(by: 1)(part) : Self.free(part)
        }
        let later = Self.snapshot([me, other], now)
        #expect(board.look(later, sent: .seconds(1), now: .milliseconds(1999)) == [])
        let rest = Self.parts.filter { !mine.contains($0) }
        #expect(board.look(later, sent: .seconds(2), now: .seconds(2)) == [.take(rest.map(Self.free), from: nil)])
    }

    @Test("what a dead session holds is taken from it, and what a session holds that is gone")
    func dead() {
        for members in [[me, FleetSnapshot.Member(session: 2, host: "b", isDead: true)], [me]] {
            var board = FleetBoard(session: 1, now: .zero)
            let snapshot = Self.snapshot(members, Self.held(by: 2))
            #expect(
                board.look(snapshot, sent: .zero, now: .zero) == [.take(Self.parts.map(Self.held(by: 2)), from: 2)]
            )
        }
    }

    @Test("a living session's partitions are left alone")
    func living() {
        var board = FleetBoard(session: 1, now: .zero)
        for second in 0..<100 {
            let now = Duration.seconds(second)
            #expect(board.look(Self.snapshot([me, other], Self.held(by: 2)), sent: now, now: now) == [])
        }
    }

    @Test("a partition whose first host is another goes back after thirty seconds, when nothing of it is at work")
    func moves() {
        var board = Self.holder([me, other])
        let others = Self.first("b", before: "a")
        let snapshot = Self.snapshot([me, other], Self.held(by: 1))
        #expect(board.look(snapshot, sent: .seconds(29), now: .seconds(29)) == [])
        #expect(board.look(snapshot, sent: .seconds(30), now: .seconds(30)) == [.stop(others)])
        #expect(board.working == Set(Self.first("a", before: "b")))
        #expect(board.areQuiet([others[0]]) == [.release([others[0]])])
        #expect(board.areQuiet([others[0]]) == [], "once is enough")
        #expect(board.released([others[0]]) == [])
        // A look from before the release is old news.
        #expect(board.look(snapshot, sent: .seconds(31), now: .seconds(31)) == [])
        #expect(!board.holding.contains(others[0]))
    }

    @Test("a host that comes and goes within thirty seconds moves nothing")
    func comesAndGoes() {
        var board = Self.holder([me, other])
        for second in stride(from: 1, through: 120, by: 1) {
            let now = Duration.seconds(second)
            let members = second % 25 == 0 ? [me] : [me, other]
            #expect(board.look(Self.snapshot(members, Self.held(by: 1)), sent: now, now: now) == [])
        }
    }

    @Test("at most sixteen partitions move at a time")
    func sixteen() {
        let rules = FleetBoard.Rules()
        var board = FleetBoard(session: 1, now: .zero)
        let all = FleetSnapshot(members: [me, other], holdings: Partition.all.map(Self.held(by: 1)))
        _ = board.look(all, sent: .zero, now: .zero)
        let steps = board.look(all, sent: .seconds(30), now: .seconds(30))
        guard case .stop(let parts) = steps.first else {
            Issue.record("nothing moves: \(steps)")
            return
        }
        #expect(parts.count == rules.movingAtOnce)
        #expect(board.look(all, sent: .seconds(31), now: .seconds(31)) == [])
        _ = board.areQuiet([parts[0]])
        let next = board.look(all, sent: .seconds(32), now: .seconds(32))
        // The first is still on its way back.
        #expect(next.first == .release([parts[0]]))
        guard case .stop(let more) = next.last else {
            Issue.record("nothing more moves: \(next)")
            return
        }
        #expect(more.count == 1)
    }

    @Test("a session that reads its partition under a newer epoch, or does not find itself, is over")
    func fenced() {
        var taken = Self.holder([me])
        #expect(
            taken.look(Self.snapshot([me, other], Self.held(by: 2, epoch: 2)), sent: .seconds(1), now: .seconds(1))
                == [.end(.fenced)]
        )
        var gone = Self.holder([me])
        #expect(
            gone.look(Self.snapshot([other], Self.held(by: 1)), sent: .seconds(1), now: .seconds(1)) == [.end(.fenced)]
        )
        var refused = Self.holder([me])
        #expect(refused.wasFenced() == [.end(.fenced)])
        #expect(refused.wasFenced() == [], "the end is said once")
        #expect(refused.holding == [])
    }

    @Test("a session that hears nothing ends itself two seconds before its lease")
    func unheard() {
        var board = Self.holder([me])
        #expect(board.tick(now: .milliseconds(2999)) == [])
        _ = board.look(Self.snapshot([me], Self.held(by: 1)), sent: .seconds(1), now: .milliseconds(2999))
        // Counted from when the beat was sent, not from when it was answered.
        #expect(board.tick(now: .milliseconds(3999)) == [])
        #expect(board.tick(now: .seconds(4)) == [.end(.unheard)])
    }

    @Test("a short lease keeps half of itself")
    func shortLease() {
        var rules = FleetBoard.Rules()
        rules.lease = .seconds(1)
        var board = FleetBoard(session: 1, rules: rules, now: .zero)
        #expect(board.tick(now: .milliseconds(499)) == [])
        #expect(board.tick(now: .milliseconds(500)) == [.end(.unheard)])
    }

    @Test("a drain stops all at once, takes nothing, and ends when all is back")
    func drain() {
        var board = Self.holder([me, other])
        #expect(board.drain(now: .seconds(1)) == [.stop(Self.parts)])
        #expect(board.drain(now: .seconds(1)) == [], "once is enough")
        let snapshot = Self.snapshot([FleetSnapshot.Member(session: 1, host: "a", isLeaving: true), other], Self.free)
        #expect(board.look(snapshot, sent: .seconds(2), now: .seconds(2)) == [])
        for part in Self.parts { #expect(board.areQuiet([part]) == [.release([part])]) }
        #expect(board.released(Array(Self.parts.dropLast())) == [])
        #expect(board.released([Self.parts.last!]) == [.depart])
    }

    @Test("a session that an operator has leave gives back some at a time, takes nothing, and takes part again")
    func leaving() {
        var rules = FleetBoard.Rules()
        rules.movingAtOnce = 5
        var board = FleetBoard(session: 1, rules: rules, now: .zero)
        let held = Self.snapshot([me], Self.held(by: 1))
        #expect(board.look(held, sent: .zero, now: .zero) == [.begin(Self.parts.map(Self.held(by: 1)))])
        let leaving = FleetSnapshot.Member(session: 1, host: "a", isLeaving: true)
        let told = Self.snapshot([leaving, other], Self.held(by: 1))
        #expect(board.look(told, sent: .seconds(1), now: .seconds(1)) == [])
        let (first, rest) = (Array(Self.parts.prefix(5)), Array(Self.parts.dropFirst(5)))
        #expect(board.look(told, sent: .seconds(2), now: .seconds(2)) == [.stop(first)])
        #expect(board.areQuiet(first) == [.release(first)])
        #expect(board.released(first) == [], "the session goes on")
        let half = Self.snapshot([leaving, other]) { part in
            first.contains(part) ? FleetSnapshot.Holding(part: part, holder: nil, epoch: 2) : Self.held(by: 1)(part)
        }
        #expect(board.look(half, sent: .seconds(3), now: .seconds(3)) == [.stop(rest)])
        #expect(board.areQuiet(rest) == [.release(rest)])
        #expect(board.released(rest) == [])
        let free = { part in FleetSnapshot.Holding(part: part, holder: nil, epoch: 2) }
        #expect(board.look(Self.snapshot([leaving, other], free), sent: .seconds(9), now: .seconds(9)) == [])
        let mine = Self.first("a", before: "b").map(free)
        let again = Self.snapshot([me, other], free)
        #expect(board.look(again, sent: .seconds(10), now: .seconds(10)) == [.take(mine, from: nil)])
    }

    @Test("a session that an operator has leave works on where no other is there")
    func leavingAlone() {
        let leaving = FleetSnapshot.Member(session: 1, host: "a", isLeaving: true)
        var board = Self.holder([leaving])
        #expect(board.look(Self.snapshot([leaving], Self.held(by: 1)), sent: .seconds(60), now: .seconds(60)) == [])
        #expect(board.working == Set(Self.parts))
        var empty = FleetBoard(session: 1, now: .zero)
        let steps = empty.look(Self.snapshot([leaving], Self.free), sent: .zero, now: .zero)
        #expect(steps == [.take(Self.parts.map(Self.free), from: nil)])
    }

    @Test("a drain that was waiting for an answer ends with it, if there is nothing to give back")
    func drainWithoutAnything() {
        var board = FleetBoard(session: 1, now: .zero)
        _ = board.look(Self.snapshot([me], Self.free), sent: .zero, now: .zero)
        #expect(board.drain(now: .seconds(1)) == [])
        #expect(board.took([], of: Self.parts.map(Self.free)) == [.depart])
    }

    @Test("a release without an answer is made once more, or was done")
    func lostRelease() {
        var board = Self.holder([me, other])
        let others = Self.first("b", before: "a")
        let held = Self.snapshot([me, other], Self.held(by: 1))
        _ = board.look(held, sent: .seconds(30), now: .seconds(30))
        for part in others { #expect(board.areQuiet([part]) == [.release([part])]) }
        // It was not done.
        #expect(board.look(held, sent: .seconds(31), now: .seconds(31)) == [.release(others)])
        // It was done, and another has the partitions already.
        let gone = Self.snapshot([me, other]) { part in
            others.contains(part) ? Self.held(by: 2, epoch: 3)(part) : Self.held(by: 1)(part)
        }
        #expect(board.look(gone, sent: .seconds(32), now: .seconds(32)) == [])
        #expect(board.holding == Set(Self.first("a", before: "b")))
    }

    @Test("a drain ends after five seconds, whatever is at work")
    func drainLimit() {
        var board = Self.holder([me])
        _ = board.drain(now: .seconds(1))
        _ = board.look(Self.snapshot([me], Self.held(by: 1)), sent: .seconds(5), now: .seconds(5))
        #expect(board.tick(now: .milliseconds(5999)) == [])
        #expect(board.tick(now: .seconds(6)) == [.depart])
    }

    @Test("what was asked for before a drain, and comes in it, goes at once")
    func takenInDrain() {
        var board = FleetBoard(session: 1, now: .zero)
        _ = board.look(Self.snapshot([me], Self.free), sent: .zero, now: .zero)
        #expect(board.drain(now: .seconds(1)) == [])
        let taken = Self.parts.map(Self.held(by: 1))
        #expect(board.took(taken, of: Self.parts.map(Self.free)) == [.begin(taken), .stop(Self.parts)])
    }
}
