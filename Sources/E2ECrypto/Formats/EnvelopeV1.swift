// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

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

    /// Makes each forgery but a wrong padding, which takes the key: the self-test has an envelope with one.
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

// MARK: self-test

extension EnvelopeV1 {
    static let knownAnswers = [
        KnownAnswer(base, isAuthenticated: false, badlyPadded: badlyPaddedBase),
        KnownAnswer(psk, sender: "569e210ce4742c83"),
    ]

    /// An envelope from anybody.
    static let base = """
        v1.AQCNlv7NEmhMnewtZC-\
        rhpAyczo7vLU8Db41lKgfG4HVVU5k2PlNd5cCsH4rWa_AmL3DhTIDDlpXC2ZDhh9nPc1ghPVMt1NUJeaj3F0fxj3uAToIj-qD9Rk\
        276rMNj1bJMP8yq2TxSuoTQiX1K37-BkXG4u0j-\
        gypkg537IwKapkI2A17QdWbNwV2Y9eXyWkumMmiyrrcbnffFQadiCB84burm4_KzKizhZMjwHlEj9D0vZyE8ITC6OYTpiNlX4eoN\
        uF5ACq6nZq5dCPjZ6lyhXmIxdI7CW9sdjGBqQNM5dcOC_nRZxmnBtWFB35QxLols55TlxLg04MBoyG8SFFhxnJsc9Q4NHEGi9-\
        OGoYeFSTt7KtYHWg75kc8af1bZwbaNSsBZfxoPM_TFQ90l9MYf-p95CJmORK5-w
        """

    /// An envelope from a pinned sender.
    private static let psk = """
        v1.AQGNlv7NEmhMnVaeIQzkdCyD7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY-U13lwLOPOnboMcP8UXzbQB8d3gngzp8-\
        vCB6GW5QIjq10NO_yu2XVNStDfVjLRDjxhH4qMCn_g5y3CEW1gw2VFDe66etQxtssoJQpeTxs9yZTpcsqJkFCLMI81hGXnxqKDxJ\
        Tpi2nn1c3gieJVvEaMgBHDa8kwauuD8q7hWnduXAO52iksugjWGZDNIXSUHmjotemrRyL7BRffAdDZ8FQ6VP-\
        W2x1M14rLVuxUhogJhVB_3StntL8UYmBlbXd_2dEu9fo4whp32VOpguoIKNITv737F0K4Se3pos45j2N9O3VYJH1ynsxK9LsNZpo\
        _i02yEbGzPbJSNh3Pyo0on6kZpqn2kLEyCH51_kl3UVrWSkCw8fg
        """

    /// The envelope from anybody, with a last byte of the padding that is not zero.
    private static let badlyPaddedBase = String(base.dropLast(22)) + "bzILT-8KtkqT4GD_WqnQ-4"
}
