// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation
import NotificationPayload
import Testing

@testable @_spi(Benchmarking) import E2ECrypto

/// A payload of one sender is never taken for a replay of another one's, and no push opens twice unless the host asks
/// for it by a number.
struct ReplayScopeTests {
    private let now: Int64 = 1_795_228_800_000
    private let arena: SecretArena
    private let secret = [UInt8](repeating: 0x5A, count: 32)

    init() throws {
        arena = try SecretArena()
    }

    private func published(_ secret: [UInt8]) throws -> KeyRing {
        guard let ring = KeyRing.published(secret, in: arena) else { throw KeyFileError(.arenaFull) }
        return ring
    }

    /// An opener that takes everything, with a key pair and a secret of Home Assistant's.
    private func opener(app: String, _ replays: ReplaySet) throws -> Opener {
        var ring = try published(SelfTest.recipient)
        try ring.appendPublished("home-assistant: " + String(repeating: "5a", count: 32))
        return try Opener(keys: ring, policy: OpenPolicy(accept: [.v1, .homeAssistant]), replays: replays, app: app)
    }

    private func envelope() throws -> (text: String, enc: [UInt8]) {
        let recipient = try published(SelfTest.recipient).publicKeys[0]
        let context = PushContext(topic: "com.example.app")
        let text = try Sealer(to: recipient, in: arena).seal(
            Array(#"{"body":"b"}"#.utf8).span,
            context: context,
            issued: now
        )
        var bytes = [UInt8](repeating: 0, count: text.utf8.count)
        let count = try bytes.withUnsafeMutableBufferPointer {
            try Base64.url.decode(text.utf8.span, from: 3, into: try #require($0.baseAddress))
        }
        return (text, Array(bytes[10..<min(42, count)]))
    }

    /// A push of Home Assistant's whose nonce begins as `enc` does.
    private func imitation(of enc: [UInt8]) -> String {
        let nonce = Array(enc.prefix(24))
        let content = Array(#"{"message":"m"}"#.utf8)
        var box = [UInt8](repeating: 0, count: content.count + 16)
        crypto_secretbox_easy(&box, content, UInt64(content.count), nonce, secret)
        return #"{"encrypted":true,"encrypted_data":"\#(Data(nonce + box).base64EncodedString())"}"#
    }

    @Test(arguments: ["a", "b"])
    func `a sender of one app or format cannot make another's payload look old`(_ app: String) throws {
        let replays = ReplaySet(capacity: 64)
        let (text, enc) = try envelope()
        let context = PushContext(topic: "com.example.app")
        _ = try opener(app: "a", replays).open(push: imitation(of: enc).utf8.span, context: context, now: now)
        _ = try opener(app: app, replays).open(text: text.utf8.span, context: context, now: now)
        #expect(replays.count == 2)
    }

    @Test func `without a number nothing opens twice`() throws {
        let opener = try opener(app: "a", ReplaySet(capacity: 64))
        let text = try envelope().text
        let context = PushContext(topic: "com.example.app")
        _ = try opener.open(text: text.utf8.span, context: context, now: now)
        #expect(throws: OpenError.replayed) { try opener.open(text: text.utf8.span, context: context, now: now) }
        var numbered = context
        numbered.row = 0
        _ = try opener.open(text: text.utf8.span, context: numbered, now: now)
    }

    @Test func `one payload opens once for each device`() throws {
        let opener = try opener(app: "a", ReplaySet(capacity: 64))
        let text = try envelope().text
        for device in ["00", "01"] {
            let context = PushContext(topic: "com.example.app", device: device)
            _ = try opener.open(text: text.utf8.span, context: context, now: now)
            #expect(throws: OpenError.replayed) { try opener.open(text: text.utf8.span, context: context, now: now) }
        }
    }

    @Test func `an iv that a gateway puts beside an envelope changes nothing`() throws {
        let opener = try opener(app: "a", ReplaySet(capacity: 64))
        let text = try envelope().text
        let context = PushContext(topic: "com.example.app")
        for (iv, error) in [("1", nil), ("2", OpenError.replayed)] as [(String, OpenError?)] {
            let push = #"{"encrypted-content":"\#(text)","iv":"\#(iv)"}"#
            do throws(OpenError) {
                _ = try opener.open(push: push.utf8.span, context: context, now: now)
                #expect(error == nil)
            } catch {
                #expect(error == .replayed && iv == "2")
            }
        }
    }

    @Test func `two senders of one id are both tried`() throws {
        let sender = try published([UInt8](repeating: 7, count: 32))
        let key = sender.publicKeys[0]
        var ring = try published(SelfTest.recipient)
        let recipient = ring.publicKeys[0]
        // A paired secret whose random id happens to be that of the sender's key.
        let place = try #require(arena.reserve(32))
        arena.pointer(to: place).update(repeating: 9, count: 32)
        ring.append(.init(id: key.id, secret: place))
        var paired = KeyRing(in: arena)
        paired.append(.init(id: key.id, secret: place))
        let policy = OpenPolicy(senders: [.init(publicKey: key)], requiresSender: true)
        let opener = try Opener(keys: ring, policy: policy)
        let context = PushContext(topic: "t")
        for sealer in [try Sealer(to: recipient, from: sender), try Sealer(to: recipient, from: paired)] {
            let text = try sealer.seal(Array(#"{"body":"b"}"#.utf8).span, context: context, issued: now)
            #expect(try opener.open(text: text.utf8.span, context: context, now: now).sender == key.id)
        }
    }
}
