// SPDX-License-Identifier: Apache-2.0

import UserNotifications

struct Message: Codable {
    let id: Int
    let text: String
}

class NotificationService: UNNotificationServiceExtension {
    private var inbox: URL? {
        FileManager.default
            .containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.chat")?
            .appendingPathComponent("Inbox", isDirectory: true)
    }

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        do {
            let data = try JSONSerialization.data(withJSONObject: content.userInfo["message"] as Any)
            let message = try JSONDecoder().decode(Message.self, from: data)
            content.subtitle = "stored \(try store(message))"
        } catch {
            content.subtitle = "error \(error)"
        }
        contentHandler(content)
    }

    /// Returns how many messages wait for the app.
    private func store(_ message: Message) throws -> Int {
        guard let inbox else { throw CocoaError(.fileNoSuchFile) }
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
        let file = inbox.appendingPathComponent("\(message.id).json")
        try JSONEncoder().encode(message).write(to: file, options: [.atomic])
        let files = try FileManager.default.contentsOfDirectory(at: inbox, includingPropertiesForKeys: nil)
        return files.filter { $0.pathExtension == "json" }.count
    }
}
