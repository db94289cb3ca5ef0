// SPDX-License-Identifier: Apache-2.0

/// The subscriptions of Web Push that a host knows, as they are now.
///
/// Asked for each request on an event loop: answers from memory.
package protocol WebPushSubscriptions: Sendable {
    /// Returns the state of the subscription with this token; nil: nobody ever had it, or its removal is forgotten.
    ///
    /// `token` is the SHA-256 of the capability, that is of the 27 characters of base64url at the end of the endpoint
    /// as they stand there, in 64 lower-case hex digits. A subscription is `active` only while its app is hosted.
    ///
    /// - Throws: `DeviceTokensUnavailable`: nobody can tell now, and no sender may hear that a subscription is gone.
    func state(ofSubscription token: String) throws(DeviceTokensUnavailable) -> WebPushSubscriptionState?
}

package enum WebPushSubscriptionState: Sendable, Equatable {
    case active(WebPushSubscription)
    /// 410: its senders forget it.
    case removed
}

/// The app that a Web Push sender reaches through one endpoint, and the sender's key, if only one sender may.
package struct WebPushSubscription: Sendable, Equatable {
    /// The app's bundle identifier.
    package let topic: String
    /// The one sender that may push, by its VAPID key: a point of P-256, 65 bytes that begin with 4.
    ///
    /// A missing key admits everyone who knows the endpoint.
    package let senderKey: [UInt8]?

    package init(topic: String, senderKey: [UInt8]? = nil) {
        self.topic = topic
        self.senderKey = senderKey
    }
}
