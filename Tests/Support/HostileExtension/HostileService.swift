// SPDX-License-Identifier: Apache-2.0

import CHostileAttempts
import Synchronization
import UserNotifications

/// An extension that attacks from inside `didReceive`, under everything the SDK has put around it.
///
/// The payload's key `attempt` names what to try; the body of the content that comes back says what came of it. The
/// attempt `harmless` is what decent extensions do.
final class HostileService: UNNotificationServiceExtension {
    /// Requests of this process so far, one at a time: the id of the current one.
    private static let requestCount = Atomic<UInt64>(0)

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let number = Self.requestCount.add(1, ordering: .relaxed).newValue.bigEndian
        unsafe withUnsafeBytes(of: number) { unsafe hostile_request($0.baseAddress) }
        let content = UNMutableNotificationContent()
        let attempt = request.content.userInfo["attempt"] as? String ?? ""
        if attempt == "harmless" {
            // Nobody awaits it: the content handler is its result.
            Task {
                let answer = UNMutableNotificationContent()
                answer.body = await Harmless.run()
                contentHandler(answer)
            }
            return
        }
        content.body = unsafe String(cString: hostile_attempt(attempt))
        contentHandler(content)
    }
}
