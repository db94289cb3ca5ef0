// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// `"encrypted": true`, `"encrypted_data"`: base64(nonce[24] ‖ tag[16] ‖ ciphertext).
///
/// Source: FORMAT.md, "Home Assistant".
enum HomeAssistant: SharedSecretFormat {
    static let format = SealFormat.homeAssistant
    private static let nonceByteCount = Int(crypto_secretbox_noncebytes())
    private static let overhead = nonceByteCount + Int(crypto_secretbox_macbytes())
    private static let keyByteCount = Int(crypto_secretbox_keybytes())

    /// The key, and behind it the key of old servers: the first half of the digits as they are.
    static let secretByteCount = 64
    static let secretNotation = "64 hexadecimal digits"

    /// Reads the digits by libsodium, whose time is the same for every secret; `Hexadecimal` is for public bytes.
    static func readSecret(_ words: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Bool {
        guard words.count == 2 * keyByteCount, let digits = words.baseAddress else { return false }
        var count = 0
        let isHexadecimal = unsafe digits.withMemoryRebound(to: CChar.self, capacity: words.count) {
            unsafe sodium_hex2bin(output, keyByteCount, $0, words.count, nil, &count, nil)
        }
        unsafe (output + keyByteCount).update(from: digits, count: keyByteCount)
        return isHexadecimal == 0 && count == keyByteCount
    }

    static func decode(_ text: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) throws(OpenError) -> Int {
        try unsafe Base64.ofSealedBox.decode(text, from: 0, into: output)
    }

    static func inspect(_ bytes: Span<UInt8>) throws(OpenError) -> SealedSummary.Names {
        guard bytes.count >= overhead else { throw .tooShort(needed: overhead, got: bytes.count) }
        return .init()
    }

    /// Renames `message`, Home Assistant's word for the body, to `body`, unless there is a body already.
    static func translate(_ content: JSONObject) -> JSONObject {
        guard content["body"] == nil, let message = content["message"], message.string != nil else { return content }
        var content = content
        content["message"] = nil
        content["body"] = message
        return content
    }

    static func forge(_ fault: Fault, _ message: inout [UInt8]) -> OpenError? {
        switch fault {
        case .tag: message[nonceByteCount] ^= 1
        case .length:
            message.removeSubrange((overhead - 1)...)
            return .tooShort(needed: overhead, got: overhead - 1)
        case .point, .padding: return nil
        }
        return .notOpened
    }

    static func unseal(_ sealed: Sealed, with keys: OpenerKeys) throws(OpenError) -> Unsealed {
        let workspace = keys.workspace
        let bytes = unsafe workspace.ciphertext
        let count = sealed.summary.byteCount
        for secret in keys.sharedSecrets(for: format) {
            for offset in [0, keyByteCount] {
                let isOpen = unsafe crypto_secretbox_open_easy(
                    workspace.plaintext,
                    bytes + nonceByteCount,
                    UInt64(count - nonceByteCount),
                    bytes,
                    keys.pointer(to: secret) + offset
                )
                guard isOpen == 0 else { continue }
                return Unsealed(
                    content: 0..<count - overhead,
                    identity: 0..<nonceByteCount,
                    isAuthenticated: true
                )
            }
        }
        throw .notOpened
    }
}

// MARK: self-test

extension HomeAssistant {
    static let publishedSecret = "c0ca21e5296018ec36a7da38f36bd758d96d95a5b6a74049c5fa98ec65cbb183"
    static let strangersSecret = "381bbc56ce89af5c94047a6b5a59d69d857db63f83ad7a63ce8106925e12ac0c"

    static let knownAnswers = [KnownAnswer(message)]

    private static let message = """
        AAECAwQFBgcICQoLDA0ODxAREhMUFRYXEiZ3yDuSTyJt/RDyzZLItBH+//uyzfNTWhSWFjXWRUw1rNIudiC0EsHWZIpQYvdxRxQnfJWaa4yKYig=
        """
}
