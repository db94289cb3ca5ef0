// SPDX-License-Identifier: Apache-2.0

import CryptoKit
import Foundation
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let info = content.userInfo
        if let room = info["room"] as? String, let sealed = (info["sealed"] as? String).flatMap({ Data(base64Encoded: $0) }) {
            let key = SymmetricKey(data: SHA256.hash(data: Data("chat group 17".utf8)))
            if let box = try? ChaChaPoly.SealedBox(combined: sealed),
               let text = try? ChaChaPoly.open(box, using: key, authenticating: Data(room.utf8)) {
                content.body = String(decoding: text, as: UTF8.self)
            }
            let code = HMAC<SHA256>.authenticationCode(for: Data("Lunch?".utf8), using: SymmetricKey(data: Data(0..<32)))
            content.userInfo["code"] = code.map { String(format: "%02x", $0) }.joined()
            content.userInfo["md5"] = Insecure.MD5.hash(data: Data("Lunch?".utf8)).map { String(format: "%02hhx", $0) }.joined()
        }
        contentHandler(content)
    }
}
