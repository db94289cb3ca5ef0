// SPDX-License-Identifier: Apache-2.0

import UniformTypeIdentifiers
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttemptContent: UNMutableNotificationContent?
    private var download: URLSessionDownloadTask?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttemptContent, let address = content.userInfo["image-url"] as? String,
            let url = URL(string: address)
        else { return contentHandler(request.content) }

        download = URLSession.shared.downloadTask(with: url) { file, response, _ in
            if let file, (response as? HTTPURLResponse)?.statusCode == 200 {
                content.attachments = [Self.attachment(file, of: url)].compactMap { $0 }
            }
            contentHandler(content)
        }
        download?.resume()
    }

    /// The download has a name that says nothing: the type comes from the address.
    private static func attachment(_ file: URL, of url: URL) -> UNNotificationAttachment? {
        guard let type = UTType(filenameExtension: url.pathExtension), type.conforms(to: .image) else { return nil }
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        do {
            try FileManager.default.moveItem(at: file, to: place)
            let options = [UNNotificationAttachmentOptionsTypeHintKey: type.identifier]
            return try UNNotificationAttachment(identifier: url.lastPathComponent, url: place, options: options)
        } catch {
            return nil
        }
    }

    override func serviceExtensionTimeWillExpire() {
        download?.cancel()
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }
}
