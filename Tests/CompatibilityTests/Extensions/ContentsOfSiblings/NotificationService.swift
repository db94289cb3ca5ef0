// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let base = URL(string: content.userInfo["media"] as? String ?? "")!
        let profile = base.appendingPathComponent("profile.json")
        let text = try? String(contentsOf: profile, encoding: .utf8)
        let bytes = NSData(contentsOf: base.appendingPathComponent("photo.png"))?.length ?? -1
        let string = try? NSString(contentsOf: profile, encoding: String.Encoding.utf8.rawValue)
        let list = NSDictionary(contentsOf: base.appendingPathComponent("profile.plist"))
        content.title = "\(text?.contains("Alice") == true) \(string?.length == text?.utf16.count)"
        content.subtitle = "\(bytes) \(list?["name"] as? String ?? "no list")"
        let unlisted = URL(string: "http://localhost.example/photo.png")!
        content.body = (try? String(contentsOf: unlisted, encoding: .utf8)) == nil ? "unlisted refused" : "unlisted read"
        contentHandler(content)
    }
}
