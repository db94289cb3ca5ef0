// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Locking
import PostgreSQL
import Sampling
import TestClock
import Testing

@Suite(
    "What a holder writes to a real database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(60))
)
struct LedgerTests {
    static let server = FleetFixture.server()
    static let token = "00112233"
    static var part: Partition { Partition(token: token) }

    /// The function as a host may call it without `FleetDatabase`.
    static let conclude = Statement(
        "conclude",
        "SELECT nestbox.conclude($1, $2, $3, $4, ARRAY[false], '{}', '{}', '{}', '{}')"
    )

    /// A fleet in which one session holds the partition of the token.
    struct Held {
        let fixture: FleetFixture
        let database: FleetDatabase
        let member = FleetMember(host: "a", version: "1", lease: .seconds(600))
        let session: FleetSession

        init() throws {
            fixture = try FleetFixture(on: server)
            try fixture.add(tokens: [token])
            database = try fixture.connect()
            session = try database.join(member)
            #expect(try database.take(FleetFixture.free([part]), from: nil, as: session).count == 1)
        }

        /// Accepts pushes, and returns their places.
        func accept(_ names: [String]) throws -> [PushPlace] {
            try database.accept(names.map { FleetFixture.push(token, name: $0) }).compactMap { verdict in
                if case .stored(let place) = verdict { PushPlace(part, place) } else { nil }
            }
        }

        func heads() throws -> [OutboxHead] {
            try database.outbox(of: [part], after: 0, "", limit: 100, as: session)
        }

        func waiting() throws -> [String] {
            try database.waiting(in: [(part, 0)], each: 100, as: session).map(\.name)
        }

        /// A transaction of the session that ends a push and is not committed, on a connection of its own.
        func unfinished(_ place: PushPlace) throws -> Connection {
            let host = try Connection(fixture.conninfo, application: "tests")
            try host.runScript("BEGIN")
            try host.run(LedgerTests.conclude, conclusion(of: place), within: .seconds(60))
            return host
        }

        /// The parameters of `LedgerTests.conclude`.
        func conclusion(of place: PushPlace) -> [Parameter] {
            [
                .int64(session.number), .bytes(session.secret), .int16s([place.part.number]), .int64s([place.number]),
            ]
        }
    }

