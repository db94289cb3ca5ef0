// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// Seals payloads to one recipient.
///
/// ```swift
/// let sealer = try Sealer(to: recipient, from: KeyFile.read(path: "server.key", into: SecretArena()))
/// let body = try sealer.sealPush(payload.span, context: PushContext(topic: "com.example.chat"), issued: milliseconds)
/// ```
/// With a sender's ring the recipient knows who sealed; without one the payload is anonymous.
///
/// Making one costs a Diffie-Hellman and 32 bytes of the arena, which are given back when the sealer goes; whoever
/// seals to a recipient again and again keeps it. It reads no clock and no file. Not `Sendable`: see `SecretArena`.
public final class Sealer {
    /// The longest text that an opener takes: 8192 characters.
    public static let maximumTextByteCount = Workspace.maximumTextByteCount

    /// The formats that a sealer can make; the others are for other systems to seal.
    public static let formats: Set<SealFormat> = [.v1, .sealedBox]

    private let recipient: PublicKey
    private let arena: SecretArena
    private let hpke: HPKE
    private let agreement: EphemeralAgreement
    private var sender: (id: KeyID, secret: SecretArena.Location)?
    /// The place of a secret that was derived for this sealer alone, released with it; `nil` means that there is none.
    private var derivedSecret: SecretArena.Location?
    /// The key schedule's hash of the sender's id, made once, because it takes public bytes only.
    private var pskIDHash = HPKE.pskIDHash([])
    /// The last info and its hash, kept because the payloads of an app mostly share one info.
    private var infoHash: (info: [UInt8], hash: [UInt8]) = ([], [])

    /// Seals anonymously.
    public init(to recipient: PublicKey, in arena: SecretArena) {
        self.recipient = recipient
        self.arena = arena
        hpke = HPKE(arena.workspace)
        agreement = EphemeralAgreement(with: recipient)
    }

    /// Seals in the name of the current key of `sender`, or of its first paired secret when it has no key pair.
    ///
    /// Uses the ring's arena. Throws `unusableKey` when the recipient's key has small order, `noSender` for a ring
    /// that has neither, `arenaFull`.
    public convenience init(to recipient: PublicKey, from sender: borrowing KeyRing) throws(SealError) {
        self.init(to: recipient, in: sender.arena)
        if let key = sender.entries.first {
            guard let secret = arena.reserve(SenderSecret.byteCount) else { throw .arenaFull }
            let isDerived = unsafe SenderSecret.derive(
                own: arena.pointer(to: key.secret),
                peer: recipient,
                sender: key.publicKey,
                recipient: recipient,
                to: arena.pointer(to: secret),
                in: arena.workspace
            )
            derivedSecret = secret
            guard isDerived else { throw .unusableKey }
            self.sender = (key.publicKey.id, secret)
            pskIDHash = HPKE.pskIDHash(key.publicKey.id.bytes)
        } else if let paired = sender.pairedSecrets.first {
            self.sender = (paired.id, paired.secret)
            pskIDHash = HPKE.pskIDHash(paired.id.bytes)
        } else {
            throw .noSender
        }
    }

    deinit {
        if let derivedSecret { arena.release(derivedSecret, SenderSecret.byteCount) }
    }

    /// Bytes of content that fit a text of `characterCount` characters in a format that `formats` holds.
    public func contentRoom(inText characterCount: Int, format: SealFormat = .v1) -> Int {
        let characterCount = min(characterCount, Self.maximumTextByteCount)
        if format == .sealedBox { return characterCount * 3 / 4 - SealedBox.overhead }
        return (characterCount - EnvelopeV1.textStart) * 3 / 4 - EnvelopeHeader.overhead(hasSender: sender != nil)
    }

