// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import UserNotifications

enum PushError: Error {
    case missing(String)
}

struct PushDecryptor {
    let privateKey: Curve25519.KeyAgreement.PrivateKey

    func decrypt(_ userInfo: [AnyHashable: Any]) throws -> [String: String] {
        let sender = try data("ephemeralKey", userInfo)
        let secret = try privateKey.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: sender))
        let key = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: sender, sharedInfo: "com.example.chat push".data(using: .utf8)!, outputByteCount: 32)
        let box = try AES.GCM.SealedBox(combined: data("ciphertext", userInfo))
        let clear = try AES.GCM.open(box, using: key, authenticating: sender)
        return try JSONDecoder().decode([String: String].self, from: clear)
    }

    private func data(_ key: String, _ userInfo: [AnyHashable: Any]) throws -> Data {
        guard let text = userInfo[key] as? String, let data = Data(base64Encoded: text) else { throw PushError.missing(key) }
        return data
    }
}

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        do {
            let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Data(base64Encoded: "MjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktMTU5PUFE=")!)
            let message = try PushDecryptor(privateKey: key).decrypt(content.userInfo)
            content.title = message["title"] ?? content.title
            content.body = message["body"] ?? content.body
        } catch {
            content.subtitle = "could not decrypt"
        }
        contentHandler(content)
    }
}
