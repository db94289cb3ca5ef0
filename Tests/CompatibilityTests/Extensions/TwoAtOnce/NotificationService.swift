// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// A barrier at which two notifications of the same process wait for each other.
final class MeetingPoint {
    static let shared = MeetingPoint()

    private let condition = NSCondition()
    private var services: [ObjectIdentifier] = []
    private var threads: [Thread] = []

    /// Waits until two are here.
    func meet(_ service: NotificationService) -> (services: Int, threads: Int) {
        condition.lock()
        defer { condition.unlock() }
        services.append(ObjectIdentifier(service))
        threads.append(Thread.current)
        condition.broadcast()
        while services.count < 2, condition.wait(until: Date(timeIntervalSinceNow: 10)) {}
        return (Set(services).count, Set(threads).count)
    }
}

class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?
    private var identifier = ""

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        self.contentHandler = contentHandler
        identifier = request.identifier
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent

        let (services, threads) = MeetingPoint.shared.meet(self)

        bestAttemptContent?.title = "\(services) services on \(threads) threads"
        bestAttemptContent?.subtitle = identifier == request.identifier ? "its own" : "the other's"
        deliver()
    }

    private func deliver() {
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }

    override func serviceExtensionTimeWillExpire() { deliver() }
}
