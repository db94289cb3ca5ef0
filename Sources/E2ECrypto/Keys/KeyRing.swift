// SPDX-License-Identifier: Apache-2.0

/// The secret keys of one holder, newest first, and secrets shared with a peer.
///
/// A ring holds places in a `SecretArena`, never bytes; it cannot be copied, printed or encoded.
public struct KeyRing: ~Copyable {
    /// Keys in one file at most.
    package static let limit = 16

    struct Entry {
        let publicKey: PublicKey
        let secret: SecretArena.Location
        /// Since when it is not current any more, Unix milliseconds; what is sealed to it still opens.
        var retired: Int64?
    }

    /// A secret of 32 bytes given to both sides, with the random id that names it in an envelope.
    struct PairedSecret {
        let id: KeyID
        let secret: SecretArena.Location
    }

    /// A secret in another system's notation.
    struct SharedSecret {
        let format: SealFormat
        let secret: SecretArena.Location
    }

    let arena: SecretArena
    private(set) var entries: [Entry] = []
    private(set) var pairedSecrets: [PairedSecret] = []
    private(set) var sharedSecrets: [SharedSecret] = []

    package var count: Int { entries.count + pairedSecrets.count + sharedSecrets.count }

    init(in arena: SecretArena) {
        self.arena = arena
    }

    /// Public halves in the order of the secrets: the first is current.
    public var publicKeys: [PublicKey] { entries.map(\.publicKey) }

    mutating func append(_ secret: SecretArena.Location, retired: Int64? = nil) {
        let publicKey = unsafe PublicKey(ofSecret: arena.pointer(to: secret))
        guard !entries.contains(where: { $0.publicKey == publicKey }) else { return }
        entries.append(Entry(publicKey: publicKey, secret: secret, retired: retired))
    }

    mutating func append(_ paired: PairedSecret) {
        pairedSecrets.append(paired)
    }

    mutating func append(_ shared: SharedSecret) {
        sharedSecrets.append(shared)
    }

    /// Adds the keys of another ring of the same arena, behind its own; a key held twice counts once.
    public mutating func append(_ other: consuming KeyRing) {
        precondition(other.arena === arena)
        for entry in other.entries where !entries.contains(where: { $0.publicKey == entry.publicKey }) {
            entries.append(entry)
        }
        pairedSecrets += other.pairedSecrets
        sharedSecrets += other.sharedSecrets
    }
}
