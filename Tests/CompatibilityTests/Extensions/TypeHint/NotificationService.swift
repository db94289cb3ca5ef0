// SPDX-License-Identifier: Apache-2.0

import UniformTypeIdentifiers
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        guard let url = (content.userInfo["image"] as? String).flatMap({ URL(string: $0) }) else {
            return contentHandler(content)
        }
        // The download is called CFNetworkDownload_….tmp: only the hint says what it is.
        URLSession.shared.downloadTask(with: url) { location, _, _ in
            if let location {
                let options = [UNNotificationAttachmentOptionsTypeHintKey: UTType.png.identifier]
                let attachment = try? UNNotificationAttachment(identifier: "image", url: location, options: options)
                content.attachments = [attachment].compactMap { $0 }
            }
            contentHandler(content)
        }.resume()
    }
}
