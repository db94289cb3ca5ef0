// SPDX-License-Identifier: Apache-2.0

import Crypto

/// ECDH on P-256, from swift-crypto.
///
/// The private key is copied for the time of a call into memory that is wiped and not locked.
enum P256Agreement {
    static let privateKeyByteCount = 32
    /// 04 ‖ x ‖ y.
    static let publicKeyByteCount = 65

    /// Writes the public half of a private key; false when there is none.
    static func publicKey(ofPrivate key: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Bool {
        let bytes = unsafe UnsafeBufferPointer(start: key, count: privateKeyByteCount)
        guard let key = unsafe try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { return false }
        for (index, byte) in key.publicKey.x963Representation.enumerated() { unsafe output[index] = byte }
        return true
    }

    /// Writes the 32 bytes that the holder of the private key shares with that of `peer`, a public key; false when it
    /// is none.
    static func agree(
        privateKey: UnsafePointer<UInt8>,
        peer: UnsafePointer<UInt8>,
        to output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let own = unsafe UnsafeBufferPointer(start: privateKey, count: privateKeyByteCount)
        let other = unsafe UnsafeBufferPointer(start: peer, count: publicKeyByteCount)
        guard let peer = unsafe try? P256.KeyAgreement.PublicKey(x963Representation: other),
            let key = unsafe try? P256.KeyAgreement.PrivateKey(rawRepresentation: own),
            let shared = try? key.sharedSecretFromKeyAgreement(with: peer)
        else { return false }
        unsafe shared.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(output).copyMemory(from: start, byteCount: bytes.count)
        }
        return true
    }
}
