// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// The keys and the policy of one app, with everything that is the same for each message of a pair worked out once.
final class OpenerKeys {
    /// Keys tried for one message: two may share an id, and a sealed box names none.
    static let trialLimit = 4
    private static let infoCacheCount = 16

    struct Sender {
        let id: KeyID
        /// nil for a paired secret.
        let publicKey: PublicKey?
        /// psk_id_hash of HPKE's key schedule, public.
        let pskIDHash: [UInt8]
        /// The psk with each recipient key, in their order; one for all in the case of a paired secret.
        fileprivate let secrets: [SecretArena.Location]
    }

    let policy: OpenPolicy
    /// The fields of a push in which the policy's formats arrive.
    let fields: Set<SealedField>
    let hpke: HPKE
    let anonymousPSKIDHash = HPKE.pskIDHash([])
    private let ring: KeyRing
    private let senders: [Sender]
    private var infoHashes: [(info: [UInt8], hash: [UInt8])] = []
    private var nextInfo = 0

    var workspace: Workspace { ring.arena.workspace }

    /// Derives the secret of every sender with every key.
    ///
    /// Throws `key(.unusable)` for a sender key of small order, `arenaFull`.
    init(ring: consuming KeyRing, policy: OpenPolicy) throws(KeyFileError) {
        var senders: [Sender] = []
        for sender in policy.senders.map(\.publicKey) {
            senders.append(try Self.derive(sender, ring))
        }
        for paired in ring.pairedSecrets {
            senders.append(
                Sender(
                    id: paired.id,
                    publicKey: nil,
                    pskIDHash: Self.pskIDHash(paired.id),
                    secrets: [paired.secret]
                )
            )
        }
        self.senders = senders
        self.policy = policy
        fields = SealedField.fields(of: policy.accept.map(\.name))
        hpke = HPKE(ring.arena.workspace)
        self.ring = ring
    }

    private static func derive(_ sender: PublicKey, _ ring: borrowing KeyRing) throws(KeyFileError) -> Sender {
        var secrets: [SecretArena.Location] = []
        for entry in ring.entries {
            guard let place = ring.arena.reserve(SenderSecret.byteCount) else { throw KeyFileError(.arenaFull) }
            let isDerived = unsafe SenderSecret.derive(
                own: ring.arena.pointer(to: entry.secret),
                peer: sender,
                sender: sender,
                recipient: entry.publicKey,
                to: ring.arena.pointer(to: place),
                in: ring.arena.workspace
            )
            guard isDerived else { throw KeyFileError(.key(.unusable)) }
            secrets.append(place)
        }
        return Sender(id: sender.id, publicKey: sender, pskIDHash: pskIDHash(sender.id), secrets: secrets)
    }

    private static func pskIDHash(_ id: KeyID) -> [UInt8] {
        HPKE.pskIDHash(id.bytes)
    }

    // MARK: Lookups, by the position of a recipient key in the ring

    func recipients(withID id: KeyID) -> [Int] {
        Array(ring.entries.indices.lazy.filter { self.ring.entries[$0].publicKey.id == id }.prefix(Self.trialLimit))
    }

    var entries: [KeyRing.Entry] { ring.entries }
    var senderIDs: [KeyID] { senders.map(\.id) }
    /// Without the paired secrets.
    var senderKeyIDs: [KeyID] { senders.filter { $0.publicKey != nil }.map(\.id) }
    var newestRecipients: Range<Int> { 0..<min(ring.entries.count, Self.trialLimit) }

    func publicKey(of recipient: Int) -> PublicKey { ring.entries[recipient].publicKey }

    func secret(of recipient: Int) -> UnsafePointer<UInt8> {
        unsafe UnsafePointer(ring.arena.pointer(to: ring.entries[recipient].secret))
    }

    func senders(withID id: KeyID) -> [Sender] {
        Array(senders.lazy.filter { $0.id == id }.prefix(Self.trialLimit))
    }

    /// Keys of senders with that id, two at most times in a universe.
    func publicKeys(ofSender id: KeyID) -> [PublicKey] {
        senders(withID: id).compactMap(\.publicKey)
    }

    func isRetired(_ recipient: Int) -> Bool { ring.entries[recipient].retired != nil }

    /// Returns the places of the secrets of another system's format, in the order of the key files.
    func sharedSecrets(for format: SealFormat) -> [SecretArena.Location] {
        ring.sharedSecrets.lazy.filter { $0.format == format }.prefix(Self.trialLimit).map(\.secret)
    }

    func pointer(to place: SecretArena.Location) -> UnsafePointer<UInt8> {
        unsafe UnsafePointer(ring.arena.pointer(to: place))
    }

    func secret(of sender: Sender, for recipient: Int) -> UnsafePointer<UInt8> {
        let place = sender.secrets.count == 1 ? sender.secrets[0] : sender.secrets[recipient]
        return unsafe UnsafePointer(ring.arena.pointer(to: place))
    }

    /// HPKE's info_hash of public bytes; most pushes of an app share one.
    func infoHash(_ info: [UInt8]) -> [UInt8] {
        if let known = infoHashes.first(where: { $0.info == info }) { return known.hash }
        let hash = HPKE.infoHash(info)
        if infoHashes.count < Self.infoCacheCount {
            infoHashes.append((info, hash))
        } else {
            infoHashes[nextInfo] = (info, hash)
            nextInfo = (nextInfo + 1) % Self.infoCacheCount
        }
        return hash
    }
}
