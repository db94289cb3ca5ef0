// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
public import UserNotifications
import WorkerProtocol

/// The way of requests through a worker, without the socket on both ends of it and the threads in between.
@_spi(Benchmarking)
public struct RequestRoundTrip: ~Copyable {
    private var conversation = ServeConversation()

    /// Behind the host's first message; nil when that is not understood.
    public init?() {
        let hello = HostMessage.hello(
            .init(bundleIdentifier: "rehearsal", topic: "rehearsal", scratch: nil, maxConcurrentRequests: 1)
        )
        guard let greeting = try? hello.packet.encoded(), case .hello = try? conversation.receive(greeting.span) else {
            return nil
        }
    }

    /// Returns the packet that the host sends for a payload, which is JSON.
    ///
    /// Ids ascend. `nil` means that `payload` is no payload, or too long for a packet.
    public static func packet(id: UInt64, payload: [UInt8]) -> [UInt8]? {
        (try? Payload(parsing: payload.span)).flatMap { packet(id: id, payload: $0) }
    }

    static func packet(id: UInt64, payload: Payload) -> [UInt8]? {
        let request = HostMessage.request(
            id: id,
            .init(
                identifier: "00000000-0000-0000-0000-000000000000",
                date: "2001-01-01T00:00:00.000Z",
                payload: payload,
                budgetMilliseconds: 1000
            )
        )
        return try? request.packet.encoded()
    }

    /// The packet that a worker sends for a request; `extend` stands for the extension.
    ///
    /// The answer is `nil` when either packet is invalid.
    public mutating func answer(
        to packet: [UInt8],
        extend: (UNMutableNotificationContent) -> Void
    ) -> [UInt8]? {
        guard case .request(let id, let received) = try? conversation.receive(packet.span) else { return nil }
        let original = UNNotificationRequest(
            identifier: received.identifier,
            content: UNNotificationContent(payload: received.payload),
            trigger: UNPushNotificationTrigger()
        )
        guard let content = original.content.mutableCopy() as? UNMutableNotificationContent else { return nil }
        extend(content)
        guard conversation.complete(id: id),
            case .success(let answer) = OutgoingContent(content, scratch: nil).encoded(id: id)
        else { return nil }
        _ = conversation.leave(id: id)
        return answer
    }
}
