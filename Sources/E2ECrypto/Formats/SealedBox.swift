// SPDX-License-Identifier: Apache-2.0

import CSodium

/// base64(epk[32] ‖ tag[16] ‖ ciphertext), as `crypto_box_seal` of any libsodium binding makes it.
///
/// It names no key, so the newest keys are tried; it has no date and no sender.
/// Source: FORMAT.md, "Sealed box".
enum SealedBox: SealedFormat {
    static let format = SealFormat.sealedBox
    static let textPrefix: String? = nil
    static let overhead = Int(crypto_box_sealbytes())

    static func unseal(
        _ text: Span<UInt8>,
        context: PushContext,
        with keys: OpenerKeys
    ) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let count = try unsafe Base64.decode(text, into: bytes)
        guard count >= overhead else { throw .tooShort(needed: overhead, got: count) }
        guard !keys.policy.requiresSender else { throw .senderRequired }
        let box = unsafe Span(_unsafeStart: bytes, count: count)
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
                kind: .jsonOrText,
                replayID: ReplaySet.ID(reading: box),
                issued: nil,
                lifetime: Unsealed.maximumLifetime,
                sender: nil
            )
        }
        throw .notOpened
    }
}
