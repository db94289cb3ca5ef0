// SPDX-License-Identifier: Apache-2.0

import CSodium

/// A secret of one sender and one recipient, which authenticates the sender without a Diffie-Hellman per message.
enum SenderSecret {
    static let byteCount = 32

    /// Writes HKDF-SHA256(salt "", ikm X25519(own secret, other's public key),
    /// info "nse-sender-psk-v1" ‖ 00 ‖ sender ‖ recipient), 32 bytes; false for a point of small order.
    ///
    /// Both sides reach the same bytes: `own` is either's secret, `peer` the other's public key.
    /// Source: FORMAT.md, "Sender authentication".
    static func derive(
        own: UnsafePointer<UInt8>,
        peer: PublicKey,
        sender: PublicKey,
        recipient: PublicKey,
        to output: UnsafeMutablePointer<UInt8>,
        in workspace: Workspace
    ) -> Bool {
        defer { workspace.wipeSecrets() }
        guard unsafe crypto_scalarmult(workspace.sharedPoint, own, peer.bytes) == 0 else { return false }
        let info = Array("nse-sender-psk-v1\0".utf8) + sender.bytes + recipient.bytes + [1]
        let salt = [UInt8](repeating: 0, count: 32)
        let state = unsafe workspace.state
        _ = unsafe crypto_auth_hmacsha256_init(state, salt, salt.count)
        _ = unsafe crypto_auth_hmacsha256_update(state, workspace.sharedPoint, 32)
        _ = unsafe crypto_auth_hmacsha256_final(state, workspace.pseudorandomKey)
        _ = unsafe crypto_auth_hmacsha256_init(state, workspace.pseudorandomKey, 32)
        _ = unsafe crypto_auth_hmacsha256_update(state, info, UInt64(info.count))
        _ = unsafe crypto_auth_hmacsha256_final(state, output)
        return true
    }
}
