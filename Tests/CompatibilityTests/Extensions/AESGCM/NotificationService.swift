// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import UserNotifications

private struct ChatMessage: Decodable {
    var sender: String
    var text: String
}

class NotificationService: UNNotificationServiceExtension {
    private let key = SymmetricKey(data: Data(base64Encoded: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")!)

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        do {
            let message = try decrypt(content.userInfo["encrypted"] as? String)
            content.title = message.sender
            content.body = message.text
            content.userInfo.removeValue(forKey: "encrypted")
        } catch CryptoKitError.authenticationFailure {
            content.body = "This message was changed on its way."
        } catch {
            content.body = "\(error)"
        }
        contentHandler(content)
    }

    private func decrypt(_ text: String?) throws -> ChatMessage {
        guard let text, let combined = Data(base64Encoded: text) else { throw CocoaError(.coderReadCorrupt) }
        let box = try AES.GCM.SealedBox(combined: combined)
        return try JSONDecoder().decode(ChatMessage.self, from: AES.GCM.open(box, using: key))
    }
}
