// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

enum MediaError: Error {
    case noAddress
    case status(Int)
}

final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task.detached(priority: .userInitiated) {
            do {
                contentHandler(try await NotificationService.content(of: request))
            } catch {
                contentHandler(request.content)
            }
        }
    }

    private static func content(of request: UNNotificationRequest) async throws -> UNNotificationContent {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        guard let address = content.userInfo["attachment-url"] as? String, let url = URL(string: address) else {
            throw MediaError.noAddress
        }
        let (file, response) = try await URLSession.shared.download(from: url)
        if let response = response as? HTTPURLResponse, response.statusCode != 200 {
            throw MediaError.status(response.statusCode)
        }
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent(UUID().uuidString)
            .appendingPathExtension(url.pathExtension)
        try FileManager.default.moveItem(at: file, to: place)
        content.attachments = [try UNNotificationAttachment(identifier: "photo", url: place)]
        return content
    }
}
