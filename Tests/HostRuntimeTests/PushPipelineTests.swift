// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import TestClock
import Testing

/// Every outcome and reason of docs/records.md, "Outcomes" and "Reasons".
struct PushPipelineTests {
    static let sealed: JSONObject = [
        "aps": ["alert": "You have a message", "mutable-content": 1], "encrypted-content": "v1.AAAA", "room": 7,
    ]
    static let openedPayload = Payload([
        "aps": ["alert": ["title": "Alice", "body": "Lunch?"]],
        "encryption": ["format": "v1", "authenticated": true, "sender": "8d96fecd12684c9d"],
    ])
    static let worked = Payload(["aps": ["alert": ["title": "Alice", "body": "Lunch at one?"]]])

    static func pipeline(
        _ app: HostedApp? = .sample(),
        opener: FakeOpener = FakeOpener { .opened(openedPayload) },
        runner: FakeRunner = FakeRunner(.content(worked, late: false)),
        clock: ManualClock = ManualClock(),
        wallTime: Date = IncomingPush.received
    ) -> PushPipeline {
        PushPipeline(
            apps: app.map { [$0] } ?? [],
            opener: opener,
            runner: runner,
            clock: HostClock(clock),
            wallTime: { wallTime }
        )
    }

    // MARK: notMutable

    @Test(
        arguments: [
            ["aps": ["alert": "Hi"]],
            ["aps": ["alert": "Hi", "mutable-content": 0]],
            ["aps": ["alert": "Hi", "mutable-content": true]],
            ["aps": ["mutable-content": 1]],
            ["aps": ["mutable-content": 1, "badge": 3, "sound": "default"]],
            ["aps": ["alert": "", "mutable-content": 1]],
            ["aps": ["alert": [:], "mutable-content": 1]],
            ["mutable-content": 1, "alert": "Hi"],
            [:],
        ] as [JSONObject]
    )
    func `a push that asks for no extension is delivered as it came`(payload: JSONObject) async {
        let (opener, runner) = (FakeOpener(), FakeRunner(.failed(.exitedEarly)))
        var sealed = payload
        sealed["encrypted-content"] = "v1.AAAA"
        for payload in [payload, sealed] {
            let record = await Self.pipeline(opener: opener, runner: runner).record(of: .sample(payload: payload))
            #expect(record.outcome == .original(.notMutable))
            #expect(record.payload == Payload(payload))
        }
        #expect(opener.calls.isEmpty)
        #expect(runner.calls.isEmpty)
    }

    @Test(arguments: PushType.allCases.filter { $0 != .alert })
    func `a push of another type never runs an extension`(type: PushType) async {
        let (opener, runner) = (FakeOpener(), FakeRunner(.failed(.exitedEarly)))
        let record = await Self.pipeline(opener: opener, runner: runner)
            .record(of: .sample(pushType: type, payload: Self.sealed))
        #expect(record.outcome == .original(.notMutable))
        #expect(record.payload == Payload(Self.sealed))
        #expect(opener.calls.isEmpty)
        #expect(runner.calls.isEmpty)
    }

    // MARK: Opening

    @Test(arguments: OpenRefusal.allCases)
    func `a refused payload leaves the clear fallback unchanged`(refusal: OpenRefusal) async {
        let runner = FakeRunner(.failed(.exitedEarly))
        let record = await Self.pipeline(opener: FakeOpener { .refused(refusal) }, runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == .original(.refused(refusal)))
        #expect(record.payload == Payload(Self.sealed))
        #expect(runner.calls.isEmpty)
        #expect(record.worker == nil)
    }

    @Test func `without an answer of the opener the clear fallback stands`() async {
        let runner = FakeRunner(.failed(.exitedEarly))
        let record = await Self.pipeline(opener: FakeOpener { .unavailable }, runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == .original(.openerUnavailable))
        #expect(record.payload == Payload(Self.sealed))
        #expect(runner.calls.isEmpty)
    }

