// SPDX-License-Identifier: Apache-2.0

internal import E2ECrypto

/// Keys that are no secret, and the push that checks open under.
final class PublishedKeys {
    static let now: Int64 = 1_795_228_800_000
    static let context = PushContext(topic: "com.example.app", collapseID: "door", requestID: "r1", row: 0)
    private static let sender = [UInt8](repeating: 0x77, count: 32)

    let arena: SecretArena
    let sealer: Sealer
    let anonymousSealer: Sealer
    /// An opener that accepts every format and has seen nothing.
    let opener: Opener

    /// Returns `nil` when there is no locked memory.
    init?() {
        guard let arena = try? SecretArena(),
            let ring = KeyRing.published(SelfTest.recipient, in: arena), let recipient = ring.publicKeys.first,
            let sender = KeyRing.published(Self.sender, in: arena),
            let sealer = try? Sealer(to: recipient, from: sender),
            let opener = try? Self.opener(for: sender.publicKeys[0], in: arena)
        else { return nil }
        self.arena = arena
        self.sealer = sealer
        anonymousSealer = Sealer(to: recipient, in: arena)
        self.opener = opener
    }

    private static func opener(for sender: PublicKey, in arena: SecretArena) throws -> Opener {
        guard var ring = KeyRing.published(SelfTest.recipient, in: arena) else { throw KeyFileError(.arenaFull) }
        for line in SelfTest.sharedSecrets { try ring.appendPublished(line) }
        let senders = [sender, PublicKey(unchecked: SelfTest.sender)].map { OpenPolicy.Sender(publicKey: $0) }
        let policy = OpenPolicy(accept: Set(SealFormat.allCases), senders: senders)
        return try Opener(keys: ring, policy: policy, replays: ReplaySet(capacity: 1 << 12))
    }
}
