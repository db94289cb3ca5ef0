// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

package import struct Foundation.Date

/// The rules of APNs for one push: headers in; a head that waits for its body, or a refusal, out.
///
/// Judges in APNs' order, so that a request with two faults always shows the same one.
/// Source: Apple, "Sending notification requests to APNs".
package struct PushValidator: Sendable {
    /// APNs keeps a push this long or less, in seconds.
    static let maximumLifetime: Double = 30 * 24 * 3600
    /// Stands where a header had bytes that are no UTF-8: two identifiers that differ in them would be one.
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    let tokens: any DeviceTokens
    /// The environment of the tokens; `nil` means that either is taken.
    let environment: PushEnvironment?
    let conformance: Conformance

    package init(tokens: any DeviceTokens, environment: PushEnvironment?, conformance: Conformance = .lenient) {
        self.tokens = tokens
        self.environment = environment
        self.conformance = conformance
    }

    /// Judges a request's head: path, method, repeated headers, then the credential, then what
    /// `judge(_:token:…)` looks at.
    ///
    /// `freshID` becomes the identity of a push that brings none: a lower-case UUID. The credential comes before the
    /// device token, so that nobody without one learns which tokens there are.
    package func judge(
        _ request: ProviderRequest,
        freshID: @autoclosure () -> String,
        now: Date,
        authorize: (ProviderRequest, _ now: Date) throws(Refusal) -> SenderAuthority = { _, _ in .everything }
    ) throws(Refusal) -> PushHead {
        let token: String?
        switch DevicePath(request.path) {
        case .device(let text): token = text
        case .noDevice: token = nil
        case .unknown: throw Refusal(.badPath)
        }
        guard request.method == "POST" else { throw Refusal(.methodNotAllowed) }
        guard !request.repeatsHeader else { throw Refusal(.duplicateHeaders) }
        let authority = try authorize(request, now)
        return try judge(request, token: token, authority: authority, freshID: freshID(), now: now)
    }

    /// Judges the headers of a push from the message id on.
    func judge(
        _ request: ProviderRequest,
        token: String?,
        authority: SenderAuthority = .everything,
        freshID: @autoclosure () -> String,
        now: Date
    ) throws(Refusal) -> PushHead {
        let id: String
        if let sent = request.id {
            guard let parsed = MessageID(sent) else { throw Refusal(.badMessageId) }
            id = parsed.canonical
        } else {
            id = freshID()
        }
        let expiration = try expiration(request.expiration, now: now)
        let priority = try priority(request)
        let statedType = try pushType(request.pushType)
        let deviceToken = token.flatMap { DeviceToken($0) }
        let device = try deviceToken.map { token throws(Refusal) in try state(of: token) } ?? nil
        let address = try address(request.topic, statedType: statedType, device: device, authority: authority)
        let collapseID = try collapseID(request.collapseID)
        guard let token, !token.isEmpty else { throw Refusal(.missingDeviceToken) }
        guard let deviceToken, let device else { throw Refusal(.badDeviceToken) }
        if let registration = device.registration {
            guard environment == nil || environment == registration.environment else { throw Refusal(.badDeviceToken) }
            if case .removed(_, let date) = device { throw Refusal(unregisteredAt: date) }
            guard registration.topic == address.app.topic else { throw Refusal(.deviceTokenNotForTopic) }
        }
        if let length = request.contentLength, length > address.pushType.maximumPayloadByteCount {
            throw Refusal(.payloadTooLarge)
        }
        return PushHead(
            id: id,
            deviceToken: deviceToken.digits,
            topic: address.topic,
            app: address.app.topic,
            owner: device.registration?.owner ?? OwnedApp.onlyOwner,
            environment: device.registration?.environment ?? environment,
            pushType: address.pushType,
            priority: address.pushType == .background && priority == .immediate ? .powerAware : priority,
            expiration: expiration.date,
            isKept: expiration.isKept,
            collapseID: collapseID,
            sender: authority.sender,
            refusesOtherBody: conformance == .strict && request.id != nil,
            quirks: authority.quirks + quirks(of: request, address)
        )
    }

    private func state(of token: DeviceToken) throws(Refusal) -> DeviceTokenState? {
        do {
            return try tokens.state(of: token.digits)
        } catch {
            throw Refusal(.serviceUnavailable)
        }
    }
}

// MARK: One header each

extension PushValidator {
    /// No date for an absent value, for 0 and for the past; the latter two are started once and never kept.
    private func expiration(_ value: String?, now: Date) throws(Refusal) -> (date: Date?, isKept: Bool) {
        guard let value else { return (nil, true) }
        guard (1...13).contains(value.utf8.count),
            value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Double(value)
        else { throw Refusal(.badExpirationDate) }
        let date = Date(timeIntervalSince1970: seconds)
        guard date > now else { return (nil, false) }
        return (min(date, now.addingTimeInterval(Self.maximumLifetime)), true)
    }

    private func priority(_ request: ProviderRequest) throws(Refusal) -> PushPriority {
        switch request.priority {
        case nil: return .immediate
        case "10":
            // Apple: specifying 10 for a background push is an error.
            if conformance == .strict, request.pushType == PushType.background.rawValue {
                throw Refusal(.badPriority)
            }
            return .immediate
        case "5": return .powerAware
        case "1": return .low
        case _?: throw Refusal(.badPriority)
        }
    }

    private func pushType(_ value: String?) throws(Refusal) -> PushType? {
        guard let value else { return nil }
        guard let type = PushType(rawValue: value) else { throw Refusal(.invalidPushType) }
        return type
    }

    private func collapseID(_ value: String?) throws(Refusal) -> String? {
        guard let value, !value.isEmpty else { return nil }
        guard value.utf8.count <= 64, !value.unicodeScalars.contains(Self.replacement) else {
            throw Refusal(.badCollapseId)
        }
        return value
    }
}
