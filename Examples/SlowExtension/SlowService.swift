// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// Takes as long as the payload's key `slow` says, and answers the last call only if it says so.
final class SlowService: UNNotificationServiceExtension {
    private let started = ContinuousClock.now
    private let lock = NSLock()
    private var contentHandler: (@Sendable (UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()
    private var answersLastCall = false

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let slow = request.content.userInfo["slow"] as? [String: Any] ?? [:]
        lock.withLock {
            self.contentHandler = contentHandler
            content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
            answersLastCall = slow["answersLastCall"] as? Bool ?? false
        }
        // An extension has its own thread: it may sleep as it likes.
        Thread.sleep(forTimeInterval: slow["seconds"] as? Double ?? 0)
        complete(["finishedAfterMilliseconds": elapsedMilliseconds])
    }

    override func serviceExtensionTimeWillExpire() {
        let elapsed = elapsedMilliseconds
        FileHandle.standardError.write(Data("SlowExtension: last call after \(elapsed) ms\n".utf8))
        if lock.withLock({ answersLastCall }) {
            complete(["lastCallAfterMilliseconds": elapsed])
        }
    }

    /// Says in the answer what happened; called twice, the second call has no effect.
    private func complete(_ report: [String: Any]) {
        lock.withLock {
            let slow = content.userInfo["slow"] as? [String: Any] ?? [:]
            content.userInfo["slow"] = slow.merging(report) { _, new in new }
            contentHandler?(content)
        }
    }

    private var elapsedMilliseconds: Int {
        Int((ContinuousClock.now - started) / .milliseconds(1))
    }
}
