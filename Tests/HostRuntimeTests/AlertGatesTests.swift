// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import NotificationPayload
import Testing

/// The apps for which no extension runs, by what the readers of their notifications say.
struct AlertGatesTests {
    /// A shelf in memory.
    private final class Shelf: GateShelf {
        let kept: Locked<[String: Set<OwnedApp>]>
        let writes = Locked(0)

        init(_ kept: [String: Set<OwnedApp>] = [:]) { self.kept = Locked(kept) }

        func shutGates(of reader: String) -> Set<OwnedApp> { kept.withLock { $0[reader] ?? [] } }

        func keep(_ shut: Set<OwnedApp>, of reader: String) async {
            kept.withLock { $0[reader] = shut }
            writes.withLock { $0 += 1 }
        }
    }

    @Test func `a reader that never spoke leaves every extension running`() {
        let gates = AlertGates(shelf: Shelf())
        #expect(!gates.isShut("chat"))
        gates.join("desk", topics: ["chat"])
        #expect(!gates.isShut("chat"))
    }

    @Test func `what a reader says holds until it says something else`() async {
        let shelf = Shelf()
        let gates = AlertGates(shelf: shelf)
        gates.join("desk", topics: ["chat", "mail"])
        await gates.replace(by: ["chat"], of: "desk")
        #expect(gates.isShut("chat") && !gates.isShut("mail"))
        await gates.change(shut: ["mail"], open: ["chat"], of: "desk")
        #expect(!gates.isShut("chat") && gates.isShut("mail"))
        #expect(shelf.kept.withLock(\.self) == ["desk": ["mail"]])
        await gates.replace(by: [], of: "desk")
        #expect(!gates.isShut("mail"))
    }

    @Test func `the next host begins with what was kept, of the apps that it still has`() {
        let gates = AlertGates(shelf: Shelf(["desk": ["chat", "gone"]]))
        gates.join("desk", topics: ["chat", "mail"])
        #expect(gates.isShut("chat") && !gates.isShut("mail") && !gates.isShut("gone"))
    }

    @Test func `an app is shut for the owner alone of whom the reader says so`() async {
        let gates = AlertGates(shelf: Shelf())
        gates.join("desk", topics: ["chat"])
        let (maria, other) = (OwnedApp(topic: "chat", owner: "maria"), OwnedApp(topic: "mail", owner: "maria"))
        await gates.replace(by: [maria, other], of: "desk")
        #expect(gates.isShut(maria) && !gates.isShut("chat") && !gates.isShut(other))
        await gates.change(shut: ["chat"], open: [maria], of: "desk")
        #expect(!gates.isShut(maria) && gates.isShut("chat"))
    }

    @Test func `an app with two readers is shut by both`() async {
        let gates = AlertGates(shelf: Shelf())
        gates.join("desk", topics: ["chat", "mail"])
        gates.join("kiosk", topics: ["chat"])
        await gates.replace(by: ["chat", "mail"], of: "desk")
        #expect(!gates.isShut("chat") && gates.isShut("mail"))
        await gates.replace(by: ["chat"], of: "kiosk")
        #expect(gates.isShut("chat"))
    }

    @Test func `apps that a reader does not have are left out, and nothing is written in vain`() async {
        let shelf = Shelf()
        let gates = AlertGates(shelf: shelf)
        gates.join("desk", topics: ["chat"])
        await gates.replace(by: ["other"], of: "desk")
        await gates.replace(by: ["chat"], of: "nobody")
        #expect(!gates.isShut("other") && shelf.writes.withLock(\.self) == 0)
        await gates.change(shut: ["chat", "other"], open: [], of: "desk")
        await gates.change(shut: ["chat"], open: [], of: "desk")
        #expect(shelf.kept.withLock(\.self) == ["desk": ["chat"]] && shelf.writes.withLock(\.self) == 1)
    }

    @Test func `of an app whose alerts are off nothing is opened and nothing extended`() async {
        let (opener, runner) = (FakeOpener(), FakeRunner(.failed(.exitedEarly)))
        let gates = AlertGates(shelf: Shelf(["desk": [OwnedApp(topic: IncomingPush.sample().topic)]]))
        gates.join("desk", topics: [IncomingPush.sample().topic])
        let pipeline = PushPipelineTests.pipeline(opener: opener, runner: runner).gated(by: gates)
        let record = await pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(record.outcome == .original(.alertsOff))
        #expect(record.payload == Payload(PushPipelineTests.sealed))
        #expect(opener.calls.isEmpty && runner.calls.isEmpty)
        await gates.replace(by: [], of: "desk")
        #expect(await pipeline.record(of: .sample(payload: PushPipelineTests.sealed)).outcome != .original(.alertsOff))
    }

    @Test func `every owner's push is opened and extended, and its record says whose it is`() async {
        for owner in ["me", "maria"] {
            let opener = FakeOpener { .opened(Payload(["aps": ["alert": "opened"]])) }
            let runner = FakeRunner(.failed(.exitedEarly))
            let push = IncomingPush.sample(owner: owner, payload: PushPipelineTests.sealed)
            let record = await PushPipelineTests.pipeline(opener: opener, runner: runner).record(of: push)
            #expect(record.owner == owner)
            #expect(record.outcome == .original(.failed(.exitedEarly)))
            #expect(opener.calls.count == 1 && runner.calls.count == 1)
        }
    }
}

extension OwnedApp: ExpressibleByStringLiteral {
    /// The only owner's app of a topic.
    public init(stringLiteral topic: String) {
        self.init(topic: topic)
    }
}
