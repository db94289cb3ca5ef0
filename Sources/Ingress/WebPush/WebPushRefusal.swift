// SPDX-License-Identifier: Apache-2.0

/// Why a push of Web Push is turned away: the text and the status its sender sees.
///
/// `removedSubscription` is final for senders, which forget the endpoint; it leaves only after the subscriptions were
/// read whole, any doubt of ours is `serviceUnavailable`.
/// Source: RFC 8030, sections 5 and 7; RFC 8188; RFC 8292, section 4.2.
package enum WebPushRefusal: String, Error, Sendable, CaseIterable {
    case methodNotAllowed = "MethodNotAllowed"
    case unknownSubscription = "UnknownSubscription"
    case removedSubscription = "RemovedSubscription"
    /// The subscription is for one sender, and this one does not say who it is.
    case missingAuthorization = "MissingAuthorization"
    /// It is for another sender, or the token does not prove what it says.
    case invalidAuthorization = "InvalidAuthorization"
    case badTTL = "BadTTL"
    case badTopic = "BadTopic"
    case badUrgency = "BadUrgency"
    case unsupportedContentEncoding = "UnsupportedContentEncoding"
    case payloadEmpty = "PayloadEmpty"
    case payloadTooLarge = "PayloadTooLarge"
    /// Not one record of RFC 8291, as far as can be told without a key.
    case badPayload = "BadPayload"
    case serviceUnavailable = "ServiceUnavailable"

    package var status: Int {
        switch self {
        case .badTTL, .badTopic, .badUrgency, .payloadEmpty, .badPayload: 400
        case .missingAuthorization: 401
        case .invalidAuthorization: 403
        case .unknownSubscription: 404
        case .methodNotAllowed: 405
        case .removedSubscription: 410
        case .payloadTooLarge: 413
        case .unsupportedContentEncoding: 415
        case .serviceUnavailable: 503
        }
    }

    /// What the status asks for besides: RFC 9110, sections 11.6.1, 10.2.1 and 12.5.3.
    var headers: [String: String] {
        switch self {
        case .missingAuthorization: ["www-authenticate": "vapid"]
        case .methodNotAllowed: ["allow": "POST"]
        case .unsupportedContentEncoding: ["accept-encoding": "aes128gcm"]
        default: [:]
        }
    }
}

extension Refusal {
    init(webPush refusal: WebPushRefusal) {
        self.init(
            reason: refusal.rawValue,
            status: refusal.status,
            retryAfter: refusal == .serviceUnavailable ? RefusalReason.serviceUnavailable.retryAfter : nil,
            headers: refusal.headers,
            json: #"{"reason":"\#(refusal.rawValue)"}"#
        )
    }
}
