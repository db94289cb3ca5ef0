// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appendingPathComponent("CFNetworkDownload_1a2b3c.tmp")
        try? Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: file)
        do {
            // An unknown ending and no hint: a phone refuses it too.
            content.attachments = [try UNNotificationAttachment(identifier: "photo", url: file, options: nil)]
        } catch {
            let error = error as NSError
            content.subtitle = "\(error.domain) \(error.code)"
        }
        do {
            content.attachments = [try UNNotificationAttachment(identifier: "", url: folder.appendingPathComponent("no.png"))]
        } catch let error as UNError where error.code == .attachmentInvalidURL {
            content.body = "no file"
        } catch {
            content.body = "other"
        }
        contentHandler(content)
    }
}
