// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import HostRuntime
import Locking
import Logging
import PostgreSQL
import TestClock
import Testing

/// Hosts in this process with clocks of their own, and one database.
@Suite(
    "Hosts that share a fleet's database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct FleetMembershipTests {
    static let server = FleetFixture.server()

    /// Work on partitions that ends when it is told to, or at once.
    final class FakeWork: PartitionWork {
        struct State {
            var begun: [Partition: Int64] = [:]
            var atWork: Set<Partition> = []
            var waiting: [Partition: CheckedContinuation<Void, Never>] = [:]
            var ends = 0
            var looked: Set<Partition> = []
            var pressure: Set<Pressure> = []
        }

        let isBusy: Bool
        let state = Locked(State())

        init(isBusy: Bool = false) { self.isBusy = isBusy }

        func begin(_ parts: [FleetSnapshot.Holding], as session: FleetSession) {
            state.withLock { state in
                for holding in parts {
                    state.begun[holding.part] = holding.epoch
                    if isBusy { state.atWork.insert(holding.part) }
                }
            }
        }

        var pressure: Set<Pressure> { state.withLock(\.pressure) }

        func look(at parts: Set<Partition>, as session: FleetSession) {
            state.withLock { $0.looked.formUnion(parts) }
        }

        func stop(_ part: Partition) async {
            await withCheckedContinuation { stopped in
                let isQuiet = state.withLock { state in
                    guard state.atWork.contains(part) else { return true }
                    state.waiting[part] = stopped
                    return false
                }
                if isQuiet { stopped.resume() }
            }
        }

        func end() async {
            let waiting = state.withLock { state in
                defer { (state.waiting, state.atWork, state.ends) = ([:], [], state.ends + 1) }
                return state.waiting.values
            }
            for stopped in waiting { stopped.resume() }
        }
    }

    /// A host whose time is advanced by hand.
    struct Host {
        let clock = ManualClock()
        let work: FakeWork
        let membership: FleetMembership
        let metrics = HostMetrics().fleet
        let hasLeft = Locked(false)

        init(_ name: String, _ fixture: FleetFixture, lease: Duration = .seconds(600), isBusy: Bool = false) {
            work = FakeWork(isBusy: isBusy)
            let conninfo = fixture.conninfo
            membership = FleetMembership(
                FleetMember(host: name, version: "1", lease: lease),
                work: work,
                clock: HostClock(clock),
                metrics: metrics,
                logger: Logger(label: "tests")
            ) { () throws(FleetError) in try FleetDatabase(conninfo, patience: .seconds(60)) }
        }

        /// Lets a second pass with its beat: the host waits for the next one, or has left, when this returns.
        func second() async throws {
            try await Task.turn()
            let sleeps = clock.sleepCount
            clock.advance(by: .seconds(1))
            while clock.sleepCount == sleeps, !hasLeft.withLock({ $0 }) { try await Task.turn() }
        }

        /// Lets seconds pass until something is true.
        func pass(until isTrue: () throws -> Bool) async throws {
            while try !isTrue() { try await second() }
        }

        func run() async {
            await membership.run()
            hasLeft.withLock { $0 = true }
        }
    }

    /// Runs hosts while `body` runs, and cancels them with its end.
    static func with(_ hosts: [Host], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in hosts { group.addTask { await host.run() } }
            defer { group.cancelAll() }
            try await body()
        }
    }

    static func first(_ host: String, before other: String) -> Set<Partition> {
        Set(Partition.all.filter { $0.score(host: host, weight: 1) > $0.score(host: other, weight: 1) })
    }

    @Test("a host alone takes every partition, and gives all back when it drains")
    func alone() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await host.run() }
            try await host.pass { host.membership.holding.count == 1024 }
            #expect(host.work.state.withLock { $0.begun }.values.allSatisfy { $0 == 1 })
            #expect(try fixture.number("SELECT count(*) FROM nestbox.parts WHERE session IS NOT NULL") == 1024)
            host.membership.drain()
            try await group.waitForAll()
        }
        #expect(host.membership.session == nil)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.parts WHERE session IS NULL AND is_clean") == 1024)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.sessions WHERE ended IS NOT NULL") == 1)
    }

    @Test("a second host comes to what it is the first for, and its end brings all back to the other")
    func two() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (Host("a", fixture), Host("b", fixture))
        try await Self.with([one]) {
            try await one.pass { one.membership.holding.count == 1024 }
            let seconds = Self.first("b", before: "a")
            try await Self.with([two]) {
                while two.membership.session == nil { try await Task.turn() }
                // Thirty seconds of another first host, then sixteen partitions at a time.
                while two.membership.holding != seconds {
                    try await one.second()
                    try await two.second()
                }
                #expect(one.membership.holding == Set(Partition.all).subtracting(seconds))
            }
            // It is gone without a word; the database hears nothing of it for two seconds.
            let gone = try fixture.number("SELECT session FROM nestbox.sessions WHERE host = 'b'")
            try await fixture.untilGone(FleetSession(number: gone, secret: []))
            try fixture.age(FleetSession(number: gone, secret: []), by: 3)
            try await one.pass { one.membership.holding.count == 1024 }
            let begun = one.work.state.withLock { $0.begun }
            #expect(seconds.allSatisfy { begun[$0, default: 0] > 1 })
        }
    }

    @Test("a connection that breaks is made anew, and the session goes on")
    func reattaches() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        try await Self.with([host]) {
            try await host.pass { host.membership.holding.count == 1024 }
            let session = host.membership.session
            let ended = try fixture.number("SELECT count(pg_terminate_backend(pid)) FROM nestbox.locked(2)")
            #expect(ended == 1)
            let known = try #require(session)
            try await fixture.untilGone(known)
            let locked = "SELECT count(*) FROM nestbox.locked(2) WHERE session = \(known.number)"
            try await host.pass { try fixture.number(locked) == 1 }
            #expect(host.membership.session == session)
            #expect(host.membership.holding.count == 1024)
            #expect(host.work.state.withLock { $0.ends } == 0)
        }
    }

    @Test("what there is too much of is said with the next beat, and no more once there is room")
    func pressure() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        let reader = try fixture.connect()
        try await Self.with([host]) {
            try await host.pass { host.membership.holding.count == 1024 }
            let crowd = Set((0...Pressure.limit).map { Pressure.topic("\($0)") })
            let cases: [(Set<Pressure>, said: Set<Pressure>)] = [
                ([.topic("chat")], [.topic("chat")]), (crowd, [.everything]), ([], []),
            ]
            for (pressure, said) in cases {
                host.work.state.withLock { $0.pressure = pressure }
                try await host.second()
                let door = try reader.pressure()
                #expect(Partition.all.allSatisfy { door.pressure(on: $0) == said })
            }
        }
    }

    @Test("a host that is fenced cuts off its work and joins anew")
    func fenced() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        try await Self.with([host]) {
            try await host.pass { host.membership.holding.count == 1024 }
            let session = try #require(host.membership.session)
            try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
            try await host.pass { host.membership.session != session && host.membership.holding.count == 1024 }
            #expect(host.work.state.withLock { $0.ends } == 1)
            #expect(host.work.state.withLock { $0.begun }.values.allSatisfy { $0 == 2 })
            // A writer on another connection hears it first, of this session and of no former one.
            host.membership.wasFenced(session)
            try await host.second()
            #expect(host.work.state.withLock { $0.ends } == 1)
            let now = try #require(host.membership.session)
            host.membership.wasFenced(now)
            try await host.pass { host.work.state.withLock { $0.ends } == 2 }
            // The database knows of no fence: the next session follows this one, and takes nothing.
            try await host.pass { host.membership.session != now && host.membership.holding.count == 1024 }
            #expect(host.work.state.withLock { $0.begun }.values.allSatisfy { $0 == 3 })
            #expect(host.metrics.sessionsEnded.with("fenced").value == 2)
            #expect(host.metrics.sessionsEnded.with("unheard").value == 0)
            #expect(host.metrics.taken.with("free").value == 1024)
            #expect(host.metrics.taken.with("gone").value == 1024)
        }
    }

    @Test("a host that drains when its session is over gives back what that held")
    func drainsWithoutSession() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await host.run() }
            try await host.pass { host.membership.holding.count == 1024 }
            let session = try #require(host.membership.session)
            host.membership.drain()
            host.membership.wasFenced(session)
            try await group.waitForAll()
        }
        #expect(try fixture.number("SELECT count(*) FROM nestbox.parts WHERE session IS NULL") == 1024)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.sessions WHERE ended IS NULL") == 0)
    }

    @Test("a session that a writer and the next beat find fenced at once ends, and another one begins")
    func fencedTwice() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture)
        try await Self.with([host]) {
            try await host.pass { host.membership.holding.count == 1024 }
            let session = try #require(host.membership.session)
            try await Task.turn()
            // The next beat is due when the host hears of it.
            try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
            host.clock.advance(by: .seconds(1))
            host.membership.wasFenced(session)
            try await host.pass { host.membership.session != session && host.membership.holding.count == 1024 }
            #expect(host.work.state.withLock { $0.ends } == 1)
        }
    }

    @Test("a drain ends in its time though something is at work, which is cut off")
    func drainLimit() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = Host("a", fixture, isBusy: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await host.run() }
            try await host.pass { host.membership.holding.count == 1024 }
            host.membership.drain()
            try await host.pass { host.work.state.withLock { $0.ends } == 1 }
            try await group.waitForAll()
        }
        #expect(try fixture.number("SELECT count(*) FROM nestbox.parts WHERE session IS NULL AND NOT is_clean") == 1024)
    }

    @Test("a host without a database joins once there is one")
    func noDatabase() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let conninfo = fixture.conninfo
        let isThere = Locked(false)
        let clock = ManualClock()
        let membership = FleetMembership(
            FleetMember(host: "a", version: "1"),
            work: FakeWork(),
            clock: HostClock(clock),
            logger: Logger(label: "tests")
        ) { () throws(FleetError) in
            try FleetDatabase(isThere.withLock { $0 } ? conninfo : "host=/nowhere", patience: .seconds(60))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await membership.run() }
            for second in 1...3 {
                await clock.sleeper(until: .seconds(second))
                clock.advance(by: .seconds(1))
            }
            #expect(membership.session == nil)
            isThere.withLock { $0 = true }
            await clock.sleeper(until: .seconds(4))
            clock.advance(by: .seconds(1))
            while membership.session == nil { try await Task.turn() }
            group.cancelAll()
        }
    }
}
