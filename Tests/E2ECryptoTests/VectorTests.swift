// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import E2ECrypto

/// The files that `Tests/Vectors/make-vectors.py`, a second implementation, has written.
struct VectorTests {
    @Test func `all vectors are here`() {
        #expect(VectorFile.all.count == 72)
    }

    @Test(arguments: VectorFile.all)
    func `a vector does what it expects`(_ vector: VectorFile) throws {
        let opener = try vector.opener(in: SecretArena())
        let expect = try #require(vector.value("expect"))
        do throws(OpenError) {
            let payload = try opener.open(text: vector.text.utf8.span, context: vector.context, now: vector.now)
            #expect(expect == "opens")
            let expected = try? json(vector.value("payload") ?? "")
            #expect((try? JSON(parsing: payload.span)) == expected)
            #expect(opener.replayCount == 1)
        } catch {
            #expect(error.vectorText == expect)
            #expect(opener.replayCount == 0)
        }
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
