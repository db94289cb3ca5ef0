// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

/// A client with completion handlers, as older code has it.
final class StatusClient: Sendable {
    func status(at url: URL, completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        URLSession.shared.dataTask(with: url) { data, _, error in
            completion(error.map { .failure($0) } ?? .success(data ?? Data()))
        }.resume()
    }

    func status(at url: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            status(at: url) { continuation.resume(with: $0) }
        }
    }
}

final class NotificationService: UNNotificationServiceExtension {
    private let client = StatusClient()

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task { [client] in
            let content = request.content.mutableCopy() as! UNMutableNotificationContent
            if let url = (content.userInfo["profile"] as? String).flatMap(URL.init(string:)),
                let data = try? await client.status(at: url)
            {
                content.subtitle = "\(data.count) bytes"
            }
            contentHandler(content)
        }
    }
}
