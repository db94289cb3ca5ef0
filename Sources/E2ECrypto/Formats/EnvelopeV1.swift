// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension SealFormat {
    /// Our envelope: HPKE, padded, dated, bound to its push.
    public static let v1 = SealFormat(.v1)
}

/// `v1.` ‖ base64url(header ‖ enc[32] ‖ ciphertext ‖ tag[16]).
///
/// Source: FORMAT.md, "Envelope".
enum EnvelopeV1: SealedFormat {
    static let format = SealFormat.v1
    static let textPrefix: String? = "v1"
    static let textStart = 3

    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        try unsafe Base64.url.decode(text, from: textStart, into: output)
    }

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        let header = try EnvelopeHeader(parsing: bytes)
        return .init(header: header, sender: header.sender)
    }

    /// What is inside cannot be forged without the key: the self-test has an envelope with a wrong padding.
    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[message.count - 1] ^= 1
        case .point:
            let start = EnvelopeHeader.byteCount(hasSender: message[1] & EnvelopeHeader.Flags.psk.rawValue != 0)
            message.replaceSubrange(start..<start + HPKE.encByteCount, with: repeatElement(0, count: HPKE.encByteCount))
        case .length:
            let needed = EnvelopeHeader.overhead(hasSender: false)
            message.removeSubrange((needed - 1)...)
            return .tooShort(needed: needed, got: needed - 1)
        case .padding: return nil
        }
        return .notOpened
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        guard let header = sealed.summary.header else { throw .notOpened }
        let recipients = keys.recipients(withID: header.recipient)
        guard !recipients.isEmpty else { throw .unknownKey(header.recipient) }
        var senders: [OpenerKeys.Sender?] = [nil]
        if let id = header.sender {
            senders = keys.senders(withID: id)
            guard !senders.isEmpty else { throw .unknownSender(id) }
        }
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let envelope = unsafe Span(_unsafeStart: bytes, count: sealed.summary.byteCount)
        let info = try sealed.context.info(header: envelope.extracting(..<header.byteCount), flags: header.flags)
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
            for sender in senders {
                unsafe keys.hpke.schedule(
                    psk: sender.map { unsafe keys.secret(of: $0, for: recipient) },
                    pskIDHash: sender?.pskIDHash ?? keys.anonymousPSKIDHash,
                    infoHash: infoHash
                )
                guard unsafe keys.hpke.open(bytes + ciphertext, count, to: workspace.plaintext) else { continue }
                var unsealed = try unsealed(workspace, count - HPKE.tagByteCount, sender: header.sender)
                unsealed.identity = enc..<ciphertext
                unsealed.usesRetiredKey = keys.isRetired(recipient)
                return unsealed
            }
        }
        throw .notOpened
    }

    private static func unsealed(
        _ workspace: Workspace,
        _ count: Int,
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
            issued: inner.issued,
            lifetime: inner.lifetime,
            sender: sender,
            isAuthenticated: sender != nil
        )
    }
}
