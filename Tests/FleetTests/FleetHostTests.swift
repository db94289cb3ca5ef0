// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import HostRuntime
import PostgreSQL
import TestClock
import Testing

/// Hosts in this process, each with its queue, over one database.
@Suite(
    "Pushes in a fleet",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct FleetHostTests {
    static let server = FleetFixture.server()

    /// Runs hosts while `body` runs, and cancels them with its end.
    static func with(_ nodes: [FleetNode], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { await node.run() } }
            defer { group.cancelAll() }
            try await body()
        }
    }

    static let devices = (0..<40).map { "d0\($0)" }

    static func fixture() throws -> FleetFixture {
        let fixture = try FleetFixture(on: server)
        try fixture.add(tokens: devices)
        return fixture
    }

    /// Pushes of all devices in turn.
    static func pushes(_ range: Range<Int>) -> [IncomingPush] {
        range.flatMap { number in devices.map { IncomingPush.sample(number, device: $0) } }
    }

    static func isInOrder(_ concluded: [FleetNode.Concluded]) -> Bool {
        Dictionary(grouping: concluded, by: \.token).values.allSatisfy { ofDevice in
            let numbers = ofDevice.compactMap { Int($0.id.split(separator: "-")[1]) }
            return numbers == numbers.sorted()
        }
    }

    @Test("what one host accepts is concluded once, in order, and its records wait sealed")
    func alone() async throws {
        let fixture = try Self.fixture()
        let node = FleetNode("a", fixture)
        try await Self.with([node]) {
            let pushes = Self.pushes(0..<10)
            #expect(await node.accept(pushes).allSatisfy { $0 == .accepted })
            // The same again, before and after the first has ended.
            #expect(await node.accept(pushes).allSatisfy { $0 == .accepted })
            try await node.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(node.concluded.count == pushes.count)
            #expect(Set(node.concluded.map(\.id)).count == pushes.count)
            #expect(Self.isInOrder(node.concluded))
            #expect(!node.concluded.contains { $0.isTakenUpAgain })
            try await node.until { $0.host.queue.count == 0 }
            #expect(try fixture.number("SELECT count(*) FROM nestbox.outbox") == 400)
            let readable = "SELECT count(*) FROM nestbox.outbox WHERE position('record'::bytea IN record) > 0"
            #expect(try fixture.number(readable) == 0)

            let due = try node.host.outbox.due(for: "hook", limit: 100)
            #expect(due.count == Self.devices.count)
            #expect(due.allSatisfy { $0.record.starts(with: Array("record of ".utf8)) && $0.attempts == 0 })
            #expect(due.map(\.number) == due.map(\.number).sorted())
            await node.host.queue.settle(
                due.map { Settlement(sink: "hook", number: $0.number, verdict: .delivered) }
            )
            #expect(try fixture.number("SELECT count(*) FROM nestbox.outbox") == 360)
            let next = try node.host.outbox.due(for: "hook", limit: 1)
            await node.host.queue.settle(
                next.map { Settlement(sink: "hook", number: $0.number, verdict: .dead(reason: "404")) }
            )
            #expect(try fixture.number("SELECT count(*) FROM nestbox.dead WHERE reason = '404'") == 1)
        }
    }

    @Test("two hosts share the devices, whichever of them a push comes to")
    func two() async throws {
        let fixture = try Self.fixture()
        let (one, two) = (FleetNode("a", fixture), FleetNode("b", fixture))
        try await Self.with([one, two]) {
            // One of them may take all before the other is there, and gives the other's share back in parts.
            try await one.until { _ in
                let (mine, theirs) = (one.host.holding.count, two.host.holding.count)
                return mine + theirs == 1024 && min(mine, theirs) > 400
            }
            #expect(await one.accept(Self.pushes(0..<5)).allSatisfy { $0 == .accepted })
            #expect(await two.accept(Self.pushes(5..<10)).allSatisfy { $0 == .accepted })
            try await one.until { _ in one.concluded.count + two.concluded.count >= 400 }
            try await one.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(Set((one.concluded + two.concluded).map(\.delivery)).count == 400)
            #expect(one.concluded.count + two.concluded.count == 400)
            #expect(Self.isInOrder(one.concluded))
            #expect(Self.isInOrder(two.concluded))
            let (first, second) = (Set(one.concluded.map(\.token)), Set(two.concluded.map(\.token)))
            #expect(!first.isEmpty && !second.isEmpty && first.isDisjoint(with: second))
        }
    }

    @Test("what waits too long at its host, or for a sink, is refused by all hosts until there is room")
    func pressure() async throws {
        let fixture = try Self.fixture()
        var limits = QueueLimits()
        limits.pushes = 20
        let (holder, other) = (FleetNode("a", fixture, limits: limits), FleetNode("b", fixture, weight: 0))
        let more = IncomingPush.sample(1, device: Self.devices[0])
        try await Self.with([holder, other]) {
            try await holder.until { $0.host.holding.count == 1024 }
            for device in Self.devices { holder.hold(device) }
            #expect(await other.accept(Self.pushes(0..<1)).allSatisfy { $0 == .accepted })
            while await other.accept([more]) != [.unavailable] { try await Task.turn() }
            #expect(try fixture.connect().pressure().pressure(on: Partition(token: Self.devices[0])) == [.everything])
            // Pushes that nobody takes are not counted as the device's.
            for _ in 0..<2_000 { #expect(await other.accept([more]) == [.unavailable]) }

            for device in Self.devices { holder.letGo(device) }
            try await holder.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            let database = try fixture.connect()
            try await holder.until { _ in
                let door = try database.pressure()
                return Partition.all.allSatisfy { door.pressure(on: $0) == [.sink("hook")] }
            }
            while try fixture.number("SELECT count(*) FROM nestbox.outbox") > 0 {
                let due = try holder.host.outbox.due(for: "hook", limit: 100)
                await holder.host.queue.settle(
                    due.map { Settlement(sink: "hook", number: $0.number, verdict: .delivered) }
                )
            }
            let last = IncomingPush.sample(2, device: Self.devices[1])
            while await other.accept([last]) != [.accepted] { try await Task.turn() }
            try await holder.until { $0.concluded.contains { $0.id == last.id } }
        }
    }

    @Test("a push of a token that nobody knows, of a removed one and of another app's is refused")
    func tokens() async throws {
        let fixture = try Self.fixture()
        try fixture.add(tokens: ["0e"], app: "com.example.mail")
        try fixture.owner.runScript("UPDATE nestbox.tokens SET removed = to_timestamp(5) WHERE token = 'd01'")
        let node = FleetNode("a", fixture)
        try await Self.with([node]) {
            let pushes = ["ff", "d01", "0e", "d02"].map { IncomingPush.sample(0, device: $0) }
            var test = IncomingPush.sample(0, device: "d03")
            test.environment = .development
            let expected: [Acceptance] = [
                .badToken(.unknown), .badToken(.removed(at: 5000)), .badToken(.ofAnotherApp), .accepted,
                .badToken(.ofAnotherEnvironment),
            ]
            #expect(await node.accept(pushes + [test]) == expected)
            try await node.until { $0.concluded.map(\.token) == ["d02"] }
        }
    }

    @Test("a host that ends like a crash leaves its pushes to the other, under their names")
    func crash() async throws {
        let fixture = try Self.fixture()
        let (one, two) = (FleetNode("a", fixture), FleetNode("b", fixture))
        for device in Self.devices { two.hold(device) }
        try await Self.with([two]) {
            #expect(await two.accept(Self.pushes(0..<3)).allSatisfy { $0 == .accepted })
            try await two.until { $0.begun.count == Self.devices.count }
        }
        #expect(two.concluded.isEmpty)
        let gone = try fixture.number("SELECT session FROM nestbox.sessions WHERE host = 'b'")
        try await fixture.untilGone(FleetSession(number: gone, secret: []))
        try fixture.age(FleetSession(number: gone, secret: []), by: 3)
        let names = try fixture.texts("SELECT name FROM nestbox.waiting")
        try await Self.with([one]) {
            try await one.until { $0.concluded.count >= 120 }
            try await one.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(one.concluded.count == 120)
            #expect(one.concluded.allSatisfy { $0.isTakenUpAgain })
            #expect(Set(one.concluded.map(\.delivery)) == Set(names))
            #expect(Self.isInOrder(one.concluded))
        }
    }

    @Test("a host that drains ends what is at work, and leaves what waits to the other")
    func drain() async throws {
        let fixture = try Self.fixture()
        let (one, two) = (FleetNode("a", fixture), FleetNode("b", fixture))
        for device in Self.devices { two.hold(device) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await two.run() }
            #expect(await two.accept(Self.pushes(0..<3)).allSatisfy { $0 == .accepted })
            try await two.until { $0.begun.count == Self.devices.count }
            two.host.drain()
            // What waits is let go; what is at work is still in hand.
            try await two.until { $0.host.queue.count == Self.devices.count }
            for device in Self.devices { two.letGo(device) }
            try await group.waitForAll()
        }
        try #require(two.concluded.count == Self.devices.count)
        #expect(try fixture.number("SELECT count(*) FROM nestbox.parts WHERE is_clean AND session IS NULL") == 1024)
        try await Self.with([one]) {
            try await one.until { $0.concluded.count >= 80 }
            try await one.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(one.concluded.count == 80)
            #expect(!one.concluded.contains { $0.isTakenUpAgain })
            #expect(Set((one.concluded + two.concluded).map(\.delivery)).count == 120)
        }
    }

    @Test("what a fenced host has at work is cut off and counts for nothing; it joins anew and does it again")
    func fenced() async throws {
        let fixture = try Self.fixture()
        let node = FleetNode("a", fixture)
        for device in Self.devices { node.hold(device) }
        try await Self.with([node]) {
            #expect(await node.accept(Self.pushes(0..<2)).allSatisfy { $0 == .accepted })
            try await node.until { $0.begun.count == Self.devices.count }
            let former = try #require(node.host.session)
            try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
            try await node.until { $0.host.session.map { $0 != former } ?? false }
            for device in Self.devices { node.letGo(device) }
            try await node.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(node.concluded.count == 80)
            #expect(node.begun.count == 120)
            #expect(Set(node.concluded.map(\.delivery)).count == 80)
            try await node.until { $0.host.queue.count == 0 }
            #expect(try fixture.number("SELECT count(*) FROM nestbox.outbox") == 80)
        }
    }

    @Test("an envelope is one push's, for its host and for the next one")
    func openings() async throws {
        let fixture = try Self.fixture()
        let (one, two) = (FleetNode("a", fixture), FleetNode("a", fixture))
        let part = try #require(Partition(5))
        func mark(_ id: UInt8, _ place: Int64) -> OpenedMark {
            OpenedMark(place: PushPlace(part, place), id: [UInt8](repeating: id, count: 16), expiry: 4_000_000_000)
        }
        #expect(await one.host.openings.remember(mark(1, 101)) == .over)
        try await Self.with([one]) {
            try await one.until { $0.host.holding.count == 1024 }
            // Many at once are few calls; none of them is lost, and none is another's.
            let verdicts = await withTaskGroup(of: FleetOpenings.Verdict.self) { group in
                for id in 0..<100 as Range<UInt8> {
                    group.addTask { await one.host.openings.remember(mark(id, 100 + Int64(id))) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(verdicts == Array(repeating: .own, count: 100))
            #expect(await one.host.openings.remember(mark(1, 101)) == .own)
            #expect(await one.host.openings.remember(mark(1, 300)) == .replay)
            #expect(try fixture.number("SELECT count(DISTINCT id) FROM nestbox.opened") == 100)
        }
        try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
        try await Self.with([two]) {
            #expect(await two.accept([IncomingPush.sample(0, device: "d01")]) == [.accepted])
            // All partitions are opened by now, with what is known of them.
            try await two.until { $0.concluded.count == 1 }
            #expect(await two.host.openings.remember(mark(1, 300)) == .replay)
            #expect(await two.host.openings.remember(mark(1, 101)) == .own)
        }
    }

    @Test("records of a former session wait in the next one, and another fleet's key opens none")
    func records() async throws {
        let fixture = try Self.fixture()
        let (one, two) = (FleetNode("a", fixture), FleetNode("a", fixture))
        let stranger = FleetNode("a", fixture, keys: FleetKeys(sealing: [UInt8](repeating: 8, count: 32)))
        try await Self.with([one]) {
            #expect(await one.accept(Self.pushes(0..<1)).allSatisfy { $0 == .accepted })
            try await one.until { try $0.host.outbox.due(for: "hook", limit: 100).count == 40 }
            let first = try one.host.outbox.due(for: "hook", limit: 1)
            let failed = Settlement.Verdict.retry(after: .seconds(3600), reason: "500")
            await one.host.queue.settle(
                first.map { Settlement(sink: "hook", number: $0.number, verdict: failed) }
            )
        }
        try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
        try await Self.with([two]) {
            try await two.until { try $0.host.outbox.due(for: "hook", limit: 100).count == 39 }
        }
        try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
        try fixture.add(tokens: ["e00"])
        try await Self.with([stranger]) {
            // All partitions are opened together: when its own record is there, the others have been tried.
            #expect(await stranger.accept([IncomingPush.sample(0, device: "e00")]) == [.accepted])
            try await stranger.until { try !$0.host.outbox.due(for: "hook", limit: 100).isEmpty }
            let due = try stranger.host.outbox.due(for: "hook", limit: 100)
            #expect(due.map(\.deviceToken) == ["e00"])
        }
    }

    @Test("what a host holds that an operator drains goes to another, in order, and comes back")
    func drained() async throws {
        let fixture = try Self.fixture()
        let operatorInfo = fixture.conninfo.replacing("user=host", with: "user=postgres")
        let (one, two) = (FleetNode("a", fixture), FleetNode("b", fixture))
        try await Self.with([one, two]) {
            try await one.until { _ in one.host.holding.count > 400 && two.host.holding.count > 400 }
            #expect(await one.accept(Self.pushes(0..<2)).allSatisfy { $0 == .accepted })
            try FleetDatabase.setLeaving(true, host: "a", operatorInfo)
            #expect(await one.accept(Self.pushes(2..<4)).allSatisfy { $0 == .accepted })
            try await two.until { $0.host.holding.count == 1024 }
            let before = one.concluded.count
            // It runs on, and accepts for the other.
            #expect(await one.accept(Self.pushes(4..<6)).allSatisfy { $0 == .accepted })
            try await two.until { _ in try fixture.number("SELECT count(*) FROM nestbox.waiting") == 0 }
            #expect(one.host.session != nil)
            #expect(one.concluded.count == before)
            #expect(one.concluded.count + two.concluded.count == 6 * Self.devices.count)
            #expect(Self.isInOrder(one.concluded) && Self.isInOrder(two.concluded))
            try FleetDatabase.setLeaving(false, host: "a", operatorInfo)
            try await one.until { !$0.host.holding.isEmpty }
        }
    }

    /// The order in which operators change it: each host may read what any other has sealed, at each step.
    @Test("the fleet's key is changed host by host, and every record is opened")
    func keys() async throws {
        let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        let steps = [
            FleetKeys(sealing: old, opening: [new]), FleetKeys(sealing: new, opening: [old]), FleetKeys(sealing: new),
        ]
        let fixture = try Self.fixture()
        var (round, before) = (0, FleetKeys(sealing: old))
        for after in steps {
            // One host seals with what it has before the step; the other has made it, and then it is the first's turn.
            for (sealing, opening) in [(before, after), (after, before)] {
                let (sealer, opener) = (FleetNode("a", fixture, keys: sealing), FleetNode("a", fixture, keys: opening))
                try await Self.with([sealer]) {
                    #expect(await sealer.accept(Self.pushes(round..<round + 1)).allSatisfy { $0 == .accepted })
                    try await sealer.until { try $0.host.outbox.due(for: "hook", limit: 100).count == 40 }
                }
                try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
                try await Self.with([opener]) {
                    try await opener.until { try $0.host.outbox.due(for: "hook", limit: 100).count == 40 }
                    for record in try opener.host.outbox.due(for: "hook", limit: 100) {
                        await opener.host.queue.settle([
                            Settlement(sink: "hook", number: record.number, verdict: .delivered)
                        ])
                    }
                    try await opener.until { _ in try fixture.number("SELECT count(*) FROM nestbox.outbox") == 0 }
                }
                try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
                round += 1
            }
            before = after
        }
    }
}
