// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Foundation
import Glibc
import HostRuntime
import Locking
import PostgreSQL
import TestClock
import Testing

/// Pushes that were promised to be on two machines, when the standby stands still or the primary dies.
@Suite(
    "A real database with a standby",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct StandbyTests {
    static let token = "00112233"
    static var part: Partition { Partition(token: token) }

    /// A primary whose commits wait for its standby.
    struct Pair {
        let primary: DatabaseServer
        let standby: DatabaseServer
        let fixture: FleetFixture
        let holder: (database: FleetDatabase, session: FleetSession)

        init() async throws {
            primary = try DatabaseServer(settings: ["autovacuum": "off"])
            standby = try DatabaseServer(standbyOf: primary)
            fixture = try FleetFixture(on: .success(primary))
            try fixture.add(tokens: [token])
            holder = try fixture.holder(of: [part])
            try await fixture.becomeReplicated()
        }

        /// Stops whatever the standby would write with.
        func stopStandby() throws { try standby.signal(SIGSTOP) }

        func resumeStandby() throws { try standby.signal(SIGCONT) }

        func read() throws -> [String] {
            try holder.database.waiting(in: [(part, 0)], each: 9, as: holder.session).map(\.name)
        }
    }

    private static func accept(_ name: String, _ conninfo: String) async -> FleetError? {
        await SerialWork(name: "accept").result {
            failure { () throws(FleetError) in
                let database = try FleetDatabase(conninfo, patience: .seconds(120))
                _ = try database.accept([FleetFixture.push(token, name: name)])
            }
        }
    }

    @Test("what is not on the standby yet is not read, and a call does not wait for it for ever")
    func stopped() async throws {
        let pair = try await Pair()
        // The first call prepares the statement, which takes what time it takes.
        let database = try pair.fixture.connect()
        _ = try database.accept([])
        database.patience = .milliseconds(200)
        try pair.stopStandby()
        let error = failure { () throws(FleetError) in
            _ = try database.accept([FleetFixture.push(Self.token, name: "one")])
        }
        #expect(error == .database(.unanswered("its time is over")))
        #expect(!database.isOpen)
        #expect(try pair.read() == [])
        try pair.resumeStandby()
        // It was written, and is read once it is on two machines: the sender's repeat is a second row.
        while try pair.read() == [] { try await Task.turn() }
        #expect(try pair.read() == ["one"])
    }

    /// A second call after a lost answer finds nothing to write, and must not be heard before the first is safe.
    @Test("what turns out to have nothing to write waits for the standby all the same")
    func nothingToWrite() async throws {
        let pair = try await Pair()
        let (database, session) = pair.holder
        guard case .stored(let place) = try database.accept([FleetFixture.push(Self.token, name: "one")])[0] else {
            Issue.record("nothing was stored")
            return
        }
        let mark = OpenedMark(place: PushPlace(Self.part, place), id: Array(repeating: 1, count: 16), expiry: 9)
        try database.remember([mark], as: session)
        _ = try database.conclude([FleetConclusion(place: mark.place)], as: session)
        let calls: [@Sendable (FleetDatabase) throws -> Void] = [
            { try $0.remember([mark], as: session) },
            { _ = try $0.conclude([FleetConclusion(place: mark.place)], as: session) },
            { _ = try $0.accept([FleetFixture.push("unknown", name: "two")]) },
        ]
        for call in calls {
            let again = try pair.fixture.connect()
            try call(again)
            again.patience = .milliseconds(200)
            try pair.stopStandby()
            #expect(throws: FleetError.database(.unanswered("its time is over"))) { try call(again) }
            try pair.resumeStandby()
        }
    }

    @Test("while the standby stands still a session beats on, and takes its lock on another connection")
    func beats() async throws {
        let pair = try await Pair()
        let (database, session) = pair.holder
        _ = try database.beat(session)
        try pair.stopStandby()
        // A write that waits for the standby has the fence's lock.
        let conninfo = pair.fixture.conninfo
        async let release = SerialWork(name: "release").result {
            failure { () throws(FleetError) in
                try FleetDatabase(conninfo, patience: .seconds(120)).release([Self.part], as: session)
            }
        }
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        while try pair.fixture.number(waiting) == 0 { try await Task.turn() }
        #expect(try database.beat(session).map(\.session) == [session.number])
        database.close()
        try await pair.fixture.untilGone(session)
        let another = try pair.fixture.connect()
        #expect(try another.reattach(session) == true)
        #expect(try another.beat(session).map(\.isDead) == [false])
        try pair.resumeStandby()
        #expect(await release == nil)
    }

    @Test("a wait for the standby that somebody cancels is no success, though the server says so")
    func cancelled() async throws {
        let pair = try await Pair()
        try pair.stopStandby()
        let conninfo = pair.fixture.conninfo
        async let answer = Self.accept("one", conninfo)
        let waiting = """
            SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
            """
        while try pair.fixture.number(waiting) == 0 { try await Task.turn() }
        #expect(await answer == .database(.onOneMachine))
        try pair.resumeStandby()
    }

    @Test("after the primary's death everything is there that was accepted, names stay apart, and nobody is dead yet")
    func failover() async throws {
        let pair = try await Pair()
        try pair.fixture.owner.runScript("UPDATE nestbox.fleet SET grace = 3600000")
        let (database, session) = pair.holder
        var accepted: [Int64] = []
        for index in 0..<50 {
            guard
                case .stored(let place) = try database.accept([FleetFixture.push(Self.token, name: "kept-\(index)")])[0]
            else { continue }
            accepted.append(place)
        }
        #expect(accepted.count == 50)
        _ = try database.beat(session)
        // One more gets a place and no answer.
        try pair.stopStandby()
        let former = pair.fixture.conninfo
        async let lost = Self.accept("lost", former)
        while try pair.fixture.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 0 {
            try await Task.turn()
        }
        let lostPlace =
            try pair.fixture.number(
                "SELECT backend_xid::text::bigint FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            ) << 20
        try pair.primary.signal(SIGKILL)
        guard case .database(.unanswered) = await lost else {
            Issue.record("the push that was lost had an answer")
            return
        }
        // What the stopped standby had been sent goes with it.
        try pair.standby.signal(SIGKILL)
        try pair.standby.restart()
        try pair.standby.promote()

        let conninfo = former.replacing(pair.primary.folder, with: pair.standby.folder)
        let next = try FleetDatabase(conninfo, patience: .seconds(60))
        let facts = try next.facts()
        #expect(facts.fleet == pair.fixture.name)
        #expect(facts.timeline == 2)
        let found = try next.waiting(in: [(Self.part, 0)], each: 100, as: session)
        #expect(found.map(\.place) == accepted)
        // The number of the lost transaction is given again, to a push of another name.
        var places: [Int64] = []
        while (places.last ?? 0) < lostPlace {
            guard
                case .stored(let place) = try next.accept([FleetFixture.push(Self.token, name: "new-\(places.count)")])[
                    0
                ]
            else { continue }
            places.append(place)
        }
        #expect(places.contains(lostPlace))
        let names = try next.waiting(in: [(Self.part, 0)], each: 100, as: session).map(\.name)
        #expect(!names.contains("lost"))
        #expect(Set(names).count == names.count)
        // Beats and locks are gone with the primary, and say nothing about who is alive.
        let other = try FleetFixture.join("b", next)
        let members = try next.beat(other)
        #expect(members.filter { $0.session == session.number }.map(\.isDead) == [false])
    }

    @Test("a primary that was replaced and does not know it is left for the one that took its place")
    func replaced() async throws {
        let pair = try await Pair()
        let (old, new) = (pair.primary.folder, pair.standby.folder)
        let servers = FleetServers(
            pair.fixture.conninfo.replacing("host=\(old)", with: "host=\(old),\(new)"),
            patience: .milliseconds(200)
        )
        let database = try servers.connect()
        #expect(try database.facts().timeline == 1)
        let stale = try servers.connect()
        database.patience = .seconds(60)
        let member = FleetMember(host: "b", version: "1", lease: .seconds(600))
        let session = try database.join(member)
        let other = try #require(Partition.all.first { $0 != Self.part })
        #expect(try database.take(FleetFixture.free([other]), from: nil, as: session).count == 1)
        database.patience = .milliseconds(200)
        let reader = try servers.connect()
        // The standby is the primary now. The old one stands first, can be written to, and waits for it.
        try pair.standby.promote()
        let offer = FleetFixture.push(Self.token, name: "one")
        let lost = failure { () throws(FleetError) in _ = try database.accept([offer]) }
        guard case .database(.unanswered) = lost else {
            Issue.record("the old primary answers \(String(describing: lost))")
            return
        }
        // Another connection that is lost now moves nobody on.
        _ = failure { () throws(FleetError) in _ = try stale.accept([offer]) }
        // Who only reads has answers from the old one until the new one is reached.
        #expect(try reader.isOpen && reader.facts().timeline == 1)
        let next = try servers.connect()
        #expect(try next.facts().timeline == 2)
        #expect(!reader.isOpen)
        // What the session has read there may not be here: another one follows it.
        next.patience = .seconds(60)
        #expect(failure { () throws(FleetError) in _ = try next.beat(session) } == .fenced)
        let follower = try next.join(member)
        #expect(try next.holders().filter { $0.holder == follower.number }.map(\.part) == [other])
        _ = try next.beat(follower)
        next.patience = .milliseconds(200)
        // Nor is the old one taken when connections begin with it again.
        next.close()
        _ = failure { () throws(FleetError) in _ = try next.facts() }
        #expect(try servers.connect().facts().timeline == 2)
        try pair.standby.signal(SIGKILL)
        // The new one hangs up, or is not there; then there is the old one alone.
        let faults = (0..<3).map { _ in failure { () throws(FleetError) in _ = try servers.connect() } }
        #expect(!faults.contains(nil) && faults.contains(.replaced))
    }

    @Test("a host that does not hear of its session, for the standby stands still, loses nothing that it held")
    func unheardSession() async throws {
        let pair = try await Pair()
        let member = FleetMember(host: "b", version: "1", lease: .seconds(600))
        let other = try #require(Partition.all.first { $0 != Self.part })
        let first = try pair.fixture.connect()
        let session = try first.join(member)
        #expect(try first.take(FleetFixture.free([other]), from: nil, as: session).count == 1)
        try pair.stopStandby()
        let second = try pair.fixture.connect()
        second.patience = .milliseconds(200)
        let lost = failure { () throws(FleetError) in _ = try second.join(member) }
        guard case .database(.unanswered) = lost else {
            Issue.record("the join has ended with \(String(describing: lost))")
            return
        }
        let third = try pair.fixture.connect()
        // The second session begins now, and is followed at once.
        try pair.resumeStandby()
        var follower: FleetSession?
        while follower == nil { follower = try? third.join(member) }
        let held = try third.holders().filter { $0.part == other }
        #expect(held.map(\.holder) == [follower?.number])
        #expect(held.map(\.epoch) == [3])
    }

    @Test("what a host writes to the new primary it does not look for at the one that was replaced")
    func replacedBeneath() async throws {
        let pair = try await Pair()
        try pair.fixture.add(tokens: ["d00", "d01"])
        let (old, new) = (pair.primary.folder, pair.standby.folder)
        let servers = FleetServers(pair.fixture.conninfo.replacing("host=\(old)", with: "host=\(old),\(new)"))
        let node = FleetNode("b") { () throws(FleetError) in try servers.connect() }
        try await FleetHostTests.with([node]) {
            try await node.until { $0.host.holding.count == 1023 }
            #expect(await node.accept([.sample(0, device: "d00")]) == [.accepted])
            try await node.until { try $0.host.outbox.due(for: "hook", limit: 9).count == 1 }
            let session = node.host.session
            // The old primary answers whoever reads, and keeps whoever writes waiting.
            try pair.standby.promote()
            while await node.accept([.sample(0, device: "d01")]) != [.accepted] { try await Task.turn() }
            try await node.until { try $0.host.outbox.due(for: "hook", limit: 9).count == 2 }
            #expect(node.concluded.map(\.token) == ["d00", "d01"])
            #expect(node.host.session != session)
        }
    }

    @Test("a server with another database's files is refused once the fleet's was reached")
    func otherServer() throws {
        let (one, other) = (try DatabaseServer(), try DatabaseServer())
        for server in [one, other] { _ = try FleetDatabase.create(server.conninfo()) }
        let link = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: link) }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one.folder)
        let servers = FleetServers(one.conninfo().replacing(one.folder, with: link))
        try servers.connect().close()
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.folder)
        #expect(failure { () throws(FleetError) in _ = try servers.connect() } == .otherServer)
    }
}
