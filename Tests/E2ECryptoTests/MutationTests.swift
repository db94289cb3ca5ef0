// SPDX-License-Identifier: Apache-2.0

import Testing

@testable @_spi(Benchmarking) import E2ECrypto

/// Nothing but the envelope itself opens: every small change of one is refused, and leaves no trace.
struct MutationTests {
    private let opener: Opener
    private let envelope: [UInt8]
    private let context = PushContext(topic: "com.example.app", collapseID: "door")
    private let now: Int64 = 1_795_228_800_000

    init() throws {
        let arena = try SecretArena()
        let ring = try testRing("02a37807467cc0e24978256812b5f1fb03341b795b79ed8c1c85c04f8ea6a434", in: arena)
        let recipient = try #require(ring.publicKeys.first)
        let sender = try testRing("69e7797fa259a6bfcfd0a9fc11635feb47e9687f03d5abf2fa8d381cd6dfc178", in: arena)
        let policy = OpenPolicy(senders: sender.publicKeys.map { .init(publicKey: $0) })
        let text = try Sealer(to: recipient, from: sender)
            .seal(Array(#"{"body":"b"}"#.utf8).span, context: context, issued: now, ttl: 60, padding: .exact(32))
        opener = try Opener(keys: ring, policy: policy)
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = try Base64URL.decode(Array(text.utf8.dropFirst(3)).span, into: &bytes)
        envelope = Array(bytes.prefix(count))
    }

    private func refusal(_ envelope: [UInt8], row: Int64 = 0) -> OpenError? {
        var text = Array("v1.".utf8)
        Base64URL.encode(envelope.span, to: &text)
        return refusal(text: text, row: row)
    }

    private func refusal(text: [UInt8], row: Int64 = 0) -> OpenError? {
        var context = context
        context.row = row
        do {
            _ = try opener.open(text: text.span, context: context, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `every flipped bit is refused`() {
        var counts: [String: Int] = [:]
        for offset in envelope.indices {
            for bit in 0..<8 {
                var changed = envelope
                changed[offset] ^= 1 << bit
                counts[refusal(changed)?.name ?? "opened", default: 0] += 1
            }
        }
        // 8 bits of the kind, 5 unknown flags, the psk flag (then a 16-byte shift), two 64-bit ids.
        #expect(counts["opened"] == nil)
        #expect(counts["unsupportedVersion"] == 8)
        #expect(counts["unknownFlags"] == 5)
        #expect(counts["contextMissing"] == 1)
        #expect(counts["unknownKey"] == 64)
        #expect(counts["unknownSender"] == 64)
        #expect(counts["notOpened"] == envelope.count * 8 - 142)
        #expect(opener.replayCount == 0)
    }

    @Test func `every truncation is refused`() {
        for count in envelope.indices {
            let expected: OpenError =
                switch count {
                case ..<72: .tooShort(needed: 72, got: count)
                case ..<80: .tooShort(needed: 80, got: count)
                default: .notOpened
                }
            #expect(refusal(Array(envelope.prefix(count))) == expected)
        }
        #expect(opener.replayCount == 0)
    }

    @Test func `every byte more, at every place, is refused`() {
        for offset in 0...envelope.count {
            for byte: UInt8 in [0, 1, 0x80, 0xFF] {
                var changed = envelope
                changed.insert(byte, at: offset)
                #expect(refusal(changed) != nil)
            }
        }
        for byte in UInt8.min...UInt8.max { #expect(refusal(envelope + [byte]) == .notOpened) }
        #expect(opener.replayCount == 0)
    }

    @Test func `every removed byte is refused`() {
        for offset in envelope.indices {
            var changed = envelope
            changed.remove(at: offset)
            #expect(refusal(changed) != nil)
        }
        #expect(opener.replayCount == 0)
    }

    @Test func `every other character is refused`() {
        var text = Array("v1.".utf8)
        Base64URL.encode(envelope.span, to: &text)
        for offset in text.indices {
            for byte in UInt8.min...UInt8.max where byte != text[offset] {
                var changed = text
                changed[offset] = byte
                if refusal(text: changed) == nil { Issue.record("opened with \(byte) at \(offset)") }
            }
        }
        #expect(opener.replayCount == 0)
    }

    @Test func `the envelope itself opens, again for its own push, and for no other`() {
        #expect(refusal(envelope, row: 7) == nil)
        #expect(opener.replayCount == 1)
        #expect(refusal(envelope, row: 7) == nil)
        #expect(refusal(envelope, row: 8) == .replayed)
        #expect(refusal(envelope, row: 7) == nil)
        #expect(opener.replayCount == 1)
    }
}
