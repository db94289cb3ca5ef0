// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import Testing

import struct Foundation.Date

@testable import Fleet

/// The memory of repeats, the plan of records, the seal and the form of a push between hosts.
struct FleetValueTests {
    private static let parts = (0..<2).compactMap { Partition(Int16($0)) }

    private static func key(_ number: Int) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
    }

    // MARK: Repeats

    @Test("a push is a repeat by either of its keys, in its partition")
    func repeats() {
        var memory = RepeatMemory()
        let first = memory.isRepeat(Self.key(1) + Self.key(2), in: Self.parts[0])
        let others = [Self.key(1), Self.key(2), Self.key(3) + Self.key(2)].map {
            memory.isRepeat($0, in: Self.parts[0])
        }
        let elsewhere = memory.isRepeat(Self.key(1), in: Self.parts[1])
        #expect(!first && !elsewhere)
        #expect(others == [true, true, true])
        memory.forget(Self.parts[0])
        let again = memory.isRepeat(Self.key(1), in: Self.parts[0])
        #expect(!again)
        #expect(memory.count == 2)
    }

    @Test("keys are known for two turns, and forgotten with the third")
    func turns() {
        var memory = RepeatMemory()
        memory.note(Self.key(1), in: Self.parts[0])
        memory.turn()
        memory.turn()
        var isKnown = memory.isRepeat(Self.key(1), in: Self.parts[0])
        #expect(isKnown)
        memory.turn()
        isKnown = memory.isRepeat(Self.key(1), in: Self.parts[0])
        #expect(!isKnown)
    }

    @Test("beyond the bound the oldest keys go, and the newest half of what there is room for stays")
    func full() {
        var memory = RepeatMemory(limit: 10)
        for number in 0..<100 {
            let isKnown = memory.isRepeat(Self.key(number), in: Self.parts[0])
            #expect(!isKnown)
            for former in max(0, number - 4)...number {
                let isKnown = memory.isRepeat(Self.key(former), in: Self.parts[0])
                #expect(isKnown, "\(former) after \(number)")
            }
            #expect(memory.count <= 10)
        }
        // What ended long ago makes no room for itself.
        memory.note(Self.key(200), in: Self.parts[0])
        memory.note(Self.key(201), in: Self.parts[0])
        let isKnown = memory.isRepeat(Self.key(99), in: Self.parts[0])
        #expect(isKnown)
    }

    // MARK: Opened envelopes

    private static func mark(_ id: Int, _ place: Int64, in part: Int = 0, day: Int64 = 20_000) -> OpenedMark {
        OpenedMark(place: PushPlace(parts[part], place), id: key(id), expiry: day * 24 * 3600 + 7)
    }

    @Test("an envelope is known under the place that had it first, until its partition or its day is forgotten")
    func openings() {
        var memory = OpenedMemory()
        for mark in [Self.mark(1, 10), Self.mark(1, 11), Self.mark(2, 12, day: 20_001), Self.mark(3, 13, in: 1)] {
            memory.note(mark)
        }
        #expect(memory.place(of: Self.key(1), in: Self.parts[0]) == 10)
        #expect(memory.place(of: Self.key(2), in: Self.parts[0]) == 12)
        #expect(memory.place(of: Self.key(1), in: Self.parts[1]) == nil)
        #expect(memory.count == 3)
        memory.prune(now: 20_001 * 24 * 3600)
        #expect(memory.count == 3)
        memory.prune(now: 20_002 * 24 * 3600)
        #expect(memory.place(of: Self.key(1), in: Self.parts[0]) == nil)
        #expect(memory.count == 1)
        memory.forget(Self.parts[0])
        #expect(memory.count == 0)
    }

    @Test("beyond the bound those go that expire first")
    func manyOpenings() {
        var memory = OpenedMemory(limit: 10)
        for number in 0..<10 { memory.note(Self.mark(number, Int64(number), day: 20_000 + Int64(number % 2))) }
        memory.note(Self.mark(11, 11, day: 20_001))
        #expect(memory.count == 6)
        #expect(memory.place(of: Self.key(0), in: Self.parts[0]) == nil)
        #expect(memory.place(of: Self.key(1), in: Self.parts[0]) == 1)
        for number in 20..<40 { memory.note(Self.mark(number, Int64(number), day: 20_001)) }
        #expect(memory.count <= 10)
        #expect(memory.place(of: Self.key(39), in: Self.parts[0]) == 39)
    }

    // MARK: The plan

    private static func head(_ number: Int64, in part: Int = 0, due: Duration = .zero) -> OutboxPlan.Head {
        OutboxPlan.Head(place: PushPlace(parts[part], number), byteCount: 10, attempts: 0, due: due)
    }

    @Test("each device's first record goes, in the order of places, and the next when it is gone")
    func plan() {
        var plan = OutboxPlan()
        for (number, token) in [(5, "b"), (1, "a"), (2, "a"), (9, "c")] {
            plan.add(Self.head(Int64(number)), for: "hook", to: token)
        }
        plan.add(Self.head(1), for: "hook", to: "a")
        #expect(plan.due(for: "hook", limit: 9, now: .zero).map(\.number) == [1, 5, 9])
        #expect(plan.due(for: "hook", limit: 2, now: .zero).map(\.number) == [1, 5])
        #expect(plan.due(for: "archive", limit: 9, now: .zero).isEmpty)
        plan.postpone(5, for: "hook", until: .seconds(8))
        plan.remove(1, for: "hook")
        #expect(plan.due(for: "hook", limit: 9, now: .seconds(7)).map(\.number) == [2, 9])
        #expect(plan.due(for: "hook", limit: 9, now: .seconds(8)).map(\.number) == [2, 5, 9])
        #expect(plan.place(of: 5, for: "hook") == PushPlace(Self.parts[0], 5))
        #expect(plan.place(of: 1, for: "hook") == nil)
        #expect(plan.counts["hook"]?.records == 3)
        #expect(plan.counts["hook"]?.byteCount == 30)
    }

    @Test("later records of a device wait behind one that is to go again, and a partition is forgotten whole")
    func waiting() {
        var plan = OutboxPlan()
        plan.add(Self.head(1, due: .seconds(5)), for: "hook", to: "a")
        plan.add(Self.head(2), for: "hook", to: "a")
        plan.add(Self.head(3, in: 1), for: "hook", to: "b")
        #expect(plan.due(for: "hook", limit: 9, now: .seconds(4)).map(\.number) == [3])
        plan.forget(Self.parts[0])
        #expect(plan.due(for: "hook", limit: 9, now: .seconds(6)).map(\.number) == [3])
        #expect(plan.counts["hook"]?.records == 1)
    }

    @Test("whatever happens to it, the plan gives what a list would")
    func accidents() {
        for seed in 0..<20 as Range<UInt64> {
            var generator = SimulatedFleet.Numbers(state: 2 * seed + 1)
            var plan = OutboxPlan()
            var rows: [(number: Int64, token: String, due: Duration)] = []
            var now = Duration.zero
            for step in 0..<400 as Range<Int64> {
                now += .seconds(1)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0...2:
                    let token = "\(Int.random(in: 0..<7, using: &generator))"
                    plan.add(Self.head(step), for: "hook", to: token)
                    rows.append((step, token, .zero))
                case 3:
                    guard let row = rows.randomElement(using: &generator) else { continue }
                    plan.remove(row.number, for: "hook")
                    rows.removeAll { $0.number == row.number }
                case 4:
                    guard let index = rows.indices.randomElement(using: &generator) else { continue }
                    rows[index].due = now + .seconds(Int.random(in: 0..<9, using: &generator))
                    plan.postpone(rows[index].number, for: "hook", until: rows[index].due)
                default: break
                }
                var tokens: Set<String> = []
                let expected = rows.filter { tokens.insert($0.token).inserted && $0.due <= now }.map(\.number)
                let given = plan.due(for: "hook", limit: 100, now: now).map(\.number)
                guard given == expected else {
                    Issue.record("seed \(seed), step \(step): \(given) in place of \(expected)")
                    return
                }
            }
        }
    }

    // MARK: The seal

    @Test("a record is opened by any host with the key, for its push and its sink alone")
    func seal() {
        let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        var one = FleetSeal(FleetKeys(sealing: old))
        let two = FleetSeal(FleetKeys(sealing: old))
        let other = FleetSeal(FleetKeys(sealing: new))
        let changed = FleetSeal(FleetKeys(sealing: new, opening: [[UInt8](repeating: 3, count: 32), old]))
        let name = DeliveryName(store: "00c0ffee", count: 7)
        let record = Array("{\"title\":\"secret\"}".utf8)
        let (sealed, again) = (one.seal(record, of: name, for: "hook"), one.seal(record, of: name, for: "hook"))
        #expect(sealed.count == record.count + 41)
        #expect(sealed.suffix(record.count + 16) != again.suffix(record.count + 16))
        #expect(one.open(sealed, of: name, for: "hook") == record)
        #expect(two.open(sealed, of: name, for: "hook") == record)
        #expect(other.open(sealed, of: name, for: "hook") == nil)
        #expect(changed.open(sealed, of: name, for: "hook") == record)
        #expect(changed.open(sealed, of: name, for: "archive") == nil)
        #expect(two.open(sealed, of: DeliveryName(store: "00c0ffee", count: 8), for: "hook") == nil)
        #expect(two.open(sealed, of: name, for: "archive") == nil)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 1
            #expect(two.open(damaged, of: name, for: "hook") == nil)
            #expect(two.open(Array(sealed[..<index]), of: name, for: "hook") == nil)
        }
    }

    // MARK: Pushes between hosts

    @Test("a push is read as it was offered")
    func head() throws {
        let payload: JSONObject = ["aps": ["alert": "clear", "mutable-content": 1]]
        var push = IncomingPush(
            id: "2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0",
            deviceToken: "00",
            topic: "com.example.chat.voip",
            owner: "me",
            pushType: .voip,
            priority: .powerAware,
            expiration: Date(timeIntervalSince1970: 1_700_000_100.25),
            isKept: false,
            collapseID: "c",
            payload: Payload(payload),
            payloadByteCount: payload.serialized.count,
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000.5),
            sender: .user(1000)
        )
        let name = DeliveryName(store: "00c0ffee", count: 7)
        let offered = OfferedPush(push, name: name)
        #expect(offered.app == "com.example.chat")
        // Either will do where nobody has said which.
        #expect(offered.environment == "")
        push.environment = .production
        push.app = "com.example"
        #expect(OfferedPush(push, name: name).app == "com.example")
        #expect(OfferedPush(push, name: name).environment == "production")
        #expect(offered.keys.count == 16)
        let row = WaitingPush(
            part: Self.parts[1],
            place: 9,
            topic: offered.topic,
            token: offered.token,
            owner: "me",
            name: offered.name,
            keys: offered.keys,
            head: offered.head,
            body: offered.body
        )
        let read = IncomingPush(row)
        #expect(read.id == push.id && read.pushType == .voip && read.priority == .powerAware)
        #expect(read.expiration == push.expiration && !read.isKept && read.collapseID == "c")
        #expect(read.receivedAt == push.receivedAt && read.sender == push.sender && read.payload == push.payload)
        #expect(read.number == 9 && read.delivery == name && read.partition == 1 && read.owner == "me")
        #expect(read.payloadByteCount == offered.body.count && read.body.isEmpty)
        #expect(!read.isTakenUpAgain)
    }

    @Test(
        "what is no push any more has an outcome all the same",
        arguments: ["", "[]", "{\"id\":5,\"priority\":3,\"received\":-1e300,\"expires\":1e300}"]
    )
    func damaged(head: String) {
        let row = WaitingPush(
            part: Self.parts[0],
            place: 9,
            topic: "com.example.chat",
            token: "00",
            owner: "me",
            name: "00c0ffee-7",
            keys: [],
            head: head,
            body: [0xFF]
        )
        let push = IncomingPush(row)
        #expect(push.id == "00c0ffee-7" && push.payload.isEmpty && push.pushType == .alert && push.number == 9)
        #expect(push.priority == .immediate)
        // Its age is counted and measured.
        #expect(push.receivedAt >= Date(timeIntervalSince1970: 0))
        #expect(push.expiration ?? .distantPast <= Date(timeIntervalSince1970: 7_258_118_400))
    }
}
