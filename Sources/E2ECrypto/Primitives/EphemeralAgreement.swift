// SPDX-License-Identifier: Apache-2.0

import CSodium
import Crypto

/// A fresh X25519 key pair for each message, and what it shares with one recipient.
///
/// From swift-crypto, whose BoringSSL makes both in two thirds of libsodium's time. The ephemeral secret lives for the
/// length of a call, in memory that is wiped and not locked; keys that last never come here.
struct EphemeralAgreement {
    /// nil for bytes that are no key.
    private let recipient: Curve25519.KeyAgreement.PublicKey?

    init(with recipient: PublicKey) {
        self.recipient = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: recipient.bytes)
    }

    /// Writes 32 bytes to `output` and returns the ephemeral public key; nil when the recipient's key has small order.
    func agree(to output: UnsafeMutablePointer<UInt8>) -> [UInt8]? {
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        guard let recipient, let shared = try? ephemeral.sharedSecretFromKeyAgreement(with: recipient) else {
            return nil
        }
        unsafe shared.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(output).copyMemory(from: start, byteCount: bytes.count)
        }
        // BoringSSL leaves this check, RFC 9180 §7.1.4, to its callers.
        guard unsafe sodium_is_zero(output, PublicKey.byteCount) == 0 else { return nil }
        return Array(ephemeral.publicKey.rawRepresentation)
    }
}
