// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// `box.` ‖ base64url(sender's id[8] ‖ nonce[24] ‖ tag[16] ‖ ciphertext).
///
/// Source: FORMAT.md, "Box with a pinned sender".
enum SenderBox: SealedFormat {
    static let format = SealFormat.box
    static let textPrefix: String? = "box"
    private static let textStart = 4
    private static let boxStart = KeyID.byteCount + Int(crypto_box_noncebytes())
    private static let overhead = boxStart + Int(crypto_box_macbytes())

    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        try unsafe Base64.url.decode(text, from: textStart, into: output)
    }

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        guard bytes.count >= overhead else { throw .tooShort(needed: overhead, got: bytes.count) }
        return .init(sender: KeyID(reading: bytes, at: 0))
    }

    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[boxStart] ^= 1
        case .length:
            message.removeSubrange((overhead - 1)...)
            return .tooShort(needed: overhead, got: overhead - 1)
        case .point, .padding: return nil
        }
        return .notOpened
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        guard let id = sealed.summary.sender else { throw .notOpened }
        let senders = keys.publicKeys(ofSender: id)
        guard !senders.isEmpty else { throw .unknownSender(id) }
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let count = sealed.summary.byteCount
        for recipient in keys.newestRecipients {
            for sender in senders {
                let isOpen = unsafe crypto_box_open_easy(
                    workspace.plaintext,
                    bytes + boxStart,
                    UInt64(count - boxStart),
                    bytes + KeyID.byteCount,
                    sender.bytes,
                    keys.secret(of: recipient)
                )
                guard isOpen == 0 else { continue }
                return Unsealed(
                    content: 0..<count - overhead,
                    identity: KeyID.byteCount..<boxStart,
                    sender: id,
                    isAuthenticated: true,
                    usesRetiredKey: keys.isRetired(recipient)
                )
            }
        }
        throw .notOpened
    }
}

// MARK: self-test

extension SenderBox {
    static let knownAnswers = [KnownAnswer(message, sender: "569e210ce4742c83")]

    private static let message = """
        box.Vp4hDOR0LIMAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhetB-\
        eC6uqNylFvgMDootayjEVzbvgmcSqwCNtq57GOYEi6ICTbcsUfuR2YVnvi7EMGmaRzRrl9y-3Aqw
        """
}
