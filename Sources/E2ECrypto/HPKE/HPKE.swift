// SPDX-License-Identifier: Apache-2.0

import CSodium

/// RFC 9180 for one suite: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, modes base and psk, one message
/// to a context.
///
/// Intermediate values live in a `Workspace`. HKDF is written out as the two HMAC calls it is, since libsodium 1.0.18
/// has no HKDF; every output here is at most one block of 32 bytes.
struct HPKE: ~Copyable {
    static let tagByteCount = 16
    static let encByteCount = 32

    enum Mode: UInt8 {
        case base = 0
        case psk = 1
    }

    let workspace: Workspace
    /// HMAC under the empty salt, after the label of DHKEM's extraction: the same for every message.
    private let extraction: crypto_auth_hmacsha256_state

    init(_ workspace: Workspace) {
        self.workspace = workspace
        extraction = Self.extraction(label: Self.kemLabel("eae_prk"))
    }

    // MARK: KEM

    /// DHKEM's Decap, or Encap once `secret` is the ephemeral key: the shared secret of `secret` and `peer`, bound to
    /// `enc` and the recipient's key.
    ///
    /// False for a point of small order.
    ///
    /// Each argument is 32 bytes. Source: RFC 9180 §4.1.
    func agree(
        secret: UnsafePointer<UInt8>,
        peer: UnsafePointer<UInt8>,
        enc: UnsafePointer<UInt8>,
        recipient: UnsafePointer<UInt8>
    ) -> Bool {
        guard unsafe crypto_scalarmult(workspace.sharedPoint, secret, peer) == 0 else { return false }
        unsafe bind(enc: enc, recipient: recipient)
        return true
    }

    /// The rest of DHKEM, once the Diffie-Hellman result stands in `workspace.sharedPoint`.
    func bind(enc: UnsafePointer<UInt8>, recipient: UnsafePointer<UInt8>) {
        let state = unsafe workspace.state
        unsafe state.pointee = extraction
        _ = unsafe crypto_auth_hmacsha256_update(state, workspace.sharedPoint, 32)
        _ = unsafe crypto_auth_hmacsha256_final(state, workspace.pseudorandomKey)

        var message = unsafe MessageWriter(workspace.message)
        message.append(0)
        message.append(32)
        message.append(Self.sharedSecretLabel)
        unsafe message.append(enc, 32)
        unsafe message.append(recipient, 32)
        message.append(1)
        unsafe hmac(key: workspace.pseudorandomKey, message: message.count, to: workspace.sharedSecret)
    }

    // MARK: Key schedule

    /// `psk_id_hash` of the key schedule; an empty id is that of mode base.
    static func pskIDHash(_ id: [UInt8]) -> [UInt8] {
        extract(label: hpkeLabel("psk_id_hash"), id)
    }

    static func infoHash(_ info: [UInt8]) -> [UInt8] {
        extract(label: hpkeLabel("info_hash"), info)
    }

    /// Turns the shared secret into `workspace.key` and `workspace.nonce`.
    ///
    /// `psk` is 32 bytes in mode psk, nil in mode base; the hashes are 32 bytes each.
    /// Source: RFC 9180 §5.1.
    func schedule(psk: UnsafePointer<UInt8>?, pskIDHash: [UInt8], infoHash: [UInt8]) {
        var message = unsafe MessageWriter(workspace.message)
        message.append(Self.secretLabel)
        if let psk = unsafe psk { unsafe message.append(psk, 32) }
        unsafe hmac(key: workspace.sharedSecret, message: message.count, to: workspace.pseudorandomKey)

        let mode: Mode = unsafe psk == nil ? .base : .psk
        let state = unsafe workspace.state
        _ = unsafe crypto_auth_hmacsha256_init(state, workspace.pseudorandomKey, 32)
        unsafe workspace.keyedState.pointee = state.pointee
        unsafe expand(Self.keyLabel, byteCount: 32, mode, pskIDHash, infoHash, to: workspace.key)
        unsafe state.pointee = workspace.keyedState.pointee
        unsafe expand(Self.nonceLabel, byteCount: 12, mode, pskIDHash, infoHash, to: workspace.nonce)
    }

