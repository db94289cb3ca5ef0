// SPDX-License-Identifier: Apache-2.0

import Crypto
import E2ECrypto
import Foundation
import NotificationPayload
import Testing

@testable import LibrarySnippets

/// The envelope in pure CryptoKit, as an app on iOS opens it, beside the opener of this library.
struct OpenEnvelopeTests {
    /// The errors that the opener alone can give: policy, replays, rules of content.
    private static let beyond: Set<String> = ["senderRequired", "formatNotAccepted", "replayed", "badContent"]

    private static let refusals: [String: EnvelopeError] = [
        "malformedText": .malformed, "tooShort": .malformed, "tooLarge": .malformed, "unsupportedVersion": .malformed,
        "unknownFlags": .malformed, "unknownKey": .otherKey, "unknownSender": .unknownSender,
        "contextMissing": .contextMissing, "notOpened": .notOpened, "expired": .notNow, "issuedInFuture": .notNow,
    ]

    @Test func `there are vectors of both kinds`() {
        let vectors = OpenVector.envelopes.filter { !Self.beyond.contains($0.expectation) }
        let opening = vectors.filter { $0.expectation == "opens" }.count
        print("openEnvelope: \(vectors.count) vectors, \(opening) open")
        #expect(opening >= 30)
        #expect(vectors.count - opening >= 60)
    }

    @Test(arguments: OpenVector.envelopes)
    func `a vector does what it expects`(_ vector: OpenVector) throws {
        guard vector.expectation != "opens" else {
            let opened = try open(vector)
            let content = Array(opened.content)
            let payload = try ContentRules.payload(
                from: content.span,
                opened.isText ? .text : .json,
                allowsCritical: vector.value("critical") == "true"
            )
            var expected = try JSONObject(parsing: Array(try #require(vector.value("payload")).utf8).span)
            let sender = expected["encryption"]?.object?["sender"]
            #expect(sender == opened.sender.map { .string($0.map { String(format: "%02x", $0) }.joined()) } ?? .null)
            expected["encryption"] = nil
            #expect(payload == expected)
            return
        }
        guard !Self.beyond.contains(vector.expectation) else { return }
        let expected = try #require(Self.refusals[vector.expectation])
        #expect(throws: expected) { try open(vector) }
    }

    /// With each of the recipient's keys, as an app with a ring would: the error of the last.
    private func open(_ vector: OpenVector) throws -> (content: Data, isText: Bool, sender: Data?) {
        var result: Result<(content: Data, isText: Bool, sender: Data?), EnvelopeError> = .failure(.otherKey)
        for line in vector.values("key") {
            let secret = try #require(unhex(line.prefix(64)))
            let key = try RecipientKey(rawRepresentation: secret)
            let psks = try psks(vector, key)
            let attempt = Result { () throws(EnvelopeError) in
                try openEnvelope(
                    vector.text,
                    key: key,
                    psks: psks,
                    topic: vector.value("topic") ?? "",
                    collapseID: vector.value("collapse-id"),
                    requestID: vector.value("request-id"),
                    now: vector.now
                )
            }
            if case .success = attempt { return try attempt.get() }
            if case .failure(.otherKey) = attempt { continue }
            result = attempt
        }
        return try result.get()
    }

    private func psks(_ vector: OpenVector, _ key: RecipientKey) throws -> [Data: SymmetricKey] {
        var psks: [Data: SymmetricKey] = [:]
        for text in vector.values("sender") {
            let sender = try SenderKey(rawRepresentation: Data(PublicKey(parsing: text).bytes))
            let (id, secret) = try psk(of: sender, with: key)
            psks[id] = secret
        }
        for text in vector.values("paired") {
            let bytes = try #require(unhex(text))
            psks[bytes.prefix(8)] = SymmetricKey(data: bytes.dropFirst(8))
        }
        return psks
    }

    @Test(arguments: [0, 1, 243, 2000], [false, true])
    func `what the library seals opens in both`(_ byteCount: Int, hasSender: Bool) throws {
        let key = RecipientKey()
        let recipient = try PublicKey(bytes: Array(key.publicKey.rawRepresentation))
        let ring = try KeyRing.generate(in: SecretArena())
        let sealer = hasSender ? try Sealer(to: recipient, from: ring) : Sealer(to: recipient, in: try SecretArena())
        let content = Array(#"{"body":"\#(String(repeating: "x", count: byteCount))"}"#.utf8)
        let context = PushContext(topic: "com.example.chat", collapseID: "c", requestID: "r")
        let text = try sealer.seal(content.span, context: context, issued: 1000, ttl: 60)
        let sender = try SenderKey(rawRepresentation: Data(ring.publicKeys[0].bytes))
        let (id, secret) = try psk(of: sender, with: key)
        func open(topic: String, now: Int64) throws -> (content: Data, isText: Bool, sender: Data?) {
            try openEnvelope(
                text,
                key: key,
                psks: [id: secret],
                topic: topic,
                collapseID: "c",
                requestID: "r",
                now: now
            )
        }
        let opened = try open(topic: "com.example.chat", now: 61_000)
        #expect(Array(opened.content) == content)
        #expect(opened.sender == (hasSender ? id : nil))
        #expect(throws: EnvelopeError.notNow) { try open(topic: "com.example.chat", now: 61_001) }
        #expect(throws: EnvelopeError.notOpened) { try open(topic: "com.example.mail", now: 1000) }
    }
}
