// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        self.bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

        func failEarly() {
            contentHandler(request.content)
        }

        guard let content = (request.content.mutableCopy() as? UNMutableNotificationContent) else { return failEarly() }
        guard let attachmentURL = content.userInfo["urlImageString"] as? String else { return failEarly() }

        guard let url = URL(string: attachmentURL) else { return failEarly() }
        URLSession.shared.downloadTask(with: url) { (temporary, _, _) in
            guard let temporary = temporary,
                let attachment = UNNotificationAttachment.create(url.lastPathComponent, moving: temporary)
            else { return failEarly() }
            content.attachments = [attachment]
            contentHandler(content.copy() as! UNNotificationContent)
        }.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
            contentHandler(bestAttemptContent)
        }
    }
}

extension UNNotificationAttachment {

    /// Moves the download into a folder of its own.
    static func create(_ fileName: String, moving location: URL) -> UNNotificationAttachment? {
        let fileManager = FileManager.default
        let tmpSubFolderName = ProcessInfo.processInfo.globallyUniqueString
        let tmpSubFolderURL = fileManager.temporaryDirectory.appendingPathComponent(tmpSubFolderName, isDirectory: true)

        do {
            try fileManager.createDirectory(at: tmpSubFolderURL, withIntermediateDirectories: true, attributes: nil)
            let fileURL = tmpSubFolderURL.appendingPathComponent(fileName)
            try fileManager.moveItem(at: location, to: fileURL)
            return try UNNotificationAttachment(identifier: fileName, url: fileURL, options: [:])
        } catch let error {
            print("error \(error)")
        }
        return nil
    }
}
