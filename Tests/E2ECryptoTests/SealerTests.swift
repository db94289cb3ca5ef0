// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable @_spi(Benchmarking) import E2ECrypto

struct SealerTests {
    private let arena: SecretArena
    private let recipient: PublicKey
    private let context = PushContext(topic: "com.example.app")

    init() throws {
        arena = try SecretArena()
        recipient = try #require(try freshRing(in: arena).publicKeys.first)
    }

    private func length(of byteCount: Int, _ padding: Padding, room: Int = 4007) throws -> Int {
        let content = [UInt8](repeating: 0x20, count: byteCount)
        return try Sealer(to: recipient, in: arena)
            .seal(content.span, context: context, issued: 0, padding: padding, room: room).utf8.count
    }

    private func sealNothing(to recipient: PublicKey, _ context: PushContext) throws -> String {
        let empty: [UInt8] = []
        return try Sealer(to: recipient, in: arena).seal(empty.span, context: context, issued: 0)
    }

    /// Characters of an envelope of mode base around an inner part of `byteCount` bytes.
    private func text(_ byteCount: Int) -> Int { 3 + Base64.url.characterCount(ofBytes: 58 + byteCount) }

    @Test func `the room is that of FORMAT.md`() throws {
        let sender = try freshRing(in: arena)
        let anonymous = Sealer(to: recipient, in: arena)
        #expect(anonymous.contentRoom(inText: 4007) == 2931)
        #expect(try Sealer(to: recipient, from: sender).contentRoom(inText: 4007) == 2923)
        #expect(anonymous.contentRoom(inText: 4007, format: .sealedBox) == 2957)
    }

    @Test(arguments: [(0, 256), (242, 256), (243, 512), (1010, 1024), (2546, 2560), (2547, 2945), (2931, 2945)])
    func `padding goes to the next bucket, then to the whole room`(_ content: Int, _ inner: Int) throws {
        #expect(try length(of: content, .buckets) == text(inner))
    }

    @Test func `a bucket larger than the room ends at the room`() throws {
        #expect(try length(of: 300, .buckets, room: 600) == 599)
    }

    @Test func `maximal padding fills the room, none adds nothing, a number is exact`() throws {
        #expect(try length(of: 10, .maximum) == text(2945))
        #expect(try length(of: 10, .none) == text(24))
        #expect(try length(of: 10, .exact(100)) == text(100))
    }

    @Test func `what does not fit is refused with the excess`() throws {
        #expect(throws: SealError.tooLarge(excess: 1)) { try length(of: 2932, .buckets) }
        #expect(throws: SealError.tooLarge(excess: 69)) { try length(of: 3000, .none) }
        #expect(throws: SealError.tooLarge(excess: 55)) { try length(of: 10, .exact(3000)) }
        #expect(throws: SealError.paddingTooSmall(needed: 24)) { try length(of: 10, .exact(23)) }
        let content = [UInt8](repeating: 0x20, count: 2960)
        #expect(throws: SealError.tooLarge(excess: 3)) {
            try Sealer(to: recipient, in: arena).sealBox(content.span, room: 4007)
        }
    }

    @Test func `a context that cannot be bound is refused`() throws {
        let long = String(repeating: "x", count: 256)
        #expect(throws: SealError.badContext(.topic)) { try sealNothing(to: recipient, PushContext(topic: "")) }
        #expect(throws: SealError.badContext(.collapseID)) {
            try sealNothing(to: recipient, PushContext(topic: "t", collapseID: long))
        }
    }

    @Test(arguments: [-1, 1 << 48, .max, .min] as [Int64])
    func `a moment that the inner part cannot hold is refused`(_ issued: Int64) throws {
        let content = Array(#"{"body":"b"}"#.utf8)
        #expect(throws: SealError.badIssueTime) {
            try Sealer(to: recipient, in: arena).seal(content.span, context: context, issued: issued)
        }
    }

    @Test func `a recipient's key of small order is refused`() throws {
        let zero = try PublicKey(bytes: [UInt8](repeating: 0, count: 32))
        let sender = try freshRing(in: arena)
        #expect(throws: SealError.unusableKey) { try sealNothing(to: zero, context) }
        #expect(throws: SealError.unusableKey) {
            let empty: [UInt8] = []
            return try Sealer(to: zero, in: arena).sealBox(empty.span)
        }
        #expect(throws: SealError.unusableKey) { _ = try Sealer(to: zero, from: sender) }
    }

    @Test func `two envelopes of one content share nothing after the header`() throws {
        let sealer = Sealer(to: recipient, in: arena)
        let content = Array(#"{"body":"b"}"#.utf8)
        let texts = try (0..<2).map { _ in try sealer.seal(content.span, context: context, issued: 0) }
        #expect(texts[0].prefix(16) == texts[1].prefix(16))
        #expect(texts[0].dropFirst(17).prefix(8) != texts[1].dropFirst(17).prefix(8))
        #expect(texts[0].suffix(16) != texts[1].suffix(16))
    }

    @Test func `a server makes sealers for more recipients than an arena has room for`() throws {
        let sender = try freshRing(in: arena)
        let before = arena.remainingByteCount
        for number in 0..<2000 {
            let secret = [UInt8](repeating: 0, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)]
            _ = try Sealer(to: PublicKey(bytes: secret.map { $0 ^ 0x55 }), from: sender)
        }
        #expect(before - arena.remainingByteCount == 32)
    }

    @Test func `what a sealer shared with its recipient goes with it`() throws {
        let sender = try freshRing(in: arena)
        let place = SecretArena.Location(offset: 32 * 1024 - 64 - arena.remainingByteCount)
        var sealer: Sealer? = try Sealer(to: recipient, from: sender)
        let secret = UnsafeBufferPointer(start: arena.pointer(to: place), count: 32)
        #expect(secret.contains { $0 != 0 })
        withExtendedLifetime(sealer) {}
        sealer = nil
        #expect(secret.allSatisfy { $0 == 0 })
    }

    @Test func `an arena that is read-only takes no new sender, and its sealers can go`() throws {
        let sender = try freshRing(in: arena)
        var sealer: Sealer? = try Sealer(to: recipient, from: sender)
        try arena.makeReadOnly()
        #expect(throws: SealError.arenaFull) { _ = try Sealer(to: recipient, from: sender) }
        #expect(throws: KeyFileError(.arenaFull)) { _ = try freshRing(in: arena) }
        #expect(throws: KeyFileError(.arenaFull)) {
            try KeyFile.write(ring: sender, created: 1_795_228_800_000, to: 1)
        }
        withExtendedLifetime(sealer) {}
        sealer = nil
    }

    @Test func `a ring with nothing to seal in the name of is no sender`() throws {
        var ring = KeyRing(in: arena)
        try ring.appendPublished(SelfTest.sharedSecrets[0])
        #expect(throws: SealError.noSender) { _ = try Sealer(to: recipient, from: ring) }
    }
}
