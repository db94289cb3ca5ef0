// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

struct SealPushTests {
    private let now: Int64 = 1_795_228_800_000
    private let context = PushContext(topic: "com.example.app")
    private let sealer: Sealer
    private let opener: Opener

    init() throws {
        let arena = try SecretArena()
        let ring = try freshRing(in: arena)
        sealer = Sealer(to: try #require(ring.publicKeys.first), in: arena)
        opener = try Opener(keys: ring, policy: OpenPolicy(keepClear: ["room"]))
    }

    private func push(
        _ payload: String,
        keeping kept: [String] = [],
        fallback: String = "New",
        padding: Padding = .buckets,
        byteLimit: Int = 4096
    ) throws(SealError) -> [UInt8] {
        try sealer.sealPush(
            payload.utf8.span,
            fallback: fallback,
            keeping: kept,
            context: context,
            issued: now,
            padding: padding,
            byteLimit: byteLimit
        )
    }

    private func outside(_ push: [UInt8]) throws -> JSON {
        var object = try JSONObject(parsing: push.span)
        #expect(object["encrypted-content"]?.string?.hasPrefix("v1.") == true)
        object["encrypted-content"] = nil
        return .object(object)
    }

    @Test func `what was said is inside, the fallback outside`() throws {
        let push = try push(#"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":3},"room":"7"}"#)
        #expect(try outside(push) == json(#"{"aps":{"alert":{"body":"New"},"mutable-content":1}}"#))
        let opened = try opener.open(push: push.span, context: context, now: now)
        let content = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":3},"room":"7","encryption":"#
        #expect(
            try JSON(parsing: opened.bytes.span)
                == json(content + #"{"format":"v1","authenticated":false,"sender":null}}"#)
        )
    }

    @Test func `keys that are kept stand outside as well`() throws {
        let payload = #"{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"badge":3},"room":"7"}"#
        let push = try push(payload, keeping: ["room", "badge", "title"])
        let clear = #"{"aps":{"alert":{"title":"Alice","body":"New"},"badge":3,"mutable-content":1},"room":"7"}"#
        #expect(try outside(push) == json(clear))
    }

    @Test(arguments: ["aps", "alert", "body", "mutable-content", "encrypted-content", "encryption"])
    func `a key with a meaning of its own cannot be kept`(_ key: String) {
        #expect(throws: SealError.reservedKey(key)) { try push(#"{"body":"b"}"#, keeping: [key]) }
    }

    @Test func `a key that is not there cannot be kept`() {
        #expect(throws: SealError.missingKey("room")) { try push(#"{"body":"b"}"#, keeping: ["room"]) }
    }

    @Test(arguments: [
        "", "[]", #"{"body":1}"#, #"{"aps":1}"#, #"{"a":1,"a":2}"#, #"{"body":"b","encrypted-content":"v1.x"}"#,
    ])
    func `what no receiver would take is not sealed`(_ payload: String) {
        #expect(throws: SealError.badContent) { try push(payload) }
    }

    @Test func `the largest payload fills the push to the byte, one more does not fit`() throws {
        for limit in [4096, 5120] {
            let empty = #"{"body":""}"#
            let start = try PushBody(fallback: "New", keeping: [], of: [:])
            let room = sealer.contentRoom(inText: start.textRoom(in: limit))
            let largest = #"{"body":"\#(String(repeating: "x", count: room - empty.utf8.count))"}"#
            let push = try push(largest, byteLimit: limit)
            #expect(push.count <= limit && push.count > limit - 2)
            _ = try opener.open(push: push.span, context: context, now: now)
            #expect(throws: SealError.tooLarge(excess: 1)) {
                try self.push(largest.replacing(":\"", with: ":\"x"), byteLimit: limit)
            }
        }
    }

    @Test func `a push that would show nothing is not sealed`() throws {
        #expect(throws: SealError.emptyFallback) { try push(#"{"title":"t","body":"b"}"#, fallback: "") }
        #expect(throws: SealError.emptyFallback) {
            try push(#"{"title":"t","badge":1}"#, keeping: ["badge"], fallback: "")
        }
        _ = try push(#"{"title":"t","body":"b"}"#, keeping: ["title"], fallback: "")
    }

    @Test func `a fallback that leaves no room is too large`() {
        let fallback = String(repeating: "f", count: 5000)
        #expect(throws: SealError.tooLarge(excess: 818)) {
            try push(#"{"body":"b"}"#, fallback: fallback, padding: .none)
        }
    }
}