    /// One block of HKDF-Expand under the key that `workspace.state` holds; 32 bytes are written.
    private func expand(
        _ label: [UInt8],
        byteCount: UInt8,
        _ mode: Mode,
        _ pskIDHash: [UInt8],
        _ infoHash: [UInt8],
        to output: UnsafeMutablePointer<UInt8>
    ) {
        var message = unsafe MessageWriter(workspace.message)
        message.append(0)
        message.append(byteCount)
        message.append(label)
        message.append(mode.rawValue)
        message.append(pskIDHash)
        message.append(infoHash)
        message.append(1)
        _ = unsafe crypto_auth_hmacsha256_update(workspace.state, workspace.message, UInt64(message.count))
        _ = unsafe crypto_auth_hmacsha256_final(workspace.state, output)
    }

    private func hmac(
        key: UnsafePointer<UInt8>,
        message count: Int,
        to output: UnsafeMutablePointer<UInt8>
    ) {
        let state = unsafe workspace.state
        _ = unsafe crypto_auth_hmacsha256_init(state, key, 32)
        _ = unsafe crypto_auth_hmacsha256_update(state, workspace.message, UInt64(count))
        _ = unsafe crypto_auth_hmacsha256_final(state, output)
    }

    // MARK: AEAD

    /// Decrypts with the base nonce and no additional data; false when the tag does not fit.
    func open(_ ciphertext: UnsafePointer<UInt8>, _ count: Int, to plaintext: UnsafeMutablePointer<UInt8>) -> Bool {
        unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
            plaintext,
            nil,
            nil,
            ciphertext,
            UInt64(count),
            nil,
            0,
            workspace.nonce,
            workspace.key
        ) == 0
    }

    /// Encrypts with the base nonce and no additional data; `count + 16` bytes are written.
    func seal(_ plaintext: UnsafePointer<UInt8>, _ count: Int, to ciphertext: UnsafeMutablePointer<UInt8>) {
        _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
            ciphertext,
            nil,
            plaintext,
            UInt64(count),
            nil,
            0,
            nil,
            workspace.nonce,
            workspace.key
        )
    }
}

// MARK: Labels

extension HPKE {
    private static let version = Array("HPKE-v1".utf8)
    private static let kemSuite = Array("KEM".utf8) + [0x00, 0x20]
    private static let hpkeSuite = Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, 0x03]
    private static let sharedSecretLabel = kemLabel("shared_secret")
    private static let secretLabel = hpkeLabel("secret")
    private static let keyLabel = hpkeLabel("key")
    private static let nonceLabel = hpkeLabel("base_nonce")

    private static func kemLabel(_ label: String) -> [UInt8] { version + kemSuite + Array(label.utf8) }
    private static func hpkeLabel(_ label: String) -> [UInt8] { version + hpkeSuite + Array(label.utf8) }

    /// HMAC under the empty salt, which is a key of zeros, after `label`.
    private static func extraction(label: [UInt8]) -> crypto_auth_hmacsha256_state {
        var state = crypto_auth_hmacsha256_state()
        let salt = [UInt8](repeating: 0, count: 32)
        _ = unsafe crypto_auth_hmacsha256_init(&state, salt, salt.count)
        _ = unsafe crypto_auth_hmacsha256_update(&state, label, UInt64(label.count))
        return state
    }

    /// LabeledExtract under the empty salt, of public bytes.
    private static func extract(label: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var state = extraction(label: label)
        var hash = [UInt8](repeating: 0, count: 32)
        _ = unsafe crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
        _ = unsafe crypto_auth_hmacsha256_final(&state, &hash)
        return hash
    }
}

// SAFETY: `Workspace.messageByteCount` has room for the longest input, an info of 1,024 bytes with its label.
/// Puts an input of HMAC together in the workspace, so that it is absorbed in one call.
@safe private struct MessageWriter {
    private let start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0

    init(_ start: UnsafeMutablePointer<UInt8>) {
        unsafe self.start = start
    }

    mutating func append(_ byte: UInt8) {
        unsafe start[count] = byte
        count += 1
    }

    mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let address = bytes.baseAddress else { return }
            unsafe append(address, bytes.count)
        }
    }

    mutating func append(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
        unsafe (start + count).update(from: bytes, count: byteCount)
        count += byteCount
    }
}
