// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let url = URL(string: content.userInfo["image"] as! String)!
        URLSession.shared.downloadTask(with: url) { file, response, _ in
            defer { contentHandler(content) }
            guard let file = file, let name = response?.suggestedFilename else { return }
            let place = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            content.subtitle = name
            try? FileManager.default.moveItem(at: file, to: place)
            do {
                content.attachments = [try UNNotificationAttachment(identifier: "photo", url: place, options: nil)]
            } catch UNError.attachmentUnrecognizedType {
                content.body = "no image"
            } catch {
                content.body = "\(error)"
            }
        }.resume()
    }
}
