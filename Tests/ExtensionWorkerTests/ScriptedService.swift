// SPDX-License-Identifier: Apache-2.0

import Locking
import UserNotifications

typealias ContentHandler = @Sendable (UNNotificationContent) -> Void

/// An extension whose two methods are closures.
final class ScriptedService: UNNotificationServiceExtension {
    private let receive: @Sendable (UNNotificationRequest, @escaping ContentHandler) -> Void
    private let expire: @Sendable () -> Void
    private let end: @Sendable () -> Void

    init(
        receive: @escaping @Sendable (UNNotificationRequest, @escaping ContentHandler) -> Void,
        expire: @escaping @Sendable () -> Void = {},
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.receive = receive
        self.expire = expire
        self.end = end
    }

    deinit { end() }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping ContentHandler
    ) {
        receive(request, contentHandler)
    }

    override func serviceExtensionTimeWillExpire() { expire() }
}

func content(title: String) -> UNNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = title
    return content
}

/// Hands values from one thread to another.
final class Channel<Value: Sendable>: Sendable {
    private let values = Locked<[Value]>([])
    private let available = DispatchSemaphore(value: 0)

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        available.signal()
    }

    /// Takes the oldest value, once there is one; `nil` after ten seconds.
    func take() -> Value? {
        guard available.wait(timeout: .now() + 10) == .success else { return nil }
        return values.withLock { $0.removeFirst() }
    }

    var isEmpty: Bool { values.withLock(\.isEmpty) }
}
