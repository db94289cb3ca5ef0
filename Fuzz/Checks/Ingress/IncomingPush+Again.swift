// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Ingress
private import NotificationPayload

internal import struct Foundation.Date

extension IncomingPush {
    /// The headers of the push as a sender writes them who leaves nothing out.
    var headers: [(name: String, value: String)] {
        var headers = [
            ("apns-id", id), ("apns-topic", topic), ("apns-push-type", pushType.rawValue),
            ("apns-priority", String(priority.rawValue)),
        ]
        if let expiration {
            headers.append(("apns-expiration", String(Int64(expiration.timeIntervalSince1970))))
        } else if !isKept {
            headers.append(("apns-expiration", "0"))
        }
        if let collapseID { headers.append(("apns-collapse-id", collapseID)) }
        return headers
    }

    /// Two pushes of one content to one device, whatever their senders left out.
    func isSame(as other: IncomingPush) -> Bool {
        id == other.id && deviceToken == other.deviceToken && topic == other.topic && pushType == other.pushType
            && priority == other.priority && expiration == other.expiration && isKept == other.isKept
            && collapseID == other.collapseID && payload == other.payload
    }

    /// Tells whether the push is what an accepted one must be, whoever sent it: in its bounds, and of the app `topic`.
    func isWhole(topic app: String, token: String, now: Date) -> Bool {
        let latest = now.addingTimeInterval(Self.maximumLifetime)
        return MessageID(id)?.canonical == id && deviceToken == token
            && (app.utf8.count...255).contains(topic.utf8.count) && topic.hasPrefix(app)
            && (collapseID.map { (1...64).contains($0.utf8.count) } ?? true)
            && body.count == payloadByteCount && payloadByteCount <= pushType.maximumPayloadByteCount
            && (expiration.map { $0 > now && $0 <= latest && isKept } ?? true)
            && (pushType != .alert && pushType != .background || payload.aps != nil)
    }

    /// The head of a request that asks for the same push.
    var request: ProviderRequest {
        var request = ProviderRequest(method: "POST", path: "/3/device/\(deviceToken)")
        for (name, value) in headers { request.add(name, value) }
        return request
    }
}
