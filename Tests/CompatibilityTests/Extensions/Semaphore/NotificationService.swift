// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            contentHandler(request.content)
            return
        }
        content.body = name(from: content.userInfo["status"] as? String ?? "") ?? content.body
        contentHandler(content)
    }

    /// Blocks until the server has answered.
    private func name(from address: String) -> String? {
        guard let url = URL(string: address) else { return nil }
        var result: String?
        let semaphore = DispatchSemaphore(value: 0)
        URLSession.shared.dataTask(with: url) { data, _, _ in
            defer { semaphore.signal() }
            guard let data = data,
                  let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return }
            result = object["displayName"] as? String
        }.resume()
        _ = semaphore.wait(timeout: .now() + 20)
        return result
    }
}
