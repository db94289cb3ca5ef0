// SPDX-License-Identifier: Apache-2.0

import CSodium

/// `v1.` ‖ base64url(header ‖ enc[32] ‖ ciphertext ‖ tag[16]).
///
/// Source: FORMAT.md, "Envelope".
enum EnvelopeV1: SealedFormat {
    static let format = SealFormat.v1
    static let textPrefix: String? = "v1"
    static let textStart = 3

    static func unseal(
        _ text: Span<UInt8>,
        context: PushContext,
        with keys: OpenerKeys
    ) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let envelope = unsafe Span(_unsafeStart: bytes, count: try decode(text, into: bytes))
        let header = try EnvelopeHeader(parsing: envelope)
        guard header.sender != nil || !keys.policy.requiresSender else { throw .senderRequired }
        let recipients = keys.recipients(withID: header.recipient)
        guard !recipients.isEmpty else { throw .unknownKey(header.recipient) }
        let sender: OpenerKeys.Sender?
        if let id = header.sender {
            guard let known = keys.sender(withID: id) else { throw .unknownSender(id) }
            sender = known
        } else {
            sender = nil
        }
        let info = try context.info(header: envelope.extracting(..<header.byteCount), flags: header.flags)
        let infoHash = keys.infoHash(info)

        let enc = header.byteCount
        let ciphertext = enc + HPKE.encByteCount
        let count = envelope.count - ciphertext
        defer { workspace.wipeSecrets() }
        for recipient in recipients {
            let isOpen = unsafe keys.hpke.agree(
                secret: keys.secret(of: recipient),
                peer: bytes + enc,
                enc: bytes + enc,
                recipient: keys.publicKey(of: recipient).bytes
            )
            guard isOpen else { throw .notOpened }
            unsafe keys.hpke.schedule(
                psk: sender.map { unsafe keys.secret(of: $0, for: recipient) },
                pskIDHash: sender?.pskIDHash ?? keys.anonymousPSKIDHash,
                infoHash: infoHash
            )
            if unsafe keys.hpke.open(bytes + ciphertext, count, to: workspace.plaintext) {
                let id = ReplaySet.ID(reading: envelope.extracting(enc..<ciphertext))
                return try unsealed(workspace, count - HPKE.tagByteCount, id: id, sender: header.sender)
            }
        }
        throw .notOpened
    }

    /// Writes the envelope's bytes to `output`; returns how many.
    static func decode(
        _ text: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(OpenError) -> Int {
        do {
            return try unsafe Base64URL.decode(text.extracting(textStart...), into: output)
        } catch .malformedText(let offset) {
            throw .malformedText(offset: offset + textStart)
        }
    }

    private static func unsealed(
        _ workspace: Workspace,
        _ count: Int,
        id: ReplaySet.ID,
        sender: KeyID?
    ) throws(OpenError) -> Unsealed {
        let plaintext = unsafe workspace.plaintext
        guard let inner = unsafe EnvelopeInner(parsing: Span(_unsafeStart: plaintext, count: count)) else {
            workspace.wipePlaintext(count)
            throw .notOpened
        }
        return Unsealed(
            content: inner.content,
            kind: inner.kind,
            replayID: id,
            issued: inner.issued,
            lifetime: inner.lifetime,
            sender: sender
        )
    }
}
