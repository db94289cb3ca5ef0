// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        guard let bestAttemptContent = bestAttemptContent,
              let attachmentString = bestAttemptContent.userInfo["attachment-url"] as? String,
              let attachmentUrl = URL(string: attachmentString) else {
            contentHandler(request.content)
            return
        }

        let session = URLSession(configuration: URLSessionConfiguration.default)
        let downloadTask = session.downloadTask(with: attachmentUrl) { (url, _, error) in
            if let error = error {
                print("Error downloading attachment: \(error.localizedDescription)")
            } else if let url = url {
                let target = url.deletingLastPathComponent().appendingPathComponent(attachmentUrl.lastPathComponent)
                do {
                    try? FileManager.default.removeItem(at: target)
                    try FileManager.default.moveItem(at: url, to: target)
                    let attachment = try UNNotificationAttachment(identifier: "photo", url: target, options: nil)
                    bestAttemptContent.attachments = [attachment]
                } catch {
                    print("Attachment: \(error)")
                }
            }
            contentHandler(bestAttemptContent)
        }
        downloadTask.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}
