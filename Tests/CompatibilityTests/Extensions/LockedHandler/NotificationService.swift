// SPDX-License-Identifier: Apache-2.0

import UserNotifications
import os

// SAFETY: all state lies behind the lock.
/// Whoever comes first delivers: the work, or the end of the time.
final class NotificationService: UNNotificationServiceExtension, @unchecked Sendable {
    private struct State: Sendable {
        var handler: (@Sendable (UNNotificationContent) -> Void)?
        var content: UNNotificationContent?
    }

    private let state = OSAllocatedUnfairLock(initialState: State())

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        state.withLock { state in
            state.handler = contentHandler
            state.content = request.content
        }
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
            content.body = content.body.uppercased()
            self?.deliver(content)
            self?.deliver(nil)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        deliver(nil)
    }

    private func deliver(_ content: UNNotificationContent?) {
        let (handler, original) = state.withLock { state in
            defer { state.handler = nil }
            return (state.handler, state.content)
        }
        if let content = content ?? original { handler?(content) }
    }
}
