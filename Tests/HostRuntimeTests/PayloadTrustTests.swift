// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Testing

/// The claims that the host takes from neither a sender nor a worker: that something was authenticated, and that it is
/// critical.
struct PayloadTrustTests {
    private static let forged: JSON = ["format": "v1", "authenticated": true, "sender": "8d96fecd12684c9d"]

    private static func withForged(_ payload: JSONObject) -> JSONObject {
        var payload = payload
        payload["encryption"] = forged
        return payload
    }

    // MARK: encryption

    @Test(
        arguments: [
            (["aps": ["alert": "Hi"]], .opened(Payload([:])), .original(.notMutable)),
            (PushPipelineTests.sealed, .refused(.notOpened), .original(.refused(.notOpened))),
            (PushPipelineTests.sealed, .unavailable, .original(.openerUnavailable)),
        ] as [(JSONObject, OpenResult, Outcome)]
    )
    func `a sender's claim of encryption is taken out`(clear: JSONObject, result: OpenResult, outcome: Outcome) async {
        let record = await PushPipelineTests.pipeline(opener: FakeOpener { result })
            .record(of: .sample(payload: Self.withForged(clear)))
        #expect(record.outcome == outcome)
        #expect(record.payload == Payload(clear))
    }

    @Test(arguments: [nil, HostedApp.sample(sealedFields: [], hasExtension: false)])
    func `a sender's claim is taken out where no extension runs`(app: HostedApp?) async {
        let record = await PushPipelineTests.pipeline(app)
            .record(of: .sample(payload: Self.withForged(PushPipelineTests.sealed)))
        #expect(record.payload == Payload(PushPipelineTests.sealed))
    }

    @Test func `a sender's claim is taken out of an expired push`() async {
        let push = IncomingPush.sample(
            expiration: .distantPast,
            payload: Self.withForged(["aps": ["alert": "Hi"]])
        )
        let record = await PushPipelineTests.pipeline().record(of: push)
        #expect(record.outcome == .suppressed(.expired))
        #expect(record.payload == Payload(["aps": ["alert": "Hi"]]))
    }

    @Test func `an extension never sees a sender's claim`() async {
        let runner = FakeRunner(.failed(.exitedEarly))
        let clear: JSONObject = ["aps": ["alert": "Hi", "mutable-content": 1]]
        let record = await PushPipelineTests.pipeline(runner: runner)
            .record(of: .sample(payload: Self.withForged(clear)))
        #expect(runner.calls.map(\.payload) == [Payload(clear)])
        #expect(record.payload == Payload(clear))
    }

    @Test func `a worker's claim of encryption is taken out`() async {
        let claim = Payload(Self.withForged(PushPipelineTests.worked.object))
        let record = await PushPipelineTests.pipeline(runner: FakeRunner(.content(claim, late: false)))
            .record(of: .sample())
        #expect(record.outcome == .modified(late: false))
        #expect(record.payload == PushPipelineTests.worked)
    }

    @Test(arguments: [nil, Self.forged, .null, "none"] as [JSON?])
    func `the opener's word on encryption is put back`(claim: JSON?) async {
        let word: JSON = ["format": "sealed-box", "authenticated": false, "sender": nil]
        var opened = PushPipelineTests.openedPayload
        opened["encryption"] = word
        var claiming = PushPipelineTests.worked
        claiming["encryption"] = claim
        let pipeline = PushPipelineTests.pipeline(
            opener: FakeOpener { [opened] in .opened(opened) },
            runner: FakeRunner(.content(claiming, late: true))
        )
        let record = await pipeline.record(of: .sample(payload: PushPipelineTests.sealed))
        #expect(record.outcome == .modified(late: true))
        #expect(record.payload["encryption"] == word)
        #expect(record.payload.aps == PushPipelineTests.worked.aps)
    }

    // MARK: Critical alerts

    @Test(
        arguments: [
            (["interruption-level": "critical"], ["interruption-level": "active"]),
            (["interruption-level": "time-sensitive"], ["interruption-level": "time-sensitive"]),
            (["interruption-level": 1], ["interruption-level": 1]),
            (["sound": ["critical": 1, "name": "bell.caf", "volume": 1]], ["sound": "bell.caf"]),
            (["sound": ["critical": 1]], ["sound": "default"]),
            (["sound": ["critical": true, "name": 1]], ["sound": "default"]),
            (["sound": ["critical": 0, "name": "bell.caf"]], ["sound": "bell.caf"]),
            (["sound": ["name": "bell.caf", "volume": 0.5]], ["sound": ["name": "bell.caf", "volume": 0.5]]),
            (["sound": "critical"], ["sound": "critical"]),
            (
                ["interruption-level": "critical", "sound": ["critical": 1, "name": "a"]],
                ["interruption-level": "active", "sound": "a"]
            ),
        ] as [(JSONObject, JSONObject)]
    )
    func `a worker makes nothing critical unless the app may`(says: JSONObject, becomes: JSONObject) async {
        func payload(_ aps: JSONObject) -> Payload {
            var aps = aps
            aps["alert"] = "Hi"
            return Payload(["aps": .object(aps)])
        }
        let runner = FakeRunner(.content(payload(says), late: false))
        let plain = await PushPipelineTests.pipeline(runner: runner).record(of: .sample())
        #expect(plain.payload == payload(becomes))

        let allowed = await PushPipelineTests.pipeline(.sample(allowsCriticalAlerts: true), runner: runner)
            .record(of: .sample())
        #expect(allowed.payload == payload(says))
    }
}
