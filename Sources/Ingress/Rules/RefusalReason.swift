// SPDX-License-Identifier: Apache-2.0

/// The reason for which a push is refused: the text and the status its sender sees.
///
/// A verdict on a device token is final for gateways, which drop the subscription: `badDeviceToken`,
/// `deviceTokenNotForTopic` and `unregistered` leave only after the token table was read whole, any doubt of ours is
/// `serviceUnavailable`.
/// Source: Apple, "Handling notification responses from APNs".
package enum RefusalReason: String, Sendable, CaseIterable {
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case duplicateHeaders = "DuplicateHeaders"
    case missingProviderToken = "MissingProviderToken"
    case invalidProviderToken = "InvalidProviderToken"
    case expiredProviderToken = "ExpiredProviderToken"
    case unrelatedKeyIdInToken = "UnrelatedKeyIdInToken"
    /// Apple's table says `BadEnvironmentKeyIdInToken`; its servers were seen to send this.
    case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case badMessageId = "BadMessageId"
    case badExpirationDate = "BadExpirationDate"
    case badPriority = "BadPriority"
    case invalidPushType = "InvalidPushType"
    case missingTopic = "MissingTopic"
    case badTopic = "BadTopic"
    case badCollapseId = "BadCollapseId"
    case missingDeviceToken = "MissingDeviceToken"
    case badDeviceToken = "BadDeviceToken"
    case unregistered = "Unregistered"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case payloadTooLarge = "PayloadTooLarge"
    case payloadEmpty = "PayloadEmpty"
    case idleTimeout = "IdleTimeout"
    case tooManyRequests = "TooManyRequests"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
    /// A bug of ours.
    case internalServerError = "InternalServerError"

    package var status: Int {
        switch self {
        case .badMessageId, .badExpirationDate, .badPriority, .invalidPushType, .missingTopic, .badTopic,
            .badCollapseId, .missingDeviceToken, .badDeviceToken, .deviceTokenNotForTopic, .duplicateHeaders,
            .payloadEmpty, .idleTimeout:
            400
        case .missingProviderToken, .invalidProviderToken, .expiredProviderToken, .unrelatedKeyIdInToken,
            .badEnvironmentKeyInToken, .badCertificate, .badCertificateEnvironment:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyRequests, .tooManyProviderTokenUpdates: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// Seconds the sender should wait, unless the refusal says another time; nil where a repeat would be refused again.
    package var retryAfter: Int? {
        switch status {
        case 429: 10
        case 503: 5
        default: nil
        }
    }

    /// The JSON that tells the reason, in a response body and in GOAWAY.
    package var json: String { #"{"reason":"\#(rawValue)"}"# }
}
