// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// The files that `Tests/Vectors/make-vectors.py`, a second implementation, has written.
struct VectorTests {
    @Test func `all vectors are here, two thirds of them refused`() {
        let opening = VectorFile.all.filter { $0.value("expect") == "opens" }.count
        print("Tests/Vectors/open: \(VectorFile.all.count) vectors, \(opening) open")
        #expect(VectorFile.all.count == 554)
        #expect(opening == 129)
    }

    @Test(arguments: VectorFile.all)
    func `a vector does what it expects`(_ vector: VectorFile) throws {
        let opener = try vector.opener(in: SecretArena())
        try openBefore(vector, with: opener)
        let count = opener.replayCount
        let push = try vector.push
        let expected = try vector.payload
        do throws(OpenError) {
            let opened = try opener.open(payload: push, context: vector.context, now: vector.now)
            #expect(vector.value("expect") == "opens")
            #expect(.object(opened.payload.object) == expected)
            #expect(opened.usesRetiredKey == (vector.value("uses-retired-key") == "true"))
            #expect(opener.replayCount == (Self.hasIdentity(opened.payload, push) ? 1 : 0))
        } catch {
            #expect(error.vectorText == vector.value("expect"))
            #expect(opener.replayCount == count)
        }
    }

    @Test(arguments: VectorFile.all)
    func `the public verbs say the same`(_ vector: VectorFile) throws {
        let opener = try vector.opener(in: SecretArena())
        try openBefore(vector, with: opener)
        let expected = try vector.payload
        do throws(OpenError) {
            let bytes = Array(vector.text.utf8)
            let opened =
                vector.isBody
                ? try opener.open(push: bytes.span, context: vector.context, now: vector.now)
                : try opener.open(text: bytes.span, context: vector.context, now: vector.now)
            #expect(vector.value("expect") == "opens")
            #expect((try? JSON(parsing: opened.bytes.span)) == expected)
            let seal = expected?.object?["encryption"]?.object
            #expect(seal?["format"] == .string(opened.format.rawValue))
            #expect(seal?["authenticated"] == .bool(opened.isAuthenticated))
            #expect(seal?["sender"] == opened.sender.map { .string($0.description) } ?? .null)
        } catch {
            #expect(error.vectorText == vector.value("expect"))
        }
    }

    /// The bytes that tell a message from others, by format: other words under the whole of the same nonce are a
    /// replay, and the same words under another nonce are none.
    @Test(
        arguments: [
            ("sealed-box-url", "sealed-box-text", true), ("box-json", "box-text", true),
            ("box-json", "box-nonce-16", false), ("box-json", "box-nonce-15", false),
            ("web-push-json", "web-push-rfc8291", true), ("web-push-json", "web-push-other-record-size", true),
            ("web-push-json", "web-push-other-salt", false), ("home-assistant-json", "home-assistant-text", true),
            ("home-assistant-json", "home-assistant-nonce-16", false),
            ("home-assistant-json", "home-assistant-nonce-15", false),
            ("bark-gcm-message-iv-first", "bark-gcm-aes-128", false),
            ("bark-cbc-message-iv-first", "bark-cbc-example", false),
        ]
    )
    func `a message is known again by its own bytes`(_ first: String, _ second: String, isReplay: Bool) throws {
        let (vector, other) = (try VectorFile.named(first), try VectorFile.named(second))
        let opener = try vector.opener(in: SecretArena())
        _ = try opener.open(payload: vector.push, context: vector.context, now: vector.now)
        var context = other.context
        context.row = 1
        let push = try other.push
        do throws(OpenError) {
            _ = try opener.open(payload: push, context: context, now: other.now)
            #expect(!isReplay)
        } catch {
            #expect(error == .replayed)
            #expect(isReplay)
        }
    }

    /// Opens the same push under an earlier number, where the vector says that it came before.
    private func openBefore(_ vector: VectorFile, with opener: Opener) throws {
        guard let row = vector.number("opened-as"), let time = vector.number("opened-at") else { return }
        var context = vector.context
        context.row = row
        _ = try opener.open(payload: vector.push, context: context, now: time)
    }

    /// Bark's messages that bring no iv cannot be told from the same words said again.
    private static func hasIdentity(_ payload: Payload, _ push: Payload) -> Bool {
        let format = payload["encryption"]?.object?["format"]?.string ?? ""
        return !format.hasPrefix("bark-") || push["iv"] != nil
    }

    @Test(arguments: ["base", "psk", "psk-collapse", "request", "psk-everything"])
    func `sealing with the ephemeral key of a vector makes the same text`(_ name: String) throws {
        let vector = try VectorFile.named(name)
        let arena = try SecretArena()
        let recipient = try #require(try testRing(vector.value("key") ?? "", in: arena).publicKeys.first)
        let sender = "69e7797fa259a6bfcfd0a9fc11635feb47e9687f03d5abf2fa8d381cd6dfc178"
        let sealer =
            if vector.value("sender") == nil {
                Sealer(to: recipient, in: arena)
            } else {
                try Sealer(to: recipient, from: testRing(sender, in: arena))
            }
        let ephemeral = try #require(unhex("efeac3c252bdbf9da39ec27c31fbe3897361a111e63e1ca1814bfd616749eee5"))
        unsafe arena.workspace.ephemeral.update(from: ephemeral, count: 32)
        let inner = EnvelopeInner.bytes(
            content: Array(#"{"title":"Door","body":"Front door opened"}"#.utf8).span,
            isText: false,
            issued: vector.now,
            ttl: 3600,
            paddedTo: 256
        )
        #expect(try sealer.envelope(of: inner, context: vector.context) == vector.text)
    }
}
