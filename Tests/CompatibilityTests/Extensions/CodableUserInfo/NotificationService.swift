// SPDX-License-Identifier: Apache-2.0

import UserNotifications

struct PushPayload: Decodable {
    struct Aps: Decodable {
        struct Alert: Decodable { let title, body: String }
        let alert: Alert
        let mutableContent: Int

        enum CodingKeys: String, CodingKey {
            case alert
            case mutableContent = "mutable-content"
        }
    }
    struct Reaction: Codable {
        var emoji: String
        var count: Int
    }
    let aps: Aps
    let conversationId: UUID
    let sentAt: Date
    let reactions: [Reaction]
}

class NotificationService: UNNotificationServiceExtension {
    private let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        do {
            let json = try JSONSerialization.data(withJSONObject: content.userInfo, options: [])
            let payload = try decoder.decode(PushPayload.self, from: json)
            content.threadIdentifier = payload.conversationId.uuidString.lowercased()
            content.subtitle = payload.reactions.sorted { $0.count > $1.count }.map(\.emoji).joined()
            content.body = "\(Int(payload.sentAt.timeIntervalSince1970)) \(payload.aps.mutableContent)"
        } catch {
            content.body = String(describing: error)
        }
        contentHandler(content)
    }
}
