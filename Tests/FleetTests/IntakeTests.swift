// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Locking
import PostgreSQL
import Sampling
import TestClock
import Testing

@Suite(
    "Pushes in a real database",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct IntakeTests {
    static let server = FleetFixture.server()
    let token = "00112233"
    var part: Partition { Partition(token: token) }

    @Test("each push has its own answer, and what is stored has places in the order of the offer")
    func verdicts() throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [token, "aa", "bb"])
        try fixture.add(tokens: ["cc"], app: "com.example.mail")
        try fixture.owner.runScript(
            "UPDATE nestbox.tokens SET removed = to_timestamp(1700000000.25) WHERE token = 'aa'"
        )
        try fixture.owner.runScript("UPDATE nestbox.tokens SET environment = 'development' WHERE token = 'bb'")
        let (database, session) = try fixture.holder(of: [part])
        let verdicts = try database.accept([
            FleetFixture.push(token, name: "one"), FleetFixture.push("aa", name: "two"),
            FleetFixture.push("bb", name: "three"), FleetFixture.push("cc", name: "four"),
            FleetFixture.push("dd", name: "five"), FleetFixture.push(token, name: "six"),
        ])
        guard case .stored(let first) = verdicts[0] else {
            Issue.record("not stored: \(verdicts)")
            return
        }
        #expect(
            verdicts == [
                .stored(place: first), .removedToken(at: 1_700_000_000_250), .tokenOfAnotherEnvironment,
                .tokenOfAnotherApp, .unknownToken, .stored(place: first + 5),
            ]
        )
        let waiting = try database.waiting(in: [(part, 0)], each: 10, as: session)
        #expect(waiting.map(\.name) == ["one", "six"])
        #expect(waiting.map(\.place) == [first, first + 5])
        #expect(waiting.map(\.owner) == ["me", "me"])
        #expect(waiting.allSatisfy { $0.part == part && $0.token == token && $0.topic == "com.example.chat" })
        #expect(waiting.allSatisfy { $0.head == "{}" && $0.body == Array("{\"aps\":{}}".utf8) && $0.keys.count == 16 })
        let backlog = try database.backlog(of: [part], after: 0, limit: 10, as: session)
        #expect(backlog.map(\.byteCount) == [10, 10])
        #expect(try database.backlog(of: [part], after: first, limit: 10, as: session) == [backlog[1]])
        #expect(try database.backlog(of: [part], after: 0, limit: 1, as: session) == [backlog[0]])
        #expect(try database.accept([]) == [])
    }

    @Test("a push that no host has room for is refused, with the call in which it comes", arguments: [16_385, 65_537])
    func tooLong(byteCount: Int) throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [token])
        let database = try fixture.connect()
        let long = OfferedPush(
            topic: "com.example.chat",
            token: token,
            app: "com.example.chat",
            environment: "production",
            name: "00c0ffee-1",
            keys: Array(repeating: 7, count: 16),
            head: String(repeating: "x", count: byteCount < 65_536 ? byteCount : 0),
            body: Array(repeating: 0, count: byteCount < 65_536 ? 0 : byteCount)
        )
        let error = failure { () throws(FleetError) in
            _ = try database.accept([FleetFixture.push(token, name: "one"), long])
        }
        guard case .database(.refused("23514", _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0)
    }

    @Test("more pushes in a call than a place counts are refused, all of them")
    func tooMany() throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = try Connection(fixture.conninfo, application: "tests")
        let accept = Statement(
            "accept",
            "SELECT * FROM nestbox.accept($1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')"
        )
        let many = Array(repeating: Int16(0), count: 1 << 20 | 1)
        #expect(throws: DatabaseError.refused(state: "54000", message: "too many pushes in a call")) {
            try host.run(accept, [.int16s(many)], within: .seconds(60))
        }
        #expect(try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0)
    }

    @Test("a removed token is refused by every connection with its next call")
    func removal() throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [token])
        let (one, two) = (try fixture.connect(), try fixture.connect())
        guard case .stored = try one.accept([FleetFixture.push(token, name: "a")])[0],
            case .stored = try two.accept([FleetFixture.push(token, name: "b")])[0]
        else {
            Issue.record("nothing was stored")
            return
        }
        try fixture.owner.runScript("UPDATE nestbox.tokens SET removed = to_timestamp(1) WHERE token = '\(token)'")
        #expect(try one.accept([FleetFixture.push(token, name: "c")]) == [.removedToken(at: 1000)])
        #expect(try two.accept([FleetFixture.push(token, name: "d")]) == [.removedToken(at: 1000)])
    }

    @Test("what is read behind a place comes in order, of each partition so much")
    func ranges() throws {
        let fixture = try FleetFixture(on: Self.server)
        let tokens = ["a0", "a1", "a2"]
        try fixture.add(tokens: tokens)
        let parts = tokens.map { (part: Partition(token: $0), after: Int64(0)) }
        let (database, session) = try fixture.holder(of: parts.map(\.part))
        for round in 0..<4 {
            _ = try database.accept(tokens.map { FleetFixture.push($0, name: "\($0)-\(round)") })
        }
        #expect(Set(parts.map(\.part)).count == 3)
        let first = try database.waiting(in: parts, each: 2, as: session)
        #expect(first.map(\.name) == ["a0-0", "a1-0", "a2-0", "a0-1", "a1-1", "a2-1"])
        let rest = try database.waiting(in: [(parts[1].part, first[4].place)], each: 9, as: session)
        #expect(rest.map(\.name) == ["a1-2", "a1-3"])
        #expect(try database.waiting(in: [], each: 9, as: session) == [])
        // Only its holder reads a partition.
        let other = try fixture.connect()
        let stranger = try FleetFixture.join("b", other)
        #expect(
            failure { () throws(FleetError) in _ = try other.waiting(in: parts, each: 9, as: stranger) } == .notHolder
        )
    }

    /// Writes so many pushes, each in a call of its own.
    private static func write(_ writer: Int, _ count: Int, _ conninfo: String, left: Locked<Int>) async throws {
        try await SerialWork(name: "writer").result {
            Result {
                defer { left.withLock { $0 -= 1 } }
                let database = try FleetDatabase(conninfo, patience: .seconds(60))
                for index in 0..<count {
                    _ = try database.accept([FleetFixture.push("00112233", name: "\(writer)-\(index)")])
                }
            }
        }.get()
    }

    /// Reads until the writers have ended and nothing is left, each place once.
    private static func read(
        _ conninfo: String,
        as session: FleetSession,
        writersLeft: Locked<Int>
    ) async throws -> [WaitingPush] {
        try await SerialWork(name: "reader").result {
            Result {
                let database = try FleetDatabase(conninfo, patience: .seconds(60))
                var found: [WaitingPush] = []
                while true {
                    // Asked before the look: what was written by then is found by it.
                    let isLast = writersLeft.withLock { $0 } == 0
                    let after = found.last?.place ?? 0
                    let asked = [(part: Partition(token: "00112233"), after: after)]
                    let news = try database.waiting(in: asked, each: 1_000, as: session)
                    found += news
                    if isLast, news.isEmpty { return found }
                }
            }
        }.get()
    }

    @Test("a reader behind four writers misses nothing: what became visible behind it would be lost")
    func gapFree() async throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [token])
        let count = Sample.count(5_000, atMost: 400, "calls of each of four writers")
        let left = Locked(4)
        let (holder, session) = try fixture.holder(of: [part])
        defer { holder.close() }
        let conninfo = fixture.conninfo
        async let one: Void = Self.write(0, count, conninfo, left: left)
        async let two: Void = Self.write(1, count, conninfo, left: left)
        async let three: Void = Self.write(2, count, conninfo, left: left)
        async let four: Void = Self.write(3, count, conninfo, left: left)
        let found = try await Self.read(conninfo, as: session, writersLeft: left)
        _ = try await (one, two, three, four)
        #expect(found.count == 4 * count)
        #expect(Set(found.map(\.name)).count == 4 * count)
        #expect(found.map(\.place) == found.map(\.place).sorted())
        for writer in 0..<4 {
            let own = found.map(\.name).filter { $0.hasPrefix("\(writer)-") }
            #expect(own == (0..<count).map { "\(writer)-\($0)" })
        }
    }

    /// The reader waits for the oldest writer: the rows of a transaction that began earlier and ends later are not
    /// behind it.
    @Test("nothing is read behind a transaction that still runs")
    func horizon() async throws {
        let fixture = try FleetFixture(on: Self.server)
        try fixture.add(tokens: [token])
        let (database, session) = try fixture.holder(of: [part])
        // Another writer that has its transaction's number and has not ended.
        let slow = try Connection(fixture.conninfo.replacing("user=host", with: "user=postgres"), application: "tests")
        try slow.runScript("BEGIN; SELECT pg_current_xact_id()")
        _ = try database.accept([FleetFixture.push(token, name: "late")])
        #expect(try database.waiting(in: [(part, 0)], each: 9, as: session) == [])
        #expect(try database.backlog(of: [part], after: 0, limit: 9, as: session) == [])
        while try database.facts().horizonAge == .zero { try await Task.turn() }
        try slow.runScript("COMMIT")
        #expect(try database.waiting(in: [(part, 0)], each: 9, as: session).map(\.name) == ["late"])
    }
}
