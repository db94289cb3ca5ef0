// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import UserNotifications

extension Data {
    var sha256: String {
        var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(count), &digest) }
        return digest.map { String(format: "%02x", $0) }.joined()
    }

    var md5: String {
        let length = Int(CC_MD5_DIGEST_LENGTH)
        var digest = [UInt8](repeating: 0, count: length)
        _ = withUnsafeBytes { (body: UnsafeRawBufferPointer) in
            CC_MD5(body.baseAddress, CC_LONG(body.count), &digest)
        }
        return (0..<length).reduce("") { $0 + String(format: "%02x", digest[$1]) }
    }
}

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let body = content.body.data(using: .utf8)!
        content.threadIdentifier = body.sha256
        content.targetContentIdentifier = body.md5
        contentHandler(content)
    }
}
