// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

package import struct Foundation.Date

/// How closely a listener follows Apple's documented refusals.
package enum Conformance: String, Sendable, CaseIterable {
    /// Takes what real clients send.
    case lenient
    /// Refuses what Apple documents as an error too, for people who test a gateway against us.
    case strict
}

/// The rules of APNs for one push: headers in; a head that waits for its body, or the reason of a refusal, out.
///
/// Judges in APNs' order, so that a request with two faults always shows the same one.
/// Source: Apple, "Sending notification requests to APNs".
package struct PushValidator: Sendable {
    /// APNs keeps a push this long or less, in seconds.
    static let maximumLifetime: Double = 30 * 24 * 3600

    let tokens: DeviceTokenTable
    /// Nil: tokens of either environment are taken.
    let environment: PushEnvironment?
    let conformance: Conformance

    package init(tokens: DeviceTokenTable, environment: PushEnvironment?, conformance: Conformance = .lenient) {
        self.tokens = tokens
        self.environment = environment
        self.conformance = conformance
    }

    /// Judges a request's head: path, method, repeated headers, then everything `judge(_:token:…)` looks at.
    ///
    /// `freshID` becomes the identity of a push that brings none: a lower-case UUID.
    package func judge(
        _ request: ProviderRequest,
        freshID: @autoclosure () -> String,
        now: Date
    ) throws(RefusalReason) -> PushHead {
        let token: String?
        switch DevicePath(request.path) {
        case .device(let text): token = text
        case .noDevice: token = nil
        case .unknown: throw .badPath
        }
        guard request.method == "POST" else { throw .methodNotAllowed }
        guard !request.repeatsHeader else { throw .duplicateHeaders }
        return try judge(request, token: token, freshID: freshID(), now: now)
    }

    /// Judges the headers of a push whose sender needs no credential, from the message id on.
    func judge(
        _ request: ProviderRequest,
        token: String?,
        freshID: @autoclosure () -> String,
        now: Date
    ) throws(RefusalReason) -> PushHead {
        let id: String
        if let sent = request.id {
            guard let parsed = MessageID(sent) else { throw .badMessageId }
            id = parsed.canonical
        } else {
            id = freshID()
        }
        let expiration = try expiration(request.expiration, now: now)
        let priority = try priority(request)
        let statedType = try pushType(request.pushType)
        let deviceToken = token.flatMap { DeviceToken($0) }
        let registration = deviceToken.flatMap { tokens.registration(of: $0.digits) }
        let address = try address(request.topic, statedType: statedType, registration: registration)
        let collapseID = try collapseID(request.collapseID)
        guard let token, !token.isEmpty else { throw .missingDeviceToken }
        guard let deviceToken, let registration, environment == nil || environment == registration.environment else {
            throw .badDeviceToken
        }
        guard registration.topic == address.app.topic else { throw .deviceTokenNotForTopic }
        if let length = request.contentLength, length > address.pushType.maximumPayloadByteCount {
            throw .payloadTooLarge
        }
        return PushHead(
            id: id,
            deviceToken: deviceToken.digits,
            topic: address.topic,
            pushType: address.pushType,
            priority: address.pushType == .background && priority == .immediate ? .powerAware : priority,
            expiration: expiration,
            collapseID: collapseID
        )
    }
}

// MARK: One header each

extension PushValidator {
    /// Nil for an absent value, for 0 and for the past: such a push is started at once or not at all, and never kept.
    private func expiration(_ value: String?, now: Date) throws(RefusalReason) -> Date? {
        guard let value else { return nil }
        guard (1...13).contains(value.utf8.count),
            value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Double(value)
        else { throw .badExpirationDate }
        let date = Date(timeIntervalSince1970: seconds)
        guard date > now else { return nil }
        return min(date, now.addingTimeInterval(Self.maximumLifetime))
    }

    private func priority(_ request: ProviderRequest) throws(RefusalReason) -> PushPriority {
        switch request.priority {
        case nil: return .immediate
        case "10":
            // Apple: specifying 10 for a background push is an error.
            if conformance == .strict, request.pushType == PushType.background.rawValue { throw .badPriority }
            return .immediate
        case "5": return .powerAware
        case "1": return .low
        case _?: throw .badPriority
        }
    }

    private func pushType(_ value: String?) throws(RefusalReason) -> PushType? {
        guard let value else { return nil }
        guard let type = PushType(rawValue: value) else { throw .invalidPushType }
        return type
    }

    private func collapseID(_ value: String?) throws(RefusalReason) -> String? {
        guard let value, !value.isEmpty else { return nil }
        guard value.utf8.count <= 64 else { throw .badCollapseId }
        return value
    }
}

// MARK: Topic and push type

extension PushValidator {
    private struct Address {
        let topic: String
        let pushType: PushType
        let app: DeviceTokenTable.Registration
    }

    /// Settles topic and push type together: each is a default for the other.
    private func address(
        _ statedTopic: String?,
        statedType: PushType?,
        registration: DeviceTokenTable.Registration?
    ) throws(RefusalReason) -> Address {
        let topic: String
        if let statedTopic, !statedTopic.isEmpty {
            topic = statedTopic
        } else if conformance == .lenient, let registration {
            topic = registration.topic + (statedType ?? .alert).topicSuffix
        } else {
            throw .missingTopic
        }
        guard topic.utf8.count <= 255, let app = tokens.app(forTopic: topic) else { throw .badTopic }
        let type = statedType ?? (conformance == .lenient ? pushType(of: topic, app: app) : .alert)
        guard app.pushTypes.contains(type), conformance == .lenient || topic == app.topic + type.topicSuffix else {
            throw .badTopic
        }
        return Address(topic: topic, pushType: type, app: app)
    }

    /// The push type whose suffix the topic has; a bundle identifier may itself end like one, then it is `alert`.
    private func pushType(of topic: String, app: DeviceTokenTable.Registration) -> PushType {
        let suffix = topic.dropFirst(app.topic.count)
        guard !suffix.isEmpty else { return .alert }
        return PushType.allCases.first { $0.topicSuffix == suffix } ?? .alert
    }
}
