// SPDX-License-Identifier: Apache-2.0

import CSodium

extension KeyRing {
    /// Makes a ring of one fresh key pair.
    ///
    /// Throws `arenaFull`.
    public static func generate(in arena: SecretArena) throws(KeyFileError) -> KeyRing {
        guard let secret = arena.reserve(PublicKey.byteCount) else { throw KeyFileError(.arenaFull) }
        unsafe randombytes_buf(arena.pointer(to: secret), PublicKey.byteCount)
        var ring = KeyRing(in: arena)
        ring.append(secret)
        return ring
    }

    /// Makes a ring of one fresh paired secret, for both sides of a pair.
    ///
    /// Throws `arenaFull`.
    public static func generatePairedSecret(in arena: SecretArena) throws(KeyFileError) -> KeyRing {
        let byteCount = KeyID.byteCount + SenderSecret.byteCount
        guard let place = arena.reserve(byteCount) else { throw KeyFileError(.arenaFull) }
        let bytes = unsafe arena.pointer(to: place)
        unsafe randombytes_buf(bytes, byteCount)
        let id = KeyID(reading: unsafe Span(_unsafeStart: bytes, count: KeyID.byteCount), at: 0)
        var ring = KeyRing(in: arena)
        ring.append(.init(id: id, secret: .init(offset: place.offset + KeyID.byteCount)))
        return ring
    }

    /// Makes a ring of one fresh Web Push subscription.
    ///
    /// Throws `arenaFull`. Source: RFC 8291 §2, 3.2.
    public static func generateSubscription(in arena: SecretArena) throws(KeyFileError) -> KeyRing {
        guard let place = arena.reserve(WebPush.secretByteCount) else { throw KeyFileError(.arenaFull) }
        let bytes = unsafe arena.pointer(to: place)
        // One of 2³² random numbers is no private key of the curve.
        repeat {
            unsafe randombytes_buf(bytes, WebPush.Secret.publicKeyOffset)
        } while unsafe !P256Agreement.publicKey(ofPrivate: bytes, to: bytes + WebPush.Secret.publicKeyOffset)
        var ring = KeyRing(in: arena)
        ring.append(.init(format: .webPush, secret: place))
        return ring
    }
}

extension KeyRing {
    /// Ids of the paired secrets, in their order: what an envelope names as its sender.
    public var pairedSecretIDs: [KeyID] { pairedSecrets.map(\.id) }

    /// The retired keys and when each was, in Unix milliseconds, in the order of the ring.
    public var retiredKeys: [(key: PublicKey, since: Int64)] {
        entries.compactMap { entry in entry.retired.map { (entry.publicKey, $0) } }
    }
}
