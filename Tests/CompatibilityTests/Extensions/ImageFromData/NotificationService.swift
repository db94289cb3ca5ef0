// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        Task {
            if let image = await image("avatar", content) {
                content.subtitle = "\(Int(image.size.width)) × \(Int(image.size.height))"
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("avatar.png")
                do {
                    try image.pngData()?.write(to: file)
                    content.attachments = [try UNNotificationAttachment(identifier: "avatar", url: file)]
                } catch {
                    content.subtitle = "\(error)"
                }
            }
            if await image("broken", content) == nil { content.body = "one image" }
            contentHandler(content)
        }
    }

    private func image(_ key: String, _ content: UNNotificationContent) async -> UIImage? {
        guard let url = URL(string: content.userInfo[key] as? String ?? ""),
              let (data, _) = try? await URLSession.shared.data(from: url) else { return nil }
        return UIImage(data: data)
    }
}
