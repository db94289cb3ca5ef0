// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task {
            let content = await Renderer().render(request.content)
            contentHandler(content)
        }
    }
}

actor Renderer {
    private var rendered = 0

    func render(_ content: UNNotificationContent) async -> UNNotificationContent {
        guard let copy = content.mutableCopy() as? UNMutableNotificationContent else { return content }
        let delay = content.userInfo["delay"] as? Int ?? 0
        try? await Task.sleep(nanoseconds: UInt64(delay) * 1_000_000)
        rendered += 1
        copy.subtitle = "rendered \(rendered)"
        return copy
    }
}