    @Test("a push ends once: its records are in the outbox, its keys are known, and a second end writes nothing")
    func conclude() throws {
        let held = try Held()
        let places = try held.accept(["one", "two", "three"])
        let ends = [
            FleetConclusion(
                place: places[0],
                records: [.init(sink: "b", record: [1, 2]), .init(sink: "a", record: [0])]
            ),
            FleetConclusion(place: places[1]),
            FleetConclusion(place: places[2], isRepeat: true),
        ]
        #expect(try held.database.conclude(ends, as: held.session) == 3)
        #expect(try held.waiting() == [])
        // A repeat leaves no key: the first one's is there.
        let seen = try held.database.seen(in: [Self.part: .max], each: 9, as: held.session)
        #expect(seen.map(\.place) == [places[1], places[0]])
        let newest = try held.database.seen(in: [Self.part: .max], each: 1, as: held.session)
        #expect(newest.map(\.place) == [places[1]])
        let older = try held.database.seen(in: [Self.part: places[1].number], each: 9, as: held.session)
        #expect(older.map(\.place) == [places[0]])
        let heads = try held.heads()
        #expect(heads.map(\.sink) == ["a", "b"])
        #expect(heads.map(\.byteCount) == [1, 2])
        #expect(
            heads.allSatisfy {
                $0.place == places[0] && $0.attempts == 0 && $0.dueIn == .zero && $0.token == Self.token
            }
        )
        // A page that ends within a push goes on with its next sink.
        let page = try held.database.outbox(of: [Self.part], after: 0, "", limit: 1, as: held.session)
        let next = try held.database.outbox(of: [Self.part], after: places[0].number, "a", limit: 9, as: held.session)
        #expect(page + next == heads)
        let records = try held.database.records([(places[0], "b"), (places[1], "b")], as: held.session)
        #expect(records.map(\.record) == [[1, 2]])
        #expect(records.map(\.name) == ["one"])
        // The answer was lost, and the host asks again.
        #expect(try held.database.conclude(ends, as: held.session) == 0)
        #expect(try held.heads() == heads)
    }

    @Test("an attempt is taken, tried again, or given up")
    func settle() throws {
        let held = try Held()
        let places = try held.accept(["one", "two", "three"])
        _ = try held.database.conclude(
            places.map { FleetConclusion(place: $0, records: [.init(sink: "hook", record: [7])]) },
            as: held.session
        )
        try held.database.settle(
            [
                FleetSettlement(place: places[0], sink: "hook", verdict: .taken),
                FleetSettlement(place: places[1], sink: "hook", verdict: .again(after: .seconds(3600))),
                FleetSettlement(place: places[2], sink: "hook", verdict: .givenUp(reason: "410")),
            ],
            as: held.session
        )
        let left = try held.heads()
        #expect(left.map(\.place) == [places[1]])
        #expect(left.map(\.attempts) == [1])
        #expect(left.allSatisfy { $0.dueIn > .seconds(3500) && $0.dueIn <= .seconds(3600) })
        #expect(
            try held.fixture.number(
                "SELECT count(*) FROM nestbox.dead WHERE reason = '410' AND name = 'three' AND attempts = 1"
            ) == 1
        )
    }

    @Test("records that were given up are listed, put on their way again, and dropped")
    func dead() throws {
        let held = try Held()
        let places = try held.accept(["one", "two", "three"])
        _ = try held.database.conclude(
            places.map {
                FleetConclusion(place: $0, records: [.init(sink: "hook", record: [7]), .init(sink: "b", record: [8])])
            },
            as: held.session
        )
        try held.database.settle(
            places.map { FleetSettlement(place: $0, sink: "hook", verdict: .givenUp(reason: "404")) },
            as: held.session
        )
        let letters = try held.database.operations.deadRecords(of: nil, named: nil)
        #expect(letters.map(\.name) == ["one", "two", "three"])
        #expect(letters.map(\.record) == [[7], [7], [7]])
        #expect(letters.map(\.attempts) == [1, 1, 1])
        #expect(
            try held.database.operations.deadRecords(of: "hook", named: nil, after: letters[0], limit: 1) == [
                letters[1]
            ]
        )
        #expect(try held.database.operations.deadRecords(of: "b", named: nil) == [])
        #expect(try held.database.operations.deadRecords(of: nil, named: "three") == [letters[2]])
        #expect(try held.database.operations.deadCounts() == ["hook": 3])

        #expect(try held.database.revivals() == [:])
        #expect(try held.database.operations.reviveDead(of: "hook", named: nil, limit: 1) == 1)
        #expect(try held.database.operations.reviveDead(of: nil, named: "two", limit: 9) == 1)
        #expect(try held.database.operations.reviveDead(of: nil, named: "two", limit: 9) == 0)
        #expect(try held.database.revivals() == [Self.part: 2])
        #expect(try held.heads().filter { $0.sink == "hook" }.map(\.place) == [places[0], places[1]])
        #expect(try held.heads().filter { $0.sink == "hook" }.map(\.attempts) == [0, 0])
        #expect(try held.database.operations.dropDead(of: nil, named: nil, olderThan: .seconds(60), limit: 9) == 0)
        #expect(try held.database.operations.dropDead(of: "b", named: nil, limit: 9) == 0)
        #expect(try held.database.operations.dropDead(of: nil, named: nil, limit: 9) == 1)
        #expect(try held.database.operations.deadRecords(of: nil, named: nil) == [])
    }

    @Test("envelopes are remembered under the place of their push, and forgotten when they expire")
    func remember() throws {
        let held = try Held()
        let places = try held.accept(["one", "two"])
        let now = try held.fixture.number("SELECT extract(epoch FROM clock_timestamp())::bigint")
        let marks = [
            OpenedMark(place: places[1], id: Array(repeating: 2, count: 16), expiry: now + 3_600),
            OpenedMark(place: places[0], id: Array(repeating: 1, count: 16), expiry: now - 3_600),
        ]
        try held.database.remember(marks, as: held.session)
        // A repeat after a lost answer changes nothing.
        try held.database.remember(marks, as: held.session)
        #expect(try held.database.opened(in: [Self.part: .max], each: 9, as: held.session) == marks)
        #expect(try held.database.opened(in: [Self.part: .max], each: 1, as: held.session) == [marks[0]])
        _ = try held.database.conclude([FleetConclusion(place: places[0])], as: held.session)
        func prune(_ age: Duration, _ expired: Duration) throws -> Int {
            try held.database.prune([Self.part], age: age, expired: expired, each: 9, as: held.session)
        }
        #expect(try prune(.seconds(3_600), .seconds(7_200)) == 0)
        #expect(try prune(.seconds(3_600), .seconds(1_800)) == 1)
        #expect(try held.database.opened(in: [Self.part: .max], each: 9, as: held.session) == [marks[0]])
        #expect(try prune(.seconds(-3_600), .seconds(1_800)) == 1)
        #expect(try held.database.seen(in: [Self.part: .max], each: 9, as: held.session).isEmpty)
    }

    @Test("nothing is written by who does not hold the partition, and nothing of a call that names another")
    func notHolder() throws {
        let held = try Held()
        let places = try held.accept(["one"])
        let other = try held.fixture.connect()
        let session = try FleetFixture.join("b", other)
        let mark = OpenedMark(place: places[0], id: Array(repeating: 1, count: 16), expiry: 9)
        let elsewhere = PushPlace(try #require(Partition(Self.part.number ^ 1)), 1)
        let settlement = FleetSettlement(place: places[0], sink: "x", verdict: .taken)
        let refused = [
            failure { () throws(FleetError) in
                _ = try other.conclude([FleetConclusion(place: places[0])], as: session)
            },
            failure { () throws(FleetError) in try other.remember([mark], as: session) },
            failure { () throws(FleetError) in try other.settle([settlement], as: session) },
            failure { () throws(FleetError) in
                _ = try other.prune([Self.part], age: .zero, expired: .zero, each: 9, as: session)
            },
        ]
        #expect(refused == Array(repeating: .notHolder, count: 4))
        let both = [FleetConclusion(place: places[0]), FleetConclusion(place: elsewhere)]
        #expect(
            failure { () throws(FleetError) in _ = try held.database.conclude(both, as: held.session) } == .notHolder
        )
        #expect(try held.waiting() == ["one"])
    }

    @Test("records of a push that the call does not end are not written")
    func foreignRecords() throws {
        let held = try Held()
        let places = try held.accept(["one"])
        let invented = FleetConclusion(
            place: PushPlace(Self.part, places[0].number + 1),
            records: [.init(sink: "hook", record: [1])]
        )
        #expect(try held.database.conclude([invented], as: held.session) == 0)
        #expect(try held.heads() == [])
    }

    @Test(
        "a connection whose transactions are not READ COMMITTED writes nothing",
        arguments: ["repeatable read", "serializable"]
    )
    func isolation(_ level: String) throws {
        let held = try Held()
        let places = try held.accept(["one"])
        let options = "options='-c default_transaction_isolation=\(level.replacing(" ", with: "\\\\ "))'"
        let host = try Connection("\(held.fixture.conninfo) \(options)", application: "tests")
        #expect(throws: DatabaseError.refused(state: "NB006", message: "the transaction is not READ COMMITTED")) {
            try host.run(Self.conclude, held.conclusion(of: places[0]), within: .seconds(60))
        }
        #expect(try held.waiting() == ["one"])
        // What was set for the role does not hold for a host's connection.
        let database = try FleetDatabase("\(held.fixture.conninfo) \(options)", patience: .seconds(60))
        #expect(try database.conclude([FleetConclusion(place: places[0])], as: held.session) == 1)
    }

    /// Ends pushes after so many calls of another kind, so that it comes now before a fence and now after it.
    private static func conclude(
        _ places: [PushPlace],
        as session: FleetSession,
        behind calls: Int,
        _ conninfo: String
    ) async -> Result<Int, any Error> {
        await SerialWork(name: "old").result {
            Result {
                let database = try FleetDatabase(conninfo, patience: .seconds(60))
                for _ in 0..<calls { _ = try database.facts() }
                return try database.conclude(places.map { FleetConclusion(place: $0) }, as: session)
            }
        }
    }

    /// Takes what a session holds, and counts what waits there then.
    private static func take(
        _ parts: [FleetSnapshot.Holding],
        from session: FleetSession,
        as successor: FleetSession,
        _ conninfo: String
    ) async -> Result<(taken: Int, found: Int), any Error> {
        await SerialWork(name: "new").result {
            Result {
                let database = try FleetDatabase(conninfo, patience: .seconds(60))
                let taken = try database.take(parts, from: session.number, as: successor).count
                return (taken, try database.waiting(in: [(part, 0)], each: 100, as: successor).count)
            }
        }
    }

    /// A session ends pushes while another takes its partition: what the second finds waiting once it has the partition
    /// waits for ever, unless the second ends it.
    @Test("nothing of a fenced session is done after its fence")
    func fenceRace() async throws {
        let rounds = Sample.count(1_000, atMost: 100, "races of a fence with writes")
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [Self.token])
        let conninfo = fixture.conninfo
        var slipped = 0
        var doneBefore = 0
        for round in 0..<rounds {
            let old = try fixture.connect()
            let session = try FleetFixture.join("old", old)
            let taker = try fixture.connect()
            let successor = try FleetFixture.join("new", taker)
            let now = try old.holders().filter { $0.part == Self.part }
            let taken = try old.take(now, from: nil, as: session)
            let offers = (0..<8).map { FleetFixture.push(Self.token, name: "\(round)-\($0)") }
            let places = try old.accept(offers).compactMap { verdict in
                if case .stored(let place) = verdict { PushPlace(Self.part, place) } else { nil }
            }
            try fixture.age(session, by: 601)
            // The first two rounds show both ends of the race.
            let early = round == 0 ? await Self.conclude(places, as: session, behind: 0, conninfo) : nil
            async let takes = Self.take(taken, from: session, as: successor, conninfo)
            if round == 1 { _ = try await takes.get() }
            async let late = Self.conclude(places, as: session, behind: round % 6, conninfo)
            let (stolen, found) = try await takes.get()
            let other = await late
            let written = early ?? other
            #expect(stolen == 1)
            switch written {
            case .success(let count):
                doneBefore += 1
                #expect(count == 8)
            case .failure(let error): #expect(error as? FleetError == .fenced)
            }
            let left = try taker.waiting(in: [(Self.part, 0)], each: 100, as: successor)
            if left.count != found { slipped += 1 }
            _ = try taker.conclude(left.map { FleetConclusion(place: PushPlace($0.part, $0.place)) }, as: successor)
            try taker.release([Self.part], as: successor)
            try taker.depart(successor)
        }
        #expect(slipped == 0)
        // Both ends of the race were seen.
        #expect(doneBefore > 0 && doneBefore < rounds, "\(doneBefore) of \(rounds)")
    }

    @Test("a write that hangs is ended by who takes the partition or follows the session", arguments: [true, false])
    func stuck(_ follows: Bool) throws {
        let held = try Held()
        let stuck = try held.unfinished(try held.accept(["one"])[0])
        let other = try held.fixture.connect()
        let successor: FleetSession
        // No role is a superuser's: the schema's owner may end the process, a host may not.
        if follows {
            successor = try other.join(held.member)
        } else {
            try held.fixture.age(held.session, by: 601)
            successor = try FleetFixture.join("b", other)
            let holding = FleetSnapshot.Holding(part: Self.part, holder: held.session.number, epoch: 1)
            #expect(try other.take([holding], from: held.session.number, as: successor).map(\.epoch) == [2])
        }
        #expect(try other.holders().filter { $0.holder == successor.number }.map(\.epoch) == [2])
        #expect(throws: DatabaseError.self) { try stuck.runScript("COMMIT") }
        #expect(!stuck.isOpen)
        #expect(try other.waiting(in: [(Self.part, 0)], each: 9, as: successor).map(\.name) == ["one"])
    }

    @Test("what a session gives back waits for what it is writing on another connection", arguments: [true, false])
    func ends(_ departs: Bool) async throws {
        let held = try Held()
        let stuck = try held.unfinished(try held.accept(["one"])[0])
        let (session, conninfo) = (held.session, held.fixture.conninfo)
        let hasEnded = Locked(false)
        async let end = SerialWork(name: "end").result {
            Result {
                let database = try FleetDatabase(conninfo, patience: .seconds(60))
                if departs { try database.depart(session) } else { try database.release([Self.part], as: session) }
                hasEnded.withLock { $0 = true }
            }
        }
        let waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while try held.fixture.number(waits) == 0 { try await Task.turn() }
        #expect(!hasEnded.withLock { $0 })
        try stuck.runScript("COMMIT")
        try await end.get()
        // It was written before: whoever takes the partition now reads what is left.
        let other = try held.fixture.connect()
        let successor = try FleetFixture.join("b", other)
        let free = try other.holders().filter { $0.part == Self.part }
        #expect(try other.take(free, from: nil, as: successor).map(\.epoch) == [3])
        #expect(try other.waiting(in: [(Self.part, 0)], each: 9, as: successor).isEmpty)
    }
}
