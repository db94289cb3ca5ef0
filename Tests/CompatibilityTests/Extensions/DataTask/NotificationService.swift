// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)!
    private var content: UNMutableNotificationContent!
    private var dataTask: URLSessionDataTask?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        handler = contentHandler
        content = (request.content.mutableCopy() as! UNMutableNotificationContent)

        guard let media = content.userInfo["media"] as? [String: String],
            let url = media["url"].flatMap(URL.init(string:)), let kind = media["kind"]
        else { return handler(content) }

        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 20)
        request.setValue("image/*", forHTTPHeaderField: "Accept")
        dataTask = URLSession.shared.dataTask(with: request) { [unowned self] data, response, error in
            defer { self.handler(self.content) }
            guard let data = data, error == nil else { return }
            let file = NSTemporaryDirectory() + UUID().uuidString + "." + kind
            FileManager.default.createFile(atPath: file, contents: data, attributes: nil)
            if let attachment = try? UNNotificationAttachment(identifier: "", url: URL(fileURLWithPath: file)) {
                self.content.attachments.append(attachment)
            }
        }
        dataTask?.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        dataTask?.cancel()
        handler(content)
    }
}
