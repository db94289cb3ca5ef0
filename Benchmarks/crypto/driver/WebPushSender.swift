// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The sender's half of RFC 8291, to have something to open: one subscription, its line of a key file, and messages.
struct WebPushSender {
    private let subscription = P256.KeyAgreement.PrivateKey()
    private let authentication = Self.random(16)

    /// `web-push: PRIVATE AUTH`.
    var keyLine: String {
        "web-push: \(Self.base64url(subscription.rawRepresentation)) \(Self.base64url(authentication))\n"
    }

    /// `wp.` and the body of one message.
    func text(sealing content: [UInt8]) throws -> [UInt8] {
        let ephemeral = P256.KeyAgreement.PrivateKey()
        let salt = Self.random(16)
        let own = ephemeral.publicKey.x963Representation
        let shared = try ephemeral.sharedSecretFromKeyAgreement(with: subscription.publicKey)
        let secret = shared.withUnsafeBytes { SymmetricKey(data: $0) }
        let keyInfo = Data("WebPush: info\0".utf8) + subscription.publicKey.x963Representation + own
        let key = Self.derive(secret, salt: authentication, keyInfo, 32)
        let contentKey = Self.derive(key, salt: salt, Data("Content-Encoding: aes128gcm\0".utf8), 16)
        let nonce = Self.derive(key, salt: salt, Data("Content-Encoding: nonce\0".utf8), 12)
        let box = try AES.GCM.seal(
            Data(content) + [2],
            using: contentKey,
            nonce: try nonce.withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        )
        let body = salt + [0, 0, 0x10, 0, UInt8(own.count)] + own + box.ciphertext + box.tag
        return Array("wp.\(Self.base64url(body))".utf8)
    }

    private static func derive(_ secret: SymmetricKey, salt: Data, _ info: Data, _ byteCount: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, salt: salt, info: info, outputByteCount: byteCount)
    }

    private static func random(_ byteCount: Int) -> Data {
        SymmetricKey(size: .init(bitCount: byteCount * 8)).withUnsafeBytes { Data($0) }
    }

    private static func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
