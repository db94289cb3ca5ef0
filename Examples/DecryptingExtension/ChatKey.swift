// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation

/// A chat message as the sender encrypts it, in JSON.
struct ChatMessage: Codable {
    let sender: String
    let room: String
    let text: String
}

enum ChatKeyError: Error {
    case missing(String)
}

/// The key pair of this phone.
///
/// An app keeps it in the keychain; this one is public, for everyone to try.
struct ChatKey {
    static let phone = ChatKey(secret: "MjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktMTU5PUFE=")

    let secret: String

    /// X25519 with the sender's one-time key, HKDF-SHA256 over it, AES-GCM with that key.
    func open(_ userInfo: [AnyHashable: Any]) throws -> ChatMessage {
        let own = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Self.data(secret, "secret"))
        let sender = try Self.data(userInfo["key"], "key")
        let shared = try own.sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: sender)
        )
        let key = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: sender,
            sharedInfo: Data("com.example.chat message".utf8),
            outputByteCount: 32
        )
        let box = try AES.GCM.SealedBox(combined: Self.data(userInfo["message"], "message"))
        return try JSONDecoder().decode(ChatMessage.self, from: AES.GCM.open(box, using: key))
    }

    private static func data(_ value: Any?, _ name: String) throws -> Data {
        guard let text = value as? String, let data = Data(base64Encoded: text) else {
            throw ChatKeyError.missing(name)
        }
        return data
    }
}