    @Test func `what was opened is delivered when the app has no extension`() async {
        let record = await Self.pipeline(.sample(hasExtension: false)).record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == .opened)
        #expect(record.payload == Self.openedPayload)
    }

    @Test func `what was opened is what the extension is given`() async {
        let runner = FakeRunner(.content(Self.worked, late: false))
        _ = await Self.pipeline(runner: runner).record(of: .sample(payload: Self.sealed))
        #expect(runner.calls.map(\.payload) == [Self.openedPayload])
        #expect(runner.calls.map(\.app) == ["com.example.chat"])
    }

    @Test func `nothing is opened without keys`() async {
        let opener = FakeOpener()
        let runner = FakeRunner(.content(Self.worked, late: false))
        let record = await Self.pipeline(.sample(sealedFields: []), opener: opener, runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == .modified(late: false))
        #expect(opener.calls.isEmpty)
        #expect(runner.calls.map(\.payload) == [Payload(Self.sealed)])
    }

    @Test func `nothing is opened where nothing is sealed`() async {
        let opener = FakeOpener()
        let record = await Self.pipeline(opener: opener).record(of: .sample())
        #expect(record.outcome == .modified(late: false))
        #expect(opener.calls.isEmpty)
    }

    @Test(arguments: [[.encryptedContent], [.encryptedContent, .encryptedData]] as [Set<SealedField>])
    func `another system's words are sealed content only for an app that accepts its format`(
        fields: Set<SealedField>
    ) async {
        let opener = FakeOpener()
        var payload = Self.sealed
        payload["encrypted-content"] = nil
        payload["encrypted"] = true
        payload["encrypted_data"] = "AAAA"
        _ = await Self.pipeline(.sample(sealedFields: fields), opener: opener).record(of: .sample(payload: payload))
        #expect(opener.calls.count == (fields.contains(.encryptedData) ? 1 : 0))
    }

    @Test(arguments: [.null, 1, [:], ""] as [JSON])
    func `encrypted content of any kind is for the opener to judge`(content: JSON) async {
        let opener = FakeOpener { .refused(.formatNotAccepted) }
        var payload = Self.sealed
        payload["encrypted-content"] = .some(content)
        let record = await Self.pipeline(opener: opener).record(of: .sample(payload: payload))
        #expect(record.outcome == .original(.refused(.formatNotAccepted)))
        #expect(opener.calls.map(\.app) == ["com.example.chat"])
    }

    @Test(arguments: [true, false])
    func `a push sealed to a retired key says so, extended or not`(hasExtension: Bool) async {
        let opener = FakeOpener { .opened(Self.openedPayload, usesRetiredKey: true) }
        let runner = FakeRunner(.content(Self.worked, late: false))
        let record = await Self.pipeline(.sample(hasExtension: hasExtension), opener: opener, runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == (hasExtension ? .modified(late: false) : .opened))
        #expect(record.reason == "sealed to a retired key")
        let current = await Self.pipeline(.sample(hasExtension: hasExtension), runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(current.reason == nil)
    }

    // MARK: Extending

    @Test(arguments: [true, false])
    func `the extension's content is delivered`(isLate: Bool) async {
        let worker = WorkerUse(pid: 4242, fresh: true, peakMemoryByteCount: 3_145_728)
        let runner = FakeRunner { _ in ExtensionResult(.content(Self.worked, late: isLate), worker: worker) }
        let record = await Self.pipeline(runner: runner).record(of: .sample())
        #expect(record.outcome == .modified(late: isLate))
        #expect(record.payload == Self.worked)
        #expect(record.worker == worker)
    }

    @Test(
        arguments: [
            .timeWillExpireIgnored, .budgetExceeded, .crashed(signal: 11), .memoryLimitExceeded, .exitedEarly,
            .protocolViolation, .launchFailed, .noWorker, .otherOwner,
        ] as [ExtensionFailure]
    )
    func `when the extension fails what it was given is delivered`(failure: ExtensionFailure) async {
        let worker = WorkerUse(pid: 1, fresh: false, peakMemoryByteCount: nil)
        let runner = FakeRunner { _ in ExtensionResult(.failed(failure), worker: worker) }
        let pipeline = Self.pipeline(runner: runner)
        let sealed = await pipeline.record(of: .sample(payload: Self.sealed))
        #expect(sealed.outcome == .original(.failed(failure)))
        #expect(sealed.payload == Self.openedPayload)
        #expect(sealed.worker == worker)

        let clear = await pipeline.record(of: .sample())
        #expect(clear.outcome == .original(.failed(failure)))
        #expect(clear.payload == IncomingPush.sample().payload)
    }

    @Test(
        arguments: [
            [:], ["aps": [:]], ["aps": ["alert": ""]], ["aps": ["alert": ["title": "", "body": ""]]],
            ["aps": ["badge": 1, "sound": "default"]], ["aps": "text"], ["aps": ["alert": 1]], ["custom": "x"],
        ] as [JSONObject]
    )
    func `empty content suppresses only where the extension filters`(content: JSONObject) async {
        let runner = FakeRunner(.content(Payload(content), late: false))
        let filtering = await Self.pipeline(.sample(filters: true), runner: runner)
            .record(of: .sample(payload: Self.sealed))
        #expect(filtering.outcome == .suppressed(.filtered))
        #expect(filtering.payload == Self.openedPayload)

        let showing = await Self.pipeline(runner: runner).record(of: .sample(payload: Self.sealed))
        #expect(showing.outcome == .original(.emptyContent))
        #expect(showing.payload == Self.openedPayload)
    }

    // MARK: Apps

    @Test(arguments: [nil, HostedApp.sample(sealedFields: [], hasExtension: false)])
    func `without an app or an extension the push is delivered as it came`(app: HostedApp?) async {
        let record = await Self.pipeline(app).record(of: .sample(payload: Self.sealed))
        #expect(record.outcome == .original(.noExtension))
        #expect(record.payload == Payload(Self.sealed))
    }

    @Test func `an app is found by its whole topic`() async {
        let record = await Self.pipeline().record(of: .sample(topic: "com.example.chat.other", payload: Self.sealed))
        #expect(record.outcome == .original(.noExtension))
    }

    // MARK: Expiration

    @Test(
        arguments: [
            (-3600, true), (-0.001, true), (0, true), (0.001, false), (3600, false),
        ] as [(TimeInterval, Bool)]
    )
    func `a push is not started once its expiration has passed`(remaining: TimeInterval, isExpired: Bool) async {
        let (opener, runner) = (
            FakeOpener { .opened(Self.openedPayload) }, FakeRunner(.content(Self.worked, late: false))
        )
        let push = IncomingPush.sample(
            expiration: IncomingPush.received.addingTimeInterval(remaining),
            payload: Self.sealed
        )
        let record = await Self.pipeline(opener: opener, runner: runner).record(of: push)
        #expect(record.outcome == (isExpired ? .suppressed(.expired) : .modified(late: false)))
        #expect(opener.calls.count == (isExpired ? 0 : 1))
        #expect(runner.calls.count == (isExpired ? 0 : 1))
    }

    @Test func `expiration counts for every push, and none is thirty days`() async {
        let expired = IncomingPush.sample(
            pushType: .background,
            expiration: IncomingPush.received,
            payload: ["aps": ["content-available": 1]]
        )
        #expect(await Self.pipeline().record(of: expired).outcome == .suppressed(.expired))
        let lastSecond = IncomingPush.received.addingTimeInterval(30 * 24 * 3600 - 1)
        #expect(await Self.pipeline(wallTime: lastSecond).record(of: .sample()).outcome == .modified(late: false))
        let over = lastSecond.addingTimeInterval(1)
        #expect(await Self.pipeline(wallTime: over).record(of: .sample()).outcome == .suppressed(.expired))
    }

    @Test func `a push that gets one attempt gets no second one after a crash`() async {
        var push = IncomingPush.sample(isKept: false)
        #expect(await Self.pipeline().record(of: push).outcome == .modified(late: false))
        push.isTakenUpAgain = true
        #expect(await Self.pipeline().record(of: push).outcome == .suppressed(.expired))
        var kept = IncomingPush.sample()
        kept.isTakenUpAgain = true
        #expect(await Self.pipeline().record(of: kept).outcome == .modified(late: false))
    }

    // MARK: The record

    @Test func `the record carries the push's identity`() async {
        let plain = await Self.pipeline().record(of: .sample(id: "a", topic: "com.example.chat"))
        #expect(plain.id == "a")
        #expect(plain.topic == "com.example.chat")
        #expect(plain.identifier == "a")
        #expect(plain.date == IncomingPush.received)
        let replacing = await Self.pipeline().record(of: .sample(id: "a", collapseID: "score"))
        #expect(replacing.id == "a")
        #expect(replacing.identifier == "score")
    }
}
