// SPDX-License-Identifier: Apache-2.0

@preconcurrency import UserNotifications

struct TimedOut: Error {}

/// The result of `work`, unless the time is over first.
func withDeadline<Value: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}

final class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        Task {
            let content = request.content.mutableCopy() as! UNMutableNotificationContent
            content.subtitle = (try? await withDeadline(.seconds(20)) { "in time" }) ?? "too late"
            do {
                content.body = try await withDeadline(.milliseconds(50)) {
                    try await Task.sleep(for: .seconds(60))
                    return "in time"
                }
            } catch is TimedOut {
                content.body = "too late"
            } catch {
                content.body = "\(error)"
            }
            contentHandler(content)
        }
    }
}
