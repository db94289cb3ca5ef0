// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The reason for which a push of Web Push is turned away: the text and the status its sender sees.
///
/// `removedSubscription` is final for senders, which forget the endpoint; it leaves only after the subscriptions were
/// read whole, or on the word of the store that has them; any doubt of ours is `serviceUnavailable`.
/// Source: RFC 8030, sections 5 and 7; RFC 8188; RFC 8292, section 4.2.
package enum WebPushRefusal: String, Error, Sendable, CaseIterable {
    case methodNotAllowed = "MethodNotAllowed"
    case unknownSubscription = "UnknownSubscription"
    case removedSubscription = "RemovedSubscription"
    /// The subscription is for one sender, and this one does not say who it is.
    case missingAuthorization = "MissingAuthorization"
    /// The subscription is for another sender, or the token does not prove what it says.
    case invalidAuthorization = "InvalidAuthorization"
    case badTTL = "BadTTL"
    case badTopic = "BadTopic"
    case badUrgency = "BadUrgency"
    case unsupportedContentEncoding = "UnsupportedContentEncoding"
    case payloadEmpty = "PayloadEmpty"
    case payloadTooLarge = "PayloadTooLarge"
    /// The body is not one record of RFC 8291, as far as can be told without a key.
    case badPayload = "BadPayload"
    case serviceUnavailable = "ServiceUnavailable"
    /// The body did not come in time.
    case requestTimeout = "RequestTimeout"
    /// Pushes for the subscription come faster than its device takes them.
    case tooManyRequests = "TooManyRequests"
    /// The host made a mistake.
    case internalError = "InternalError"

    package var status: Int {
        switch self {
        case .badTTL, .badTopic, .badUrgency, .payloadEmpty, .badPayload: 400
        case .missingAuthorization: 401
        case .invalidAuthorization: 403
        case .unknownSubscription: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .removedSubscription: 410
        case .payloadTooLarge: 413
        case .unsupportedContentEncoding: 415
        case .tooManyRequests: 429
        case .internalError: 500
        case .serviceUnavailable: 503
        }
    }

    /// Seconds after which the sender may try again, where it may.
    var retryAfter: Int? {
        switch self {
        case .tooManyRequests: 10
        case .serviceUnavailable: 5
        default: nil
        }
    }

    /// The further headers that the status asks for: RFC 9110, sections 11.6.1, 10.2.1 and 12.5.3.
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
        self.init(webPush: refusal, retryAfter: refusal.retryAfter)
    }

    /// The words of Web Push for what can be wrong with any request.
    ///
    /// Source: RFC 8030, sections 5 and 8.4; RFC 9110, section 15.5.9.
    init(webPush fault: PushFault) {
        switch fault {
        case .late: self.init(webPush: .requestTimeout)
        case .tooLong: self.init(webPush: .payloadTooLarge)
        case .tooFast: self.init(webPush: .tooManyRequests)
        case .noRoom, .drained: self.init(webPush: .serviceUnavailable)
        case .notStored: self.init(webPush: .serviceUnavailable, retryAfter: 60)
        case .badToken(.removed): self.init(webPush: .removedSubscription)
        case .badToken(.unknown), .badToken(.ofAnotherApp), .badToken(.ofAnotherEnvironment):
            self.init(webPush: .unknownSubscription)
        // The host names messages of Web Push itself.
        case .idTaken, .broken: self.init(webPush: .internalError)
        }
    }

    private init(webPush refusal: WebPushRefusal, retryAfter: Int?) {
        self.init(
            reason: refusal.rawValue,
            status: refusal.status,
            retryAfter: retryAfter,
            headers: refusal.headers,
            json: #"{"reason":"\#(refusal.rawValue)"}"#
        )
    }
}
