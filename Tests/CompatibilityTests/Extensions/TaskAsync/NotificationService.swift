// SPDX-License-Identifier: Apache-2.0

import UserNotifications

struct Profile: Decodable {
    let displayName: String
    let unreadCount: Int
}

final class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?
    private var task: Task<Void, Never>?

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent

        task = Task { [weak self] in
            guard let self = self, let content = self.content else { return }
            do {
                let profile = try await self.fetchProfile(content.userInfo["profile"])
                content.title = profile.displayName
                content.badge = NSNumber(value: profile.unreadCount)
            } catch {
                content.subtitle = "offline"
            }
            contentHandler(content)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        task?.cancel()
        if let contentHandler, let content {
            contentHandler(content)
        }
    }

    private func fetchProfile(_ value: Any?) async throws -> Profile {
        guard let text = value as? String, let url = URL(string: text) else { throw URLError(.badURL) }
        let (data, response) = try await URLSession.shared.data(from: url)
        guard let response = response as? HTTPURLResponse, 200..<300 ~= response.statusCode else {
            throw URLError(.badServerResponse)
        }
        return try JSONDecoder().decode(Profile.self, from: data)
    }
}
