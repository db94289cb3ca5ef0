// SPDX-License-Identifier: Apache-2.0

import MobileCoreServices
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        guard let text = content.userInfo["image"] as? String, let url = URL(string: text) else { return contentHandler(content) }
        URLSession.shared.downloadTask(with: url) { file, response, error in
            defer { contentHandler(content) }
            guard let file = file else { return }
            let tag = url.pathExtension as CFString
            let type = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, tag, nil)?.takeRetainedValue()
            content.subtitle = type as String? ?? "?"
            do {
                let options: [String: Any] = [UNNotificationAttachmentOptionsTypeHintKey: kUTTypePNG]
                content.attachments = [try UNNotificationAttachment(identifier: "old", url: file, options: options)]
            } catch {
                content.body = error.localizedDescription
            }
        }.resume()
    }
}
