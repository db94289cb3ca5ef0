// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import HostRuntime
import Locking
import Logging
import PostgreSQL
import TestClock
import Testing

@testable import Fleet

/// The pushes that a session holds, and what becomes of them in the database, without a membership around it.
@Suite(
    "A ledger on a fleet's database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct FleetLedgerTests {
    static let server = FleetFixture.server()

    /// A ledger that holds open partitions, on a clock that is advanced by hand.
    private struct Bench {
        let fixture: FleetFixture
        let clock = ManualClock()
        let holder: (database: FleetDatabase, session: FleetSession)
        let ledger: FleetLedger
        let fenced = Locked<[FleetSession]>([])

        init(of parts: [Partition]) throws {
            fixture = try FleetFixture(on: FleetLedgerTests.server)
            holder = try fixture.holder(of: parts)
            let conninfo = fixture.conninfo
            let (clock, logger, fenced) = (HostClock(clock), Logger(label: "tests"), fenced)
            let connect: @Sendable () throws(FleetError) -> FleetDatabase = { () throws(FleetError) in
                try FleetDatabase(conninfo, patience: .seconds(60))
            }
            let tell: @Sendable (FleetSession) -> Void = { session in fenced.withLock { $0.append(session) } }
            ledger = FleetLedger(
                records: FleetRecords(keys: FleetNode.keys, clock: clock, logger: logger, connect: connect),
                openings: FleetOpenings(
                    clock: clock,
                    deadlines: DeadlineQueue(clock: clock),
                    logger: logger,
                    connect: connect,
                    fenced: tell
                ),
                clock: clock,
                logger: logger,
                connect: connect,
                fenced: tell
            )
            let session = holder.session
            ledger.hold(parts.map { FleetSnapshot.Holding(part: $0, holder: session.number, epoch: 1) }, as: session)
            _ = ledger.change(session) { shelf, _ in shelf.open(parts) }
        }

        /// Has the queue load what it is given of a partition.
        func load(_ part: Partition, places: [Int64]) throws -> [IncomingPush] {
            let rows = places.map { place in
                WaitingPush(
                    part: part,
                    place: place,
                    topic: "chat",
                    token: "00",
                    owner: "me",
                    name: "00c0ffee-\(place)",
                    keys: [],
                    head: "{}",
                    body: Array("{}".utf8)
                )
            }
            _ = ledger.change(holder.session) { shelf, _ in shelf.take(rows) { _ in false } }
            return try ledger.pushes(of: "chat", after: 0, limit: 100)
        }
    }

    private static func mark(_ id: UInt8, _ part: Partition, _ place: Int64) -> OpenedMark {
        OpenedMark(place: PushPlace(part, place), id: [UInt8](repeating: id, count: 16), expiry: 4_000_000_000)
    }

    @Test("what is too old goes, some partitions at a time, and one that has more is not left before it is done")
    func prune() throws {
        let parts = Array(Partition.all.prefix(130))
        let bench = try Bench(of: parts)
        // 250 old keys in one partition, one in each other, and one that is young.
        try bench.fixture.owner.runScript(
            """
            INSERT INTO nestbox.seen SELECT 5, n, 1000, '\\x00' FROM generate_series(1, 250) n;
            INSERT INTO nestbox.seen SELECT p, 1, 1000, '\\x00' FROM generate_series(6, 129) p;
            INSERT INTO nestbox.seen VALUES (5, 1000, extract(epoch FROM clock_timestamp())::bigint, '\\x00');
            INSERT INTO nestbox.opened SELECT p, 1, 1000, '\\x00' FROM generate_series(0, 129) p;
            """
        )
        let count = "SELECT (SELECT count(*) FROM nestbox.seen) * 1000 + (SELECT count(*) FROM nestbox.opened)"
        var calls = 0
        while try bench.ledger.maintain() { calls += 1 }
        #expect(calls == 2)
        // 64 partitions have had their turn; in the others there is one key and one mark each.
        #expect(try bench.fixture.number(count) == 67 * 1000 + 66)
        #expect(try bench.ledger.maintain() == false)
        #expect(try bench.fixture.number(count) == 67 * 1000 + 66)
        for _ in 0..<2 {
            bench.clock.advance(by: .seconds(10))
            while try bench.ledger.maintain() {}
        }
        #expect(try bench.fixture.number(count) == 1 * 1000)
        #expect(bench.fenced.withLock { $0 }.isEmpty)
    }

    @Test("an envelope stays one push's while something of its partition is at work, though it is being given back")
    func stopped() async throws {
        let part = try #require(Partition(5))
        let bench = try Bench(of: [part])
        #expect(try bench.load(part, places: [10, 11]).count == 2)
        #expect(await bench.ledger.openings.remember(Self.mark(1, part, 10)) == .own)
        bench.ledger.stop(part)
        #expect(await bench.ledger.openings.remember(Self.mark(1, part, 11)) == .replay)
        let ledger = bench.ledger
        async let quiet: Void = ledger.quiet(part)
        let done = JournalWork(ending: [10, 11])
        _ = try bench.ledger.commit(done) { _ in false }
        await quiet
        #expect(bench.ledger.count == 0)
        #expect(bench.fenced.withLock { $0 }.isEmpty)
    }

    @Test("the end of a push that is not in hand is not written, and a fenced session's counts as done")
    func ends() throws {
        let part = try #require(Partition(5))
        let bench = try Bench(of: [part])
        #expect(try bench.load(part, places: [10]).count == 1)
        _ = try bench.ledger.commit(JournalWork(ending: [9])) { _ in false }
        #expect(bench.ledger.count == 1)
        try bench.fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
        _ = try bench.ledger.commit(JournalWork(ending: [10])) { _ in false }
        #expect(bench.fenced.withLock { $0 } == [bench.holder.session])
        #expect(bench.ledger.count == 1)
        bench.ledger.clear()
        #expect(bench.ledger.count == 0)
    }

    @Test("a database without an answer is an error that names the next step, and a write proves that it is back")
    func failure() throws {
        let part = try #require(Partition(5))
        let bench = try Bench(of: [part])
        #expect(try bench.load(part, places: [10]).count == 1)
        let unable = "REVOKE EXECUTE ON FUNCTION nestbox.conclude, nestbox.remember FROM host"
        try bench.fixture.owner.runScript(unable)
        #expect(throws: JournalError.self) { try bench.ledger.commit(JournalWork(ending: [10])) { _ in false } }
        #expect(throws: JournalError.self) { try bench.ledger.maintain() }
        try bench.fixture.owner.runScript(unable.replacing("REVOKE", with: "GRANT").replacing("FROM", with: "TO"))
        #expect(try bench.ledger.maintain() == false)
        _ = try bench.ledger.commit(JournalWork(ending: [10])) { _ in false }
        #expect(bench.ledger.count == 0)
    }

    private struct NoSinks: Outbox {
        func sinks(taking topic: String) -> [String] { [] }
    }

    @Test("a reader that has read nothing for more than thirty seconds says that there is too much of everything")
    func blind() async throws {
        let bench = try Bench(of: [Partition.all[0]])
        let isAway = Locked(true)
        let conninfo = bench.fixture.conninfo
        let connect: @Sendable () throws(FleetError) -> FleetDatabase = { () throws(FleetError) in
            if isAway.withLock({ $0 }) { throw .database(.unreachable("away")) }
            return try FleetDatabase(conninfo, patience: .seconds(60))
        }
        let (clock, logger) = (HostClock(bench.clock), Logger(label: "tests"))
        let intake = FleetIntake(outbox: NoSinks(), clock: clock, connect: connect, stored: { _ in })
        let queue = PushQueue(
            .shared(intake: intake, ledger: bench.ledger),
            outbox: NoSinks(),
            clock: clock,
            deadlines: DeadlineQueue(clock: clock),
            logger: logger
        )
        let reader = FleetReader(
            ledger: bench.ledger,
            queue: queue,
            clock: clock,
            logger: logger,
            connect: connect,
            fenced: { _ in },
            recordsFound: {}
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await reader.run() }
            defer { group.cancelAll() }
            for second in 1...31 {
                await bench.clock.sleeper(until: .seconds(second))
                #expect(reader.pressure == [])
                bench.clock.advance(by: .seconds(1))
            }
            #expect(reader.pressure == [.everything])
            await bench.clock.sleeper(until: .seconds(32))
            isAway.withLock { $0 = false }
            bench.clock.advance(by: .seconds(1))
            while reader.pressure != [] { try await Task.turn() }
        }
    }
}

extension JournalWork {
    /// The ends of pushes without a record.
    fileprivate init(ending numbers: [Int64]) {
        self.init()
        conclusions = numbers.map { Conclusion(number: $0, record: nil, deviceToken: "00", sinks: []) }
    }
}
