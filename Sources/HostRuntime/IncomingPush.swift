// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

package import struct Foundation.Date

/// One push as an ingress accepted it: every header judged, the body one JSON object.
package struct IncomingPush: Sendable {
    /// Lower-case UUID; the push's identity and part of the envelope's context.
    package let id: String
    /// Lower-case hex digits.
    package let deviceToken: String
    /// The app's bundle identifier, with the suffix of the push type if it has one; 1…255 bytes.
    package let topic: String
    /// The owner to whom the device token belongs.
    package let owner: String
    package let pushType: PushType
    package let priority: PushPriority
    /// After this date the push is not started any more.
    ///
    /// A missing date means thirty days from receipt, the longest APNs keeps a push.
    package let expiration: Date?
    /// True if the push is tried again after a crash; `false` means a single attempt.
    ///
    /// Source: Apple, "Sending notification requests to APNs", `apns-expiration` of 0.
    package let isKept: Bool
    /// 1…64 bytes of UTF-8.
    package let collapseID: String?
    package let payload: Payload
    /// The body as it was sent; empty once the journal has it.
    package var body: [UInt8]
    /// Length of the body as it was sent.
    package let payloadByteCount: Int
    package let receivedAt: Date
    /// The sender of the push; `nil` means that no proof was asked for.
    package let sender: PushSender?
    /// True if the push is refused when an earlier push with another body had its id.
    package let refusesOtherBody: Bool
    /// The push's place in the journal, 1 and up in the order of acceptance; `nil` means that no journal has the push.
    package var number: Int64?
    /// The push's name, from the journal that has it.
    package var delivery: DeliveryName?
    /// The bundle identifier of the app to which the device token has to belong, for stores that know device tokens;
    /// `nil` means that it is the topic without the suffix of the push type.
    package var app: String?
    /// The environment in which the push was offered, which a store that knows device tokens compares with the token's;
    /// `nil` means that either will do.
    package var environment: PushEnvironment?
    /// The share of the devices to which the push's belongs; 0 where there is one share alone.
    package var partition: Int16 = 0
    /// A former process, or another host, had the push and may have started it.
    package var isTakenUpAgain = false

    package init(
        id: String,
        deviceToken: String,
        topic: String,
        owner: String = OwnedApp.onlyOwner,
        pushType: PushType = .alert,
        priority: PushPriority = .immediate,
        expiration: Date? = nil,
        isKept: Bool = true,
        collapseID: String? = nil,
        payload: Payload,
        body: [UInt8] = [],
        payloadByteCount: Int,
        receivedAt: Date,
        sender: PushSender? = nil,
        refusesOtherBody: Bool = false,
        number: Int64? = nil,
        delivery: DeliveryName? = nil
    ) {
        self.id = id
        self.deviceToken = deviceToken
        self.topic = topic
        self.owner = owner
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.isKept = isKept
        self.collapseID = collapseID
        self.payload = payload
        self.body = body
        self.payloadByteCount = payloadByteCount
        self.receivedAt = receivedAt
        self.sender = sender
        self.refusesOtherBody = refusesOtherBody
        self.number = number
        self.delivery = delivery
    }

    /// The identifier of the notification: a later one with the same identifier replaces it.
    ///
    /// Source: Apple, "Sending notification requests to APNs", `apns-collapse-id`.
    package var identifier: String { collapseID ?? id }

    /// APNs keeps a push this long or less, in seconds.
    package static let maximumLifetime: Double = 30 * 24 * 3600

    /// Returns whether the push must not be started any more.
    ///
    /// One that gets a single attempt may have had it when a former process accepted it.
    package func isExpired(at date: Date) -> Bool {
        if isTakenUpAgain, !isKept { return true }
        return (expiration ?? receivedAt.addingTimeInterval(Self.maximumLifetime)) <= date
    }
}

/// The eleven push types of APNs with the suffix each gives its topic.
///
/// Source: Apple, "Sending notification requests to APNs", `apns-push-type` and `apns-topic`.
package enum PushType: String, Sendable, CaseIterable {
    case alert, background, voip, pushtotalk, complication, fileprovider, liveactivity, widgets, controls, location, mdm

    /// Empty where the topic is the bundle identifier itself.
    package var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .voip: ".voip"
        case .pushtotalk: ".voip-ptt"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .widgets: ".push-type.widgets"
        case .controls: ".push-type.controls"
        case .location: ".location-query"
        }
    }

    /// The longest body APNs takes, in bytes.
    package var maximumPayloadByteCount: Int { self == .voip ? 5120 : 4096 }
}

/// `apns-priority`.
package enum PushPriority: Int, Sendable {
    case low = 1
    case powerAware = 5
    case immediate = 10
}

/// `aps-environment`: which tokens a listener or an app belongs to.
package enum PushEnvironment: String, Sendable, CaseIterable {
    case development, production
}
