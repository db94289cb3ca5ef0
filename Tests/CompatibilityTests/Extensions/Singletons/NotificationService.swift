// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// Lives as long as the process, which is longer than a notification.
final class ConversationStore {
    static let shared = ConversationStore()

    private let names = NSCache<NSString, NSString>()
    private let queue = DispatchQueue(label: "com.example.chat.store")
    private var messages: [String: [String]] = [:]
    private(set) static var instances = 0

    private init() {
        ConversationStore.instances += 1
        names.setObject("Lunch club", forKey: "lunch")
    }

    func append(_ text: String, to room: String) -> Int {
        queue.sync {
            messages[room, default: []].append(text)
            return messages[room]!.count
        }
    }

    func name(of room: String) -> String { names.object(forKey: room as NSString) as String? ?? room }
}

private let startedAt = Date()

class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?
    private var calls = 0

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let isFresh = self.contentHandler == nil && bestAttemptContent == nil
        calls += 1
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttemptContent else { return }

        let store = ConversationStore.shared
        let room = content.threadIdentifier
        let count = store.append(content.body, to: room)
        content.title = store.name(of: room)
        content.subtitle = "\(count) in \(room), \(ConversationStore.instances) store"
        content.body = isFresh && calls == 1 ? "a new instance" : "an old instance"
        if startedAt > Date() { content.body = "from the future" }
        contentHandler(content)
    }
}
