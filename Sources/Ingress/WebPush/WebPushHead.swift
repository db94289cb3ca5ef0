// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import NotificationPayload

package import struct Foundation.Date

/// The text of a notification whose message could not be opened.
package struct WebPushAlert: Sendable, Equatable {
    package var title: String
    package var body: String

    package init(title: String, body: String = "New notification") {
        self.title = title
        self.body = body
    }
}

/// A push of Web Push whose headers were judged and taken; only its body is missing.
package struct WebPushHead: Sendable, Equatable {
    /// Lower-case UUID.
    package let id: String
    package let subscription: String
    package let topic: String
    package let alert: WebPushAlert
    /// Seconds; 0: now or never.
    package let timeToLive: Int
    package let collapseID: String?
    package let priority: PushPriority
    package let sender: PushSender?
    package let quirks: [Quirk]
}

extension WebPushHead: PushInWaiting {
    var maximumByteCount: Int { WebPushMessage.maximumByteCount }

    /// The message becomes a payload as APNs would carry it: the opener knows its text by the prefix.
    package func join(_ body: Span<UInt8>, receivedAt: Date) throws(Refusal) -> IncomingPush {
        guard !body.isEmpty else { throw Refusal(webPush: .payloadEmpty) }
        guard body.count <= maximumByteCount else { throw Refusal(webPush: .payloadTooLarge) }
        guard WebPushMessage.hasShape(body) else { throw Refusal(webPush: .badPayload) }
        let payload = Payload([
            "aps": [
                "alert": ["title": .string(alert.title), "body": .string(alert.body)],
                "mutable-content": 1,
            ],
            "encrypted-content": .string("wp." + body.withUnsafeBufferPointer { Base64.url.encode($0) }),
        ])
        let bytes = payload.serialized
        return IncomingPush(
            id: id,
            deviceToken: subscription,
            topic: topic,
            priority: priority,
            expiration: timeToLive == 0 ? nil : receivedAt.addingTimeInterval(Double(timeToLive)),
            isKept: timeToLive != 0,
            collapseID: collapseID,
            payload: payload,
            body: bytes,
            payloadByteCount: bytes.count,
            receivedAt: receivedAt,
            sender: sender
        )
    }
}
