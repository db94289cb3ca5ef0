// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NotificationPayload
import Testing

@testable @_spi(Benchmarking) import E2ECrypto

/// Random envelopes sealed here and opened by swift-crypto's HPKE, and the other way round.
///
/// Everything but the ephemeral keys follows from a seed; a failure prints it, and the text.
struct HPKEDifferentialTests {
    private static let rounds = 1000
    private static let suite = Crypto.HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let now: Int64 = 1_795_228_800_000

    /// SplitMix64: a stream of numbers from a seed.
    private struct Stream: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
            return number ^ number >> 31
        }

        mutating func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
        }

        /// 1 to 255 bytes of text, most of them few.
        mutating func word() -> String {
            let count =
                Bool.random(using: &self) ? Int.random(in: 1...20, using: &self) : Int.random(in: 1...255, using: &self)
            return String(decoding: (0..<count).map { _ in UInt8.random(in: 0x20..<0x7F, using: &self) }, as: UTF8.self)
        }
    }

    /// One recipient, one sender, and what both implementations need of them.
    private struct Pair {
        let recipientSecret: [UInt8]
        let recipient: PublicKey
        let sender: PublicKey
        let arena: SecretArena
        let anonymous: Sealer
        let known: Sealer
        let opener: Opener

        init(_ stream: inout Stream) throws {
            recipientSecret = stream.bytes(32)
            let senderSecret = stream.bytes(32)
            arena = try SecretArena()
            guard let ring = KeyRing.published(recipientSecret, in: arena),
                let senderRing = KeyRing.published(senderSecret, in: arena)
            else { throw KeyFileError(.arenaFull) }
            recipient = try #require(ring.publicKeys.first)
            sender = try #require(senderRing.publicKeys.first)
            anonymous = Sealer(to: recipient, in: arena)
            known = try Sealer(to: recipient, from: senderRing)
            opener = try Opener(keys: ring, policy: OpenPolicy(senders: [.init(publicKey: sender)]))
        }

        /// FORMAT.md, "Sender authentication", by swift-crypto.
        func psk() throws -> SymmetricKey {
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: recipientSecret)
            let shared = try key.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: sender.bytes))
            return shared.hkdfDerivedSymmetricKey(
                using: SHA256.self,
                salt: Data(),
                sharedInfo: Array("nse-sender-psk-v1\0".utf8) + sender.bytes + recipient.bytes,
                outputByteCount: 32
            )
        }
    }

    /// The facts about an envelope that both sides know, apart from the keys.
    private struct Setting {
        let hasSender: Bool
        let context: PushContext
        let header: [UInt8]
        let info: Data

        init(_ pair: Pair, _ stream: inout Stream) {
            hasSender = Bool.random(using: &stream)
            let collapseID = Bool.random(using: &stream) ? stream.word() : nil
            let requestID = Bool.random(using: &stream) ? stream.word() : nil
            let row = Int64.random(in: 0..<1 << 38, using: &stream)
            context = PushContext(topic: stream.word(), collapseID: collapseID, requestID: requestID, row: row)
            let flags: UInt8 = (hasSender ? 1 : 0) | (collapseID == nil ? 0 : 2) | (requestID == nil ? 0 : 4)
            header = [1, flags] + pair.recipient.id.bytes + (hasSender ? pair.sender.id.bytes : [])
            var info = Data("nse-envelope-v1\0".utf8) + header
            for part in [context.topic, collapseID, requestID].compactMap({ $0 }) {
                info += [UInt8(part.utf8.count)] + Array(part.utf8)
            }
            self.info = info
        }
    }

    private func run(_ round: (Pair, Setting, inout Stream) throws -> (isSame: Bool, text: String)) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var stream = Stream(state: seed)
        let pairs = try (0..<8).map { _ in try Pair(&stream) }
        for number in 0..<Self.rounds {
            let pair = pairs[number % pairs.count]
            let (isSame, text) = try round(pair, Setting(pair, &stream), &stream)
            #expect(isSame, "seed \(seed), round \(number), \(text)")
            if !isSame { return }
        }
    }

    @Test func `swift-crypto opens what is sealed here`() throws {
        try run { pair, setting, stream in
            let content = stream.bytes(Int.random(in: 0...600, using: &stream))
            let text = try (setting.hasSender ? pair.known : pair.anonymous).seal(
                content.span,
                context: setting.context,
                issued: Self.now,
                padding: Bool.random(using: &stream) ? .none : .buckets
            )
            let envelope = try #require(Self.base64URL(text.dropFirst(3)))
            guard envelope.starts(with: setting.header) else { return (false, text) }
            let enc = Data(envelope.dropFirst(setting.header.count).prefix(32))
            let ciphertext = envelope.dropFirst(setting.header.count + 32)
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: pair.recipientSecret)
            var recipient =
                setting.hasSender
                ? try Crypto.HPKE.Recipient(
                    privateKey: key,
                    ciphersuite: Self.suite,
                    info: setting.info,
                    encapsulatedKey: enc,
                    presharedKey: pair.psk(),
                    presharedKeyIdentifier: Data(pair.sender.id.bytes)
                )
                : try Crypto.HPKE.Recipient(
                    privateKey: key,
                    ciphersuite: Self.suite,
                    info: setting.info,
                    encapsulatedKey: enc
                )
            let inner = try recipient.open(ciphertext)
            return (inner.dropFirst(14).starts(with: content), text)
        }
    }

    @Test func `what swift-crypto seals opens here`() throws {
        try run { pair, setting, stream in
            let body = String(
                decoding: stream.bytes(Int.random(in: 0...300, using: &stream)).map { $0 | 1 },
                as: UTF8.self
            )
            let inner = EnvelopeInner.bytes(
                content: Array(body.utf8).span,
                isText: true,
                issued: Self.now,
                ttl: 60,
                paddedTo: Int.random(in: 0...1200, using: &stream)
            )
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: pair.recipient.bytes)
            var sender =
                setting.hasSender
                ? try Crypto.HPKE.Sender(
                    recipientKey: key,
                    ciphersuite: Self.suite,
                    info: setting.info,
                    presharedKey: pair.psk(),
                    presharedKeyIdentifier: Data(pair.sender.id.bytes)
                )
                : try Crypto.HPKE.Sender(recipientKey: key, ciphersuite: Self.suite, info: setting.info)
            let ciphertext = try sender.seal(inner)
            var text = Array("v1.".utf8)
            let envelope = setting.header + sender.encapsulatedKey + ciphertext
            Base64.url.append(envelope.span, to: &text)
            let payload = Payload(["encrypted-content": .string(String(decoding: text, as: UTF8.self))])
            let opened = try? pair.opener.open(payload: payload, context: setting.context, now: Self.now).payload
            let expected: JSON = .object(["alert": ["body": .string(body)]])
            return (opened?["aps"] == expected, String(decoding: text, as: UTF8.self))
        }
    }

    private static func base64URL(_ text: Substring) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count + 3)
        let count = try? Base64.url.decode(Array(text.utf8).span, into: &bytes)
        return count.map { Array(bytes.prefix($0)) }
    }
}
