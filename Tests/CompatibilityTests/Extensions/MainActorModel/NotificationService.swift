// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

@MainActor
final class Theme {
    static let current = Theme()

    var accent = "blue"

    func title(for title: String) -> String {
        dispatchPrecondition(condition: .onQueue(.main))
        return "\(title) in \(accent)"
    }
}

final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let original = request.content
        Task { @MainActor in
            guard let content = original.mutableCopy() as? UNMutableNotificationContent else { return }
            content.title = Theme.current.title(for: content.title)
            content.subtitle = await Self.describe(content.title)
            contentHandler(content)
        }
    }

    private nonisolated static func describe(_ title: String) async -> String {
        "\(title.count) letters"
    }
}
