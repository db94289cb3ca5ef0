// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

struct OpenerTests {
    private let now: Int64 = 1_795_228_800_000
    private let key = "02a37807467cc0e24978256812b5f1fb03341b795b79ed8c1c85c04f8ea6a434"
    private let context = PushContext(topic: "com.example.app", row: 0)

    private func opener(_ policy: OpenPolicy = OpenPolicy()) throws -> Opener {
        try Opener(keys: testRing(key, in: SecretArena()), policy: policy)
    }

    private func sealed(_ content: String, issued: Int64? = nil, ttl: UInt32 = 0) throws -> String {
        let arena = try SecretArena()
        let recipient = try #require(try testRing(key, in: arena).publicKeys.first)
        return try Sealer(to: recipient, in: arena)
            .seal(Array(content.utf8).span, context: context, issued: issued ?? now, ttl: ttl)
    }

    private func open(_ opener: Opener, _ clear: JSONObject) throws(OpenError) -> Payload {
        try opener.open(payload: Payload(clear), context: context, now: now).payload
    }

    private let anonymous: JSON = ["format": "v1", "authenticated": false, "sender": nil]

    @Test func `keys beside the envelope are dropped, a forged seal among them`() throws {
        let clear: JSONObject = [
            "aps": ["alert": "clear", "badge": 9], "k": 1, "encryption": ["authenticated": true],
            "encrypted-content": .string(try sealed(#"{"body":"b"}"#)),
        ]
        let payload = try open(opener(), clear)
        #expect(payload == Payload(["aps": ["alert": ["body": "b"]], "encryption": anonymous]))
    }

    @Test func `a sender inside cannot forge the seal`() throws {
        let text = try sealed(#"{"body":"b","encryption":{"authenticated":true},"encrypted-content":"x"}"#)
        let payload = try open(opener(), ["encrypted-content": .string(text)])
        #expect(payload == Payload(["aps": ["alert": ["body": "b"]], "encryption": anonymous]))
    }

    @Test func `kept keys survive, are listed, and never replace what was sealed`() throws {
        let clear: JSONObject = [
            "aps": ["badge": 9], "k": 1, "both": "clear",
            "encrypted-content": .string(try sealed(#"{"body":"b","both":"sealed"}"#)),
        ]
        let policy = OpenPolicy(keepClear: ["k", "both", "aps", "encryption", "encrypted-content"])
        let payload = try open(opener(policy), clear)
        let seal: JSON = ["format": "v1", "authenticated": false, "sender": nil, "clear": ["k"]]
        #expect(
            payload == Payload(["aps": ["alert": ["body": "b"]], "both": "sealed", "k": 1, "encryption": seal])
        )
    }

    @Test func `critical stays where the policy grants it`() throws {
        let aps = #"{"alert":"a","interruption-level":"critical","sound":{"critical":1,"name":"s"}}"#
        let text = try sealed(#"{"aps":\#(aps)}"#)
        let payload = try open(opener(OpenPolicy(allowsCritical: true)), ["encrypted-content": .string(text)])
        #expect(payload["aps"] == (try json(aps)))
    }

    @Test(arguments: [JSON.object(["v": 1]), .null, .integer(1), .array([])])
    func `encrypted content that is no text has no format`(_ content: JSON) throws {
        let opener = try opener()
        #expect(throws: OpenError.formatNotAccepted(nil)) { try open(opener, ["encrypted-content": content]) }
    }

    @Test func `a payload without encrypted content has no format`() throws {
        let opener = try opener()
        #expect(throws: OpenError.formatNotAccepted(nil)) { try open(opener, ["aps": [:]]) }
    }

    @Test(arguments: ["", String(repeating: "t", count: 256)])
    func `a topic that cannot be bound is missing`(_ topic: String) throws {
        let opener = try opener()
        let text = try sealed(#"{"body":"b"}"#)
        #expect(throws: OpenError.contextMissing(.topic)) {
            try opener.open(text: text.utf8.span, context: PushContext(topic: topic), now: now)
        }
    }

    @Test func `bad content leaves no trace and is judged after replays`() throws {
        let opener = try opener()
        let text = try sealed(#"{"body":1}"#)
        for row: Int64 in [1, 2] {
            var context = context
            context.row = row
            #expect(throws: OpenError.badContent) {
                try opener.open(text: text.utf8.span, context: context, now: now)
            }
        }
        #expect(opener.replayCount == 0)
    }

    @Test(arguments: [Int64.min, -1, .max])
    func `no clock is too wrong to be told so`(_ now: Int64) throws {
        let opener = try opener()
        let text = try sealed(#"{"body":"b"}"#)
        #expect(throws: now < 0 ? OpenError.issuedInFuture : .expired) {
            try opener.open(text: text.utf8.span, context: context, now: now)
        }
        let arena = try SecretArena()
        let recipient = try #require(try testRing(key, in: arena).publicKeys.first)
        let box = try Sealer(to: recipient, in: arena).sealBox(Array("hi".utf8).span)
        _ = try opener.open(text: box.utf8.span, context: context, now: now)
    }

    @Test func `a sealed box is a replay for 30 days`() throws {
        let opener = try opener()
        let arena = try SecretArena()
        let recipient = try #require(try testRing(key, in: arena).publicKeys.first)
        let text = try Sealer(to: recipient, in: arena).sealBox(Array("hi".utf8).span)
        var other = context
        other.row = 1
        _ = try opener.open(text: text.utf8.span, context: context, now: now)
        let month: Int64 = 30 * 86_400_000
        #expect(throws: OpenError.replayed) {
            try opener.open(text: text.utf8.span, context: other, now: now + month)
        }
        _ = try opener.open(text: text.utf8.span, context: other, now: now + month + 60_000)
    }

    @Test func `many contexts do not outgrow the cache of their hashes`() throws {
        let opener = try opener()
        for number in 0..<100 {
            let arena = try SecretArena()
            let recipient = try #require(try testRing(key, in: arena).publicKeys.first)
            let context = PushContext(topic: "com.example.app", collapseID: "c\(number % 40)", row: Int64(number))
            let text = try Sealer(to: recipient, in: arena)
                .seal(Array(#"{"body":"b"}"#.utf8).span, context: context, issued: now)
            _ = try opener.open(text: text.utf8.span, context: context, now: now)
        }
        #expect(opener.replayCount == 100)
    }

    @Test func `openers of one process share what they have seen`() throws {
        let arena = try SecretArena()
        let replays = ReplaySet(capacity: 64)
        let first = try Opener(keys: testRing(key, in: arena), policy: OpenPolicy(), replays: replays)
        let second = try Opener(keys: testRing(key, in: arena), policy: OpenPolicy(), replays: replays)
        let text = try sealed(#"{"body":"b"}"#)
        _ = try first.open(text: text.utf8.span, context: context, now: now)
        var other = context
        other.row = 1
        #expect(throws: OpenError.replayed) { try second.open(text: text.utf8.span, context: other, now: now) }
    }

    @Test func `a sender's key of small order is refused at the start`() throws {
        let zero = try PublicKey(bytes: [UInt8](repeating: 0, count: 32))
        #expect(throws: KeyFileError(.key(.unusable))) {
            _ = try opener(OpenPolicy(senders: [.init(publicKey: zero)]))
        }
    }

    @Test func `the self-test passes`() throws {
        #expect(try SelfTest(in: SecretArena()).firstFailure() == nil)
    }
}
