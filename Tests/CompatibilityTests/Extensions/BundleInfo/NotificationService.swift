// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    var server: String {
        Bundle.main.object(forInfoDictionaryKey: "ChatServer") as? String ?? "none"
    }

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let info = Bundle.main.infoDictionary ?? [:]
        let service = info["NSExtension"] as? [String: Any]
        content.title = Bundle.main.bundleIdentifier ?? "?"
        content.subtitle = "\(info["CFBundleShortVersionString"] as? String ?? "?") (\(info["CFBundleVersion"] as! String))"
        content.body = "\(server) \(service?["NSExtensionPointIdentifier"] ?? "?")"
        if let url = Bundle(for: NotificationService.self).url(forResource: "greeting", withExtension: "txt"),
           let text = try? String(contentsOf: url, encoding: .utf8) {
            content.userInfo["greeting"] = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        contentHandler(content)
    }
}
