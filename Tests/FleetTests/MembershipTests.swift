// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import PostgreSQL
import TestClock
import Testing

@Suite(
    "Sessions and partitions in a real database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct MembershipTests {
    static let server = FleetFixture.server()
    let parts = [0, 511, 1023].compactMap { Partition($0) }

    @Test("a database says what it is")
    func facts() throws {
        let fixture = try FleetFixture(on: Self.server)
        let facts = try fixture.connect().facts()
        #expect(facts.fleet == fixture.name)
        #expect(facts.fleet.count == 8)
        #expect(facts.schema == FleetSchema.version)
        #expect(facts.oldestSchema == FleetSchema.oldestVersion)
        #expect(facts.version >= 150_000)
        #expect(!facts.hasFsync)
        #expect(facts.hasFullPageWrites)
        #expect(facts.synchronousCommit == "on")
        #expect(facts.standbys == 0)
        #expect(facts.timeline == 1)
    }

    @Test("a second fleet in one database is refused, and the first is as it was")
    func createdOnce() throws {
        let fixture = try FleetFixture(on: Self.server)
        let conninfo = fixture.conninfo.replacing("user=host", with: "user=postgres")
        let error = failure { () throws(FleetError) in _ = try FleetDatabase.create(conninfo) }
        #expect(
            error == .database(.refused(state: "42P06", message: "schema \"nestbox\" already exists"))
        )
        #expect(try fixture.connect().facts().fleet == fixture.name)
    }

    @Test("a host's role may neither read a table nor call what functions call")
    func rights() throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = try Connection(fixture.conninfo, application: "tests")
        let asked = [
            ("SELECT * FROM nestbox.waiting", "permission denied for table waiting"),
            ("SELECT * FROM nestbox.sessions", "permission denied for table sessions"),
            ("DELETE FROM nestbox.parts", "permission denied for table parts"),
            ("SELECT nestbox.guard(1, '', '{}')", "permission denied for function guard"),
            ("SELECT * FROM nestbox.deaths()", "permission denied for function deaths"),
            ("CREATE TABLE nestbox.mine ()", "permission denied for schema nestbox"),
            // Who could take the lock of another's session could have it taken for dead, or keep it alive.
            ("SELECT pg_advisory_lock(1)", "permission denied for function pg_advisory_lock"),
            (
                "SELECT pg_try_advisory_xact_lock_shared(1, 2)",
                "permission denied for function pg_try_advisory_xact_lock_shared"
            ),
        ]
        for (sql, message) in asked {
            #expect(throws: DatabaseError.refused(state: .insufficientPrivilege, message: message)) {
                try host.runScript(sql)
            }
        }
    }

    @Test("a session is a random number, and no two are alike")
    func sessions() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two, weight: 2)
        #expect(first.number > 0 && second.number > 0 && first.number != second.number)
        let members = try two.beat(second).sorted { $0.host < $1.host }
        #expect(
            members == [
                FleetSnapshot.Member(session: first.number, host: "a"),
                FleetSnapshot.Member(session: second.number, host: "b", weight: 2),
            ]
        )
    }

    @Test("a host with another schema does not join, and neither does a second one of the same name")
    func refusals() throws {
        let fixture = try FleetFixture(on: Self.server)
        let one = try fixture.connect()
        let newer = failure { () throws(FleetError) in
            _ = try one.join(FleetMember(host: "a", version: "9", schema: FleetSchema.version + 1))
        }
        #expect(newer == .otherSchema("the database has schema 1 to 1, and the host knows 2"))
        _ = try FleetFixture.join("a", one)
        let two = try fixture.connect()
        let twin = failure { () throws(FleetError) in _ = try two.join(FleetMember(host: "a", version: "1")) }
        #expect(twin == .nameTaken("a host named \"a\" is a member already"))
    }

    @Test("a wrong secret is nobody's, and a session that ended neither")
    func secrets() throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let session = try FleetFixture.join("a", database)
        let forged = FleetSession(number: session.number, secret: [1, 2, 3])
        #expect(failure { () throws(FleetError) in _ = try database.beat(forged) } == .fenced)
        try database.depart(session)
        #expect(failure { () throws(FleetError) in _ = try database.beat(session) } == .fenced)
    }

    @Test("partitions are taken as they were seen, given back, and each change is an epoch")
    func takes() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two)
        let taken = try one.take(FleetFixture.free(parts), from: nil, as: first)
        #expect(
            taken.sorted { $0.part < $1.part }
                == parts.map { FleetSnapshot.Holding(part: $0, holder: first.number, epoch: 1) }
        )
        // The second saw the same, and is too late.
        #expect(try two.take(FleetFixture.free(parts), from: nil, as: second) == [])
        #expect(
            failure { () throws(FleetError) in _ = try two.take(taken, from: first.number, as: second) } == .holderAlive
        )
        #expect(failure { () throws(FleetError) in try two.release(parts, as: second) } == .notHolder)
        try one.release([parts[0]], as: first)
        let now = try one.holders().filter { parts.contains($0.part) }
        #expect(now.map(\.holder) == [nil, first.number, first.number])
        #expect(now.map(\.epoch) == [2, 1, 1])
        let again = try two.take(now.filter { $0.holder == nil }, from: nil, as: second)
        #expect(again == [FleetSnapshot.Holding(part: parts[0], holder: second.number, epoch: 3)])
        #expect(try one.holders().count == FleetSchema.partitions)
    }

    @Test("what a session has too much of is said of each partition that it holds, and of no other")
    func pressure() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let session = try FleetFixture.join("a", one)
        _ = try one.take(FleetFixture.free(parts), from: nil, as: session)
        func said() throws -> [Partition: Set<Pressure>] {
            let door = try two.pressure()
            return Dictionary(uniqueKeysWithValues: Partition.all.map { ($0, door.pressure(on: $0)) })
                .filter { !$0.value.isEmpty }
        }
        #expect(try said() == [:])
        _ = try one.beat(session, pressure: [.topic("chat"), .sink("hook")])
        #expect(try said() == Dictionary(uniqueKeysWithValues: parts.map { ($0, [.topic("chat"), .sink("hook")]) }))
        try one.release([parts[0]], as: session)
        _ = try one.beat(session, pressure: [.everything])
        #expect(try said() == [parts[1]: [.everything], parts[2]: [.everything]])
        _ = try one.beat(session, pressure: [])
        #expect(try said() == [:])
        _ = try one.beat(session, pressure: Set((0...Pressure.limit).map { .topic("\($0)") }))
        #expect(try said() == [parts[1]: [.everything], parts[2]: [.everything]])
        // A long word, many quotes, and a letter that joins the one before it keep nobody from beating.
        let joining = Pressure.topic("\u{301}chat")
        for (hard, heard) in [
            (Pressure.topic(String(repeating: "t", count: 70_000)), Pressure.everything),
            (.topic(String(repeating: "\"", count: 16_000)), .topic(String(repeating: "\"", count: 16_000))),
            (joining, joining),
        ] {
            _ = try one.beat(session, pressure: [hard])
            #expect(try said() == [parts[1]: [heard], parts[2]: [heard]])
        }
        // Words of a host that was taken over.
        try fixture.owner.runScript("UPDATE nestbox.beats SET pressure = ARRAY['x', NULL, 'tmail']")
        #expect(try said() == [parts[1]: [.topic("mail")], parts[2]: [.topic("mail")]])
        let secret = session.secret.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let beat = "SELECT nestbox.beat(\(session.number), '\\x\(secret)', ARRAY[NULL]::text[])"
        #expect(throws: DatabaseError.refused(state: "54000", message: "too much pressure in a call")) {
            try fixture.owner.runScript(beat)
        }
        try one.depart(session)
        #expect(try said() == [:])
    }

    @Test("a session lives while its connection or its lease does, and then is fenced by whoever takes")
    func deaths() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two)
        let taken = try one.take(FleetFixture.free(parts), from: nil, as: first)

        // Silent for less than its lease, and connected.
        try fixture.age(first, by: 3)
        #expect(
            failure { () throws(FleetError) in _ = try two.take(taken, from: first.number, as: second) } == .holderAlive
        )
        // The same silence without a connection is death.
        one.close()
        try await fixture.untilGone(first)
        let stolen = try two.take(taken, from: first.number, as: second)
        #expect(Set(stolen.map(\.part)) == Set(parts))
        #expect(stolen.allSatisfy { $0.epoch == 2 && $0.since > 0 }, "what came before may have been started")

        let late = try fixture.connect()
        #expect(failure { () throws(FleetError) in _ = try late.reattach(first) } == .fenced)
        #expect(failure { () throws(FleetError) in _ = try late.beat(first) } == .fenced)
        #expect(failure { () throws(FleetError) in try late.release(parts, as: first) } == .fenced)
        // Silent beyond its lease, and connected.
        let third = try FleetFixture.join("c", late)
        try fixture.age(second, by: 601)
        #expect(try late.take(stolen, from: second.number, as: third).count == parts.count)
        #expect(failure { () throws(FleetError) in _ = try two.beat(second) } == .fenced)
    }

    @Test("a database clock that was set back keeps nobody alive")
    func clockSetBack() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two)
        one.close()
        try await fixture.untilGone(first)
        // What was written before the clock went back lies in its future.
        _ = try two.beat(second)
        try fixture.owner.runScript("UPDATE nestbox.beats SET at = at + interval '1 day'")
        try fixture.owner.runScript("UPDATE nestbox.awake SET at = at + interval '1 day'")
        _ = try two.beat(second)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.beats WHERE at > clock_timestamp()") == 0)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.awake WHERE at > clock_timestamp()") == 0)
        try fixture.age(first, by: 3)
        #expect(try two.beat(second).filter { $0.session == first.number }.map(\.isDead) == [true])
    }

    @Test("who shows no secret takes nothing, and nothing is taken from who is unknown")
    func strangers() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, session) = try fixture.holder(of: parts)
        let held = try one.holders().filter { parts.contains($0.part) }
        try fixture.age(session, by: 601)
        let forged = FleetSession(number: session.number, secret: [])
        #expect(
            failure { () throws(FleetError) in _ = try one.take(held, from: session.number, as: forged) } == .fenced
        )
        #expect(try one.take(held, from: 12345, as: session) == [])
        #expect(try fixture.number("SELECT count(*) FROM nestbox.sessions WHERE fenced") == 0)
    }

    @Test("while the server is young nobody is dead")
    func grace() async throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.owner.runScript("UPDATE nestbox.fleet SET grace = 86400000")
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two)
        let taken = try one.take(FleetFixture.free(parts), from: nil, as: first)
        one.close()
        try await fixture.untilGone(first)
        try fixture.owner.runScript("DELETE FROM nestbox.beats")
        #expect(
            failure { () throws(FleetError) in _ = try two.take(taken, from: first.number, as: second) } == .holderAlive
        )
        // Before anybody has beaten it is not known how old the server is.
        try fixture.owner.runScript("UPDATE nestbox.fleet SET grace = 0; DELETE FROM nestbox.awake")
        #expect(
            failure { () throws(FleetError) in _ = try two.take(taken, from: first.number, as: second) } == .holderAlive
        )
    }

    @Test("a session whose connection broke goes on with another, once the server has let go of the first")
    func reattaches() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let one = try fixture.connect()
        let session = try FleetFixture.join("a", one)
        let two = try fixture.connect()
        #expect(try two.reattach(session) == false)
        one.close()
        try await fixture.untilGone(session)
        #expect(try two.reattach(session) == true)
        try fixture.age(session, by: 3)
        let other = try fixture.connect()
        let member = try FleetFixture.join("b", other)
        #expect(try other.beat(member).filter { $0.session == session.number }.map(\.isDead) == [false])
    }

    @Test("a drain is seen by the others, and who departs leaves what it held free")
    func departs() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two) = (try fixture.connect(), try fixture.connect())
        let first = try FleetFixture.join("a", one)
        let second = try FleetFixture.join("b", two)
        _ = try one.take(FleetFixture.free(parts), from: nil, as: first)
        try one.drain(first)
        let more = try #require(Partition(7))
        #expect(try one.take(FleetFixture.free([more]), from: nil, as: first) == [], "who leaves takes nothing")
        #expect(try two.beat(second).filter { $0.session == first.number }.map(\.isLeaving) == [true])
        try one.depart(first)
        #expect(try two.beat(second).map(\.session) == [second.number])
        let free = try two.holders().filter { parts.contains($0.part) }
        #expect(free.allSatisfy { $0.holder == nil && $0.epoch == 2 })
        // It did not say that nothing of them was at work.
        #expect(try two.take(free, from: nil, as: second).allSatisfy { $0.since > 0 })
    }

    @Test("an operator has a host leave and take part again, in each of its sessions, and no host may say so")
    func operatorsDrain() throws {
        let fixture = try FleetFixture(on: Self.server)
        let operatorInfo = fixture.conninfo.replacing("user=host", with: "user=postgres")
        func setLeaving(_ isLeaving: Bool, _ host: String) -> FleetError? {
            failure { () throws(FleetError) in try FleetDatabase.setLeaving(isLeaving, host: host, operatorInfo) }
        }
        let (one, two) = (try fixture.connect(), try fixture.connect())
        #expect(setLeaving(true, "a") == .noMember("no host named \"a\" is a member"))
        let member = FleetMember(host: "a", version: "1", lease: .seconds(600))
        let first = try one.join(member)
        #expect(setLeaving(true, "a") == .lastHost("no other host would work on what \"a\" holds"))
        #expect(setLeaving(false, "a") == nil)
        let other = try FleetFixture.join("b", two)
        func isLeaving(_ session: FleetSession) throws -> [Bool] {
            try two.beat(other).filter { $0.session == session.number }.map(\.isLeaving)
        }
        #expect(setLeaving(true, "a") == nil)
        #expect(try isLeaving(first) == [true])
        #expect(setLeaving(true, "b") == .lastHost("no other host would work on what \"b\" holds"))
        // The host's next session is told the same; another process of that name begins anew.
        let next = try one.join(member)
        #expect(try isLeaving(next) == [true])
        #expect(try one.take(FleetFixture.free(parts), from: nil, as: next) == [])
        // Where no other is there it works on.
        try two.depart(other)
        #expect(try one.take(FleetFixture.free(parts), from: nil, as: next).count == parts.count)
        let third = try FleetFixture.join("b", two)
        func isLeavingNow(_ session: FleetSession) throws -> [Bool] {
            try two.beat(third).filter { $0.session == session.number }.map(\.isLeaving)
        }
        #expect(try isLeavingNow(next) == [true])
        #expect(setLeaving(false, "a") == nil)
        #expect(try isLeavingNow(next) == [false])
        #expect(try isLeavingNow(try one.join(member)) == [false])
        #expect(setLeaving(true, "a") == nil)
        try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true WHERE host = 'a'")
        #expect(try isLeavingNow(try FleetFixture.join("a", one)) == [false])
        let message = "permission denied for function set_leaving"
        #expect(throws: DatabaseError.refused(state: .insufficientPrivilege, message: message)) {
            try Connection(fixture.conninfo, application: "tests").runScript("SELECT nestbox.set_leaving('a', true)")
        }
    }

    @Test("sessions that are gone and held nothing leave no rows behind them")
    func swept() async throws {
        let fixture = try FleetFixture(on: Self.server)
        for _ in 0..<3 {
            let database = try fixture.connect()
            let session = try FleetFixture.join("a", database)
            database.close()
            try await fixture.untilGone(session)
            try fixture.age(session, by: 3)
        }
        let last = try fixture.connect()
        _ = try FleetFixture.join("b", last)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.sessions WHERE ended IS NULL") == 1)
        try fixture.owner.runScript("UPDATE nestbox.sessions SET ended = ended - interval '25 hours'")
        _ = try fixture.connect().join(FleetMember(host: "c", version: "1"))
        #expect(try fixture.number("SELECT count(*) FROM nestbox.sessions") == 2)
    }
}

extension FleetFixture {
    /// Returns when the server has noticed that a session's connection is closed.
    func untilGone(_ session: FleetSession) async throws {
        let locked = "SELECT count(*) FROM nestbox.locked(2) WHERE session = \(session.number)"
        while try number(locked) > 0 { try await Task.turn() }
    }
}