    /// Seals `content`, a JSON object in UTF-8 or, with `isText`, plain text, to an envelope.
    ///
    /// The collapse-id and request-id of `context` are bound when they are there; its row means nothing here. `issued`
    /// is in Unix milliseconds, `ttl` in seconds, 0 being the longest there is (30 days). The text has at most
    /// `room` characters.
    public func seal(
        _ content: Span<UInt8>,
        isText: Bool = false,
        context: PushContext,
        issued: Int64,
        ttl: UInt32 = 0,
        padding: Padding = .buckets,
        room: Int = Sealer.maximumTextByteCount
    ) throws(SealError) -> String {
        guard (0..<1 << 48).contains(issued) else { throw .badIssueTime }
        let limit = min(room, Self.maximumTextByteCount)
        let contentRoom = min(contentRoom(inText: limit), EnvelopeInner.maximumContentByteCount)
        let length = try padding.length(
            of: EnvelopeInner.headerByteCount + content.count,
            room: EnvelopeInner.headerByteCount + contentRoom
        )
        var inner = EnvelopeInner.bytes(
            content: content,
            isText: isText,
            issued: issued,
            ttl: ttl,
            paddedTo: length
        )
        defer { unsafe sodium_memzero(&inner, inner.count) }
        return try envelope(of: inner, context: context) { () throws(SealError) in
            guard let enc = unsafe agreement.agree(to: arena.workspace.sharedPoint) else { throw .unusableKey }
            return enc
        }
    }

    /// Seals `content` as a bare sealed box, base64url without padding; anonymous whatever the sender.
    public func sealBox(
        _ content: Span<UInt8>,
        room: Int = Sealer.maximumTextByteCount
    ) throws(SealError) -> String {
        let contentRoom = contentRoom(inText: min(room, Self.maximumTextByteCount), format: .sealedBox)
        guard content.count <= contentRoom else { throw .tooLarge(excess: content.count - contentRoom) }
        var box = [UInt8](repeating: 0, count: content.count + SealedBox.overhead)
        let isSealed = unsafe content.withUnsafeBufferPointer { content in
            unsafe crypto_box_seal(&box, content.baseAddress, UInt64(content.count), recipient.bytes)
        }
        guard isSealed == 0 else { throw .unusableKey }
        return Self.text(box, prefix: [])
    }
}

extension Sealer {
    /// Seals under the ephemeral secret that stands in the workspace: for known answers.
    package func envelope(of inner: [UInt8], context: PushContext) throws(SealError) -> String {
        let workspace = arena.workspace
        return try envelope(of: inner, context: context) { () throws(SealError) in
            let isAgreed = unsafe crypto_scalarmult(workspace.sharedPoint, workspace.ephemeral, recipient.bytes) == 0
            guard isAgreed else { throw .unusableKey }
            return unsafe PublicKey(ofSecret: workspace.ephemeral).bytes
        }
    }

    /// `agree` leaves the Diffie-Hellman result in `workspace.sharedPoint` and returns the ephemeral public key.
    private func envelope(
        of inner: [UInt8],
        context: PushContext,
        agree: () throws(SealError) -> [UInt8]
    ) throws(SealError) -> String {
        let workspace = arena.workspace
        defer { workspace.wipeSecrets() }
        let header = EnvelopeHeader(flags: context.boundFlags, recipient: recipient.id, sender: sender?.id)
        let byteCount = header.byteCount + HPKE.encByteCount + inner.count + HPKE.tagByteCount
        var envelope: [UInt8] = []
        envelope.reserveCapacity(byteCount)
        header.write(to: &envelope)
        let info: [UInt8]
        do {
            info = try context.info(header: envelope.span, flags: header.flags)
        } catch .contextMissing(let part) {
            throw .badContext(part)
        } catch {
            throw .badContext(.topic)
        }
        if infoHash.info != info { infoHash = (info, HPKE.infoHash(info)) }
        let enc = try agree()
        unsafe hpke.bind(enc: enc, recipient: recipient.bytes)
        unsafe hpke.schedule(
            psk: sender.map { unsafe UnsafePointer(arena.pointer(to: $0.secret)) },
            pskIDHash: pskIDHash,
            infoHash: infoHash.hash
        )
        envelope += enc
        let start = envelope.count
        envelope.append(contentsOf: repeatElement(0, count: byteCount - start))
        unsafe envelope.withUnsafeMutableBufferPointer { output in
            guard let address = output.baseAddress else { return }
            unsafe hpke.seal(inner, inner.count, to: address + start)
        }
        return Self.text(envelope, prefix: Array("v1.".utf8))
    }

    private static func text(_ bytes: [UInt8], prefix: [UInt8]) -> String {
        var text = prefix
        Base64.url.append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension PushContext {
    fileprivate var boundFlags: EnvelopeHeader.Flags {
        var flags: EnvelopeHeader.Flags = []
        if collapseID != nil { flags.insert(.collapseIDBound) }
        if requestID != nil { flags.insert(.requestIDBound) }
        return flags
    }
}
