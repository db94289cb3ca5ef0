// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

extension PushValidator {
    struct Address {
        let topic: String
        let pushType: PushType
        let app: DeviceTokenTable.Registration
    }

    /// Settles topic and push type together: each is a default for the other.
    func address(
        _ statedTopic: String?,
        statedType: PushType?,
        device: DeviceTokenState?,
        authority: SenderAuthority
    ) throws(Refusal) -> Address {
        let topic = try topic(statedTopic, statedType: statedType, device: device, authority: authority)
        guard topic.utf8.count <= 255, authority.allows(topic), let app = try app(forTopic: topic, device: device),
            authority.allows(topic, of: app.topic),
            app.pushTypes.contains(where: { app.isTopic(topic, of: $0) })
        else { throw Refusal(.badTopic) }
        let type = statedType ?? (conformance == .lenient ? pushType(of: topic, app: app) : .alert)
        guard app.pushTypes.contains(type), conformance == .lenient || app.isTopic(topic, of: type) else {
            throw Refusal(.badTopic)
        }
        // Apple: location pushes need token-based authentication.
        if type == .location, authority.isOfCertificate { throw Refusal(.missingProviderToken) }
        return Address(topic: topic, pushType: type, app: app)
    }

    func quirks(of request: ProviderRequest, _ address: Address) -> [Quirk] {
        var quirks: [Quirk] = []
        if request.topic?.isEmpty ?? true { quirks.append(.noTopic) }
        if request.pushType == nil { quirks.append(.noPushType) }
        if !address.app.isTopic(address.topic, of: address.pushType) { quirks.append(.topicSuffix) }
        if address.pushType == .background, request.priority == "10" { quirks.append(.backgroundAtOnce) }
        return quirks
    }

    private func topic(
        _ statedTopic: String?,
        statedType: PushType?,
        device: DeviceTokenState?,
        authority: SenderAuthority
    ) throws(Refusal) -> String {
        if let statedTopic, !statedTopic.isEmpty { return statedTopic }
        let suffix = (statedType ?? .alert).topicSuffix
        if let implied = authority.impliedTopic { return implied + suffix }
        // A token of a topic that the sender may not send for is, to that sender, no help.
        guard conformance == .lenient, let topic = device?.registration?.topic, authority.allows(topic) else {
            throw Refusal(.missingTopic)
        }
        return topic + suffix
    }

    /// An app that is gone has left removed tokens behind, whose senders are to hear that, not that the topic is bad.
    private func app(
        forTopic topic: String,
        device: DeviceTokenState?
    ) throws(Refusal) -> DeviceTokenTable.Registration? {
        let app: DeviceTokenTable.Registration?
        do {
            app = try tokens.app(forTopic: topic)
        } catch {
            throw Refusal(.serviceUnavailable)
        }
        if let app { return app }
        guard case .removed(let gone, _) = device,
            gone.pushTypes.contains(where: { gone.isTopic(topic, of: $0) })
        else { return nil }
        return gone
    }

    /// The push type whose suffix the topic has; a bundle identifier may itself end like one, then it is `alert`.
    private func pushType(of topic: String, app: DeviceTokenTable.Registration) -> PushType {
        guard topic.utf8.count > app.topic.utf8.count else { return .alert }
        return PushType.allCases.first { app.isTopic(topic, of: $0) } ?? .alert
    }
}

extension DeviceTokenState {
    /// The app to which the token belongs, or belonged; `nil` if nobody knows yet.
    var registration: DeviceTokenTable.Registration? {
        switch self {
        case .active(let registration), .removed(let registration, _): registration
        case .judgedByStore: nil
        }
    }
}
