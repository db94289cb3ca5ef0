// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// An app that takes one format takes no other, whatever is offered.
struct DowngradeTests {
    /// A push of each format, sealed to the keys of every vector that is named `relabelled-…`.
    ///
    /// A new format is missing here until it has one.
    private static let samples: [SealFormat: String] = [
        .v1: "psk", .sealedBox: "sealed-box-url", .box: "box-json", .webPush: "web-push-json",
        .homeAssistant: "home-assistant-json", .barkGCM: "bark-gcm-aes-128", .barkCBC: "bark-cbc-aes-128",
    ]
    private static let pairs = SealFormat.allCases.flatMap { accepted in
        SealFormat.allCases.map { (accepted, $0) }
    }

    private static func push(_ format: SealFormat) throws -> Payload {
        try VectorFile.named(try #require(samples[format])).push
    }

    /// All keys there are, one format.
    private func open(
        _ offered: SealFormat,
        accepting accept: Set<SealFormat>,
        requiresSender: Bool = false
    ) throws(OpenError) -> Payload {
        let (opener, vector, push): (Opener, VectorFile, Payload)
        do {
            vector = try VectorFile.named("relabelled-v1-as-box")
            var policy = try vector.policy
            policy.accept = accept
            policy.requiresSender = requiresSender
            opener = try Opener(keys: vector.ring(in: SecretArena()), policy: policy)
            push = try Self.push(offered)
        } catch {
            Issue.record(error)
            throw .notOpened
        }
        do throws(OpenError) {
            return try opener.open(payload: push, context: vector.context, now: vector.now).payload
        } catch {
            #expect(opener.replayCount == 0)
            throw error
        }
    }

    @Test(arguments: SealFormat.allCases)
    func `what is accepted opens`(_ format: SealFormat) throws {
        let payload = try open(format, accepting: [format])
        #expect(payload["encryption"]?.object?["format"] == .string(format.rawValue))
    }

    @Test(arguments: pairs.filter { $0 != $1 })
    func `what is not accepted does not open`(_ accepted: SealFormat, _ offered: SealFormat) {
        #expect(throws: Self.refusal(accepting: accepted, of: offered)) { try open(offered, accepting: [accepted]) }
    }

    /// Formats that say what they are in `encrypted-content` are refused by name.
    ///
    /// The others are fields of other systems, which hold nothing sealed for an app that takes no format with such a
    /// field. Bark's two modes share theirs and look alike, so the accepted one is tried: GCM's bytes are seldom whole
    /// blocks, and CBC's have no tag.
    private static func refusal(accepting accepted: SealFormat, of offered: SealFormat) -> OpenError {
        switch (accepted, offered) {
        case (.barkCBC, .barkGCM): .tooShort(needed: 64, got: 59)
        case (.barkGCM, .barkCBC): .notOpened
        case (_, .homeAssistant), (_, .barkGCM), (_, .barkCBC): .formatNotAccepted(nil)
        default: .formatNotAccepted(offered)
        }
    }

    @Test(arguments: SealFormat.allCases.filter { $0 != .v1 && $0 != .box })
    func `where a sender is required, a format that names none is refused`(_ format: SealFormat) {
        #expect(throws: OpenError.senderRequired) {
            try open(format, accepting: Set(SealFormat.allCases), requiresSender: true)
        }
    }

    @Test(arguments: [SealFormat.v1, .box])
    func `where a sender is required, one who is known is let in`(_ format: SealFormat) throws {
        let payload = try open(format, accepting: Set(SealFormat.allCases), requiresSender: true)
        #expect(payload["encryption"]?.object?["authenticated"] == true)
    }

    @Test func `the default takes v1 and sealed boxes`() {
        #expect(OpenPolicy().accept == [.v1, .sealedBox])
    }
}
