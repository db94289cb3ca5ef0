// SPDX-License-Identifier: Apache-2.0

import CSodium

// SAFETY: all pointers lead into pages or memory that live as long as the workspace.
/// The locked room for one message: Diffie-Hellman result, keys of the schedule, plaintext.
///
/// Every stretch has a fixed place, so a message allocates nothing that is secret.
@safe package final class Workspace {
    /// No sealed text is longer, so that every plaintext fits: 5,120 bytes is APNs' largest payload.
    static let maximumTextByteCount = 8192
    static let maximumPlaintextByteCount = maximumTextByteCount / 4 * 3

    private let pages: LockedPages
    /// X25519 result, 32 bytes.
    let sharedPoint: UnsafeMutablePointer<UInt8>
    /// Pseudorandom key of an HKDF extraction, 32 bytes.
    let pseudorandomKey: UnsafeMutablePointer<UInt8>
    /// DHKEM's shared secret, 32 bytes.
    let sharedSecret: UnsafeMutablePointer<UInt8>
    /// AEAD key, 32 bytes.
    let key: UnsafeMutablePointer<UInt8>
    /// AEAD base nonce, 12 bytes in 32.
    let nonce: UnsafeMutablePointer<UInt8>
    /// The ephemeral secret key of a sealer, 32 bytes.
    package let ephemeral: UnsafeMutablePointer<UInt8>
    /// Room in which inputs of HMAC are put together: a label, an info of up to 1,024 bytes.
    let message: UnsafeMutablePointer<UInt8>
    let state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>
    /// A state to which two outputs return.
    let keyedState: UnsafeMutablePointer<crypto_auth_hmacsha256_state>
    let plaintext: UnsafeMutablePointer<UInt8>
    /// The bytes decoded from a text; they are public, so this memory is not locked.
    let ciphertext: UnsafeMutablePointer<UInt8>

    static let messageByteCount = 1280
    private static let secretsByteCount = 6 * 32 + messageByteCount + 512

    init() throws(SecretMemoryError) {
        let byteCount = Self.secretsByteCount + Self.maximumPlaintextByteCount
        pages = try LockedPages(byteCount: (byteCount + 63) & ~63)
        let start = unsafe pages.start
        unsafe sharedPoint = start
        unsafe pseudorandomKey = start + 32
        unsafe sharedSecret = start + 64
        unsafe key = start + 96
        unsafe nonce = start + 128
        unsafe ephemeral = start + 160
        unsafe message = start + 192
        unsafe state = UnsafeMutableRawPointer(start + 192 + Self.messageByteCount)
            .bindMemory(to: crypto_auth_hmacsha256_state.self, capacity: 1)
        unsafe keyedState = UnsafeMutableRawPointer(start + 192 + Self.messageByteCount + 256)
            .bindMemory(to: crypto_auth_hmacsha256_state.self, capacity: 1)
        unsafe plaintext = start + Self.secretsByteCount
        unsafe ciphertext = .allocate(capacity: Self.maximumPlaintextByteCount)
    }

    deinit {
        unsafe ciphertext.deallocate()
    }

    /// Wipes everything but the plaintext.
    func wipeSecrets() {
        unsafe sodium_memzero(sharedPoint, Self.secretsByteCount)
    }

    func wipePlaintext(_ byteCount: Int) {
        unsafe sodium_memzero(plaintext, byteCount)
    }
}
