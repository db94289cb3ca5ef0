// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// base64(epk[32] ‖ tag[16] ‖ ciphertext), as `crypto_box_seal` of any libsodium binding makes it.
///
/// A sealed box names no key, so the newest keys are tried; it has no date and no sender.
/// Source: FORMAT.md, "Sealed box".
enum SealedBox: SealedFormat {
    static let format = SealFormat.sealedBox
    static let overhead = Int(crypto_box_sealbytes())

    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        try unsafe Base64.ofSealedBox.decode(text, from: 0, into: output)
    }

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        guard bytes.count >= overhead else { throw .tooShort(needed: overhead, got: bytes.count) }
        return .init()
    }

    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[PublicKey.byteCount] ^= 1
        case .point:
            message.replaceSubrange(..<PublicKey.byteCount, with: repeatElement(0, count: PublicKey.byteCount))
        case .length:
            message.removeSubrange((overhead - 1)...)
            return .tooShort(needed: overhead, got: overhead - 1)
        case .padding: return nil
        }
        return .notOpened
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let count = sealed.summary.byteCount
        for recipient in keys.newestRecipients {
            let isOpen = unsafe crypto_box_seal_open(
                workspace.plaintext,
                bytes,
                UInt64(count),
                keys.publicKey(of: recipient).bytes,
                keys.secret(of: recipient)
            )
            guard isOpen == 0 else { continue }
            return Unsealed(
                content: 0..<count - overhead,
                identity: 0..<PublicKey.byteCount,
                isAuthenticated: false,
                usesRetiredKey: keys.isRetired(recipient)
            )
        }
        throw .notOpened
    }
}

// MARK: self-test

extension SealedBox {
    static let knownAnswers = [KnownAnswer(message, isAuthenticated: false)]

    private static let message = """
        7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY+U13lwKyHwjOqjt3Xu/E+7h+ibDPeoli65pVuQQvmnfriS6KwZcEObO/B+VZNWmp\
        v5vBvnsW2jDnv+B+js3cdA==
        """
}
