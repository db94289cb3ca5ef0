// SPDX-License-Identifier: Apache-2.0

import CHostileAttempts
import UserNotifications

/// An extension that attacks from inside `didReceive`, under everything the SDK has put around it.
///
/// The payload's key `attempt` names what to try; the body of the content that comes back says what came of it.
final class HostileService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let content = UNMutableNotificationContent()
        let attempt = request.content.userInfo["attempt"] as? String ?? ""
        content.body = unsafe String(cString: hostile_attempt(attempt))
        contentHandler(content)
    }
}
