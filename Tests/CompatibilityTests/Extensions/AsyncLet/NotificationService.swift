// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

struct Profile: Decodable, Sendable {
    let displayName: String
    let unreadCount: Int
}

struct Server: Sendable {
    let session = URLSession.shared

    func profile(at address: String) async throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: try await data(at: address))
    }

    func data(at address: String) async throws -> Data {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let request = URLRequest(url: url, timeoutInterval: 20)
        return try await session.data(for: request).0
    }
}

final class NotificationService: UNNotificationServiceExtension {
    private let server = Server()

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let server = server
        Task {
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent,
                let profileAddress = content.userInfo["profile"] as? String,
                let photoAddress = content.userInfo["photo"] as? String
            else { return contentHandler(request.content) }
            async let profile = server.profile(at: profileAddress)
            async let photo = server.data(at: photoAddress)
            do {
                content.title = try await profile.displayName
                content.badge = try await profile.unreadCount as NSNumber
                let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("photo.jpg")
                try await photo.write(to: file)
                content.attachments.append(try UNNotificationAttachment(identifier: "photo", url: file, options: nil))
            } catch {
                content.subtitle = "\(error)"
            }
            contentHandler(content)
        }
    }
}
