// SPDX-License-Identifier: Apache-2.0

private import Crypto
package import HostRuntime
internal import NotificationPayload

package import struct Foundation.Date

/// The rules of Web Push for one push: headers in; a head that waits for its body, or the reason of a refusal, out.
///
/// Judges in one order, so that a request with two faults always shows the same one.
/// Source: RFC 8030, section 5; RFC 8291, section 4; RFC 8292, section 4; UnifiedPush, "Push server".
package struct WebPushValidator: Sendable {
    /// A push is kept this long or less, in seconds: thirty days.
    package static let maximumTimeToLive = 2_592_000
    private static let longestTopic = 32

    let subscriptions: any WebPushSubscriptions
    let origin: WebPushOrigin
    /// The alert of each topic.
    let alerts: [String: WebPushAlert]

    package init(
        subscriptions: any WebPushSubscriptions,
        origin: WebPushOrigin,
        alerts: [String: WebPushAlert] = [:]
    ) {
        self.subscriptions = subscriptions
        self.origin = origin
        self.alerts = alerts
    }

    /// Judges a request's head.
    ///
    /// `id` becomes the identity of the push, a lower-case UUID; `senders` remembers tokens that were checked. Without
    /// `looksAtTokens` each token is one that proves nothing, and costs no signature's check.
    package func judge(
        _ request: WebPushRequest,
        id: String,
        now: Date,
        senders: inout VAPIDMemory,
        looksAtTokens: Bool = true
    ) throws(WebPushRefusal) -> WebPushHead {
        guard request.method == "POST" else { throw .methodNotAllowed }
        let (token, subscription) = try subscription(request.capability)
        let (sender, quirks) = try check(request.authorization, for: subscription, looksAtTokens, now: now, &senders)
        let timeToLive = try timeToLive(request.timeToLive)
        let collapseID = try topic(request.topic)
        let priority = try urgency(request.urgency)
        guard case .once(let encoding) = request.contentEncoding, encoding.lowercased() == "aes128gcm" else {
            throw .unsupportedContentEncoding
        }
        if let length = request.contentLength, length > WebPushMessage.maximumByteCount { throw .payloadTooLarge }
        return WebPushHead(
            id: id,
            subscription: token,
            topic: subscription.topic,
            alert: alerts[subscription.topic] ?? WebPushAlert(title: subscription.topic),
            timeToLive: timeToLive,
            collapseID: collapseID,
            priority: priority,
            sender: sender,
            quirks: quirks
        )
    }

    /// A capability is looked up by its hash, so that neither memory nor disk holds one.
    private func subscription(
        _ capability: Substring.UTF8View?
    ) throws(WebPushRefusal) -> (token: String, WebPushSubscription) {
        guard let capability else { throw .unknownSubscription }
        let token = Hexadecimal.encode(SHA256.hash(data: Array(capability)))
        let state: WebPushSubscriptionState?
        do {
            state = try subscriptions.state(ofSubscription: token)
        } catch {
            throw .serviceUnavailable
        }
        switch state {
        case .active(let subscription): return (token, subscription)
        case .removed: throw .removedSubscription
        case nil: throw .unknownSubscription
        }
    }

    /// On an open subscription whoever knows the endpoint may push, whatever else he says of himself: old senders of
    /// Mastodon's bring a scheme of before RFC 8292.
    private func check(
        _ authorization: WebPushRequest.Field,
        for subscription: WebPushSubscription,
        _ looksAtTokens: Bool,
        now: Date,
        _ senders: inout VAPIDMemory
    ) throws(WebPushRefusal) -> (sender: PushSender?, quirks: [Quirk]) {
        guard let expected = subscription.senderKey else {
            return open(authorization, looksAtTokens, now: now, &senders)
        }
        guard case .once(let value) = authorization else { throw .missingAuthorization }
        switch VAPIDHeader(value) {
        case .otherScheme: throw .missingAuthorization
        case .malformed: throw .invalidAuthorization
        case .credential(let credential):
            guard looksAtTokens, credential.key == expected, senders.isValid(credential, for: origin, now: now) else {
                throw .invalidAuthorization
            }
            return (credential.sender, [])
        }
    }

    /// Names the sender whose credential is valid, where none is needed; one that proves nothing is a deviation.
    private func open(
        _ authorization: WebPushRequest.Field,
        _ looksAtTokens: Bool,
        now: Date,
        _ senders: inout VAPIDMemory
    ) -> (sender: PushSender?, quirks: [Quirk]) {
        if authorization == .absent { return (nil, []) }
        guard case .once(let value) = authorization, case .credential(let credential) = VAPIDHeader(value),
            looksAtTokens, senders.isWorthChecking, senders.isValid(credential, for: origin, now: now)
        else { return (nil, [.strayAuthorization]) }
        return (credential.sender, [])
    }
}

// MARK: One header each

extension WebPushValidator {
    private func timeToLive(_ field: WebPushRequest.Field) throws(WebPushRefusal) -> Int {
        guard case .once(let value) = field, !value.isEmpty,
            value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .badTTL }
        // More digits than an integer holds are more than is kept.
        return min(Int(value) ?? .max, Self.maximumTimeToLive)
    }

    private func topic(_ field: WebPushRequest.Field) throws(WebPushRefusal) -> String? {
        switch field {
        case .absent: return nil
        case .once(let value):
            guard (1...Self.longestTopic).contains(value.utf8.count), value.utf8.allSatisfy(\.isBase64URLDigit) else {
                throw .badTopic
            }
            return value
        case .repeated: throw .badTopic
        }
    }

    private func urgency(_ field: WebPushRequest.Field) throws(WebPushRefusal) -> PushPriority {
        switch field {
        case .absent: return .immediate
        case .once(let value):
            switch value.lowercased() {
            case "high", "normal": return .immediate
            case "low": return .powerAware
            case "very-low": return .low
            default: throw .badUrgency
            }
        case .repeated: throw .badUrgency
        }
    }
}
