// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

package import struct Foundation.Date

/// The last provider tokens of one connection, kept with their verdicts, since a verification costs several times what
/// the rest of a request does.
package struct ProviderSession {
    /// Longer ones are not looked at, in bytes.
    static let headerByteCountLimit = 4096
    /// A sender changes its token at most once in this time, in seconds.
    ///
    /// Source: Apple, "Handling notification responses from APNs", `TooManyProviderTokenUpdates`.
    static let updateInterval: Double = 20 * 60

    private struct Known {
        let header: String
        /// The token in the header; `nil` means that it is not valid.
        var token: ProviderToken?
        var isAdmitted = false
    }

    private let environment: PushEnvironment
    private let conformance: Conformance
    private var authentication: SenderAuthentication
    /// The tokens that were shown last, at most two, the latest last.
    private var known: [Known] = []
    private var team: String?
    private var firstKey: String?
    private var lastUpdate: Date?
    /// Tokens that were not valid, however often they were known to be.
    package private(set) var failureCount = 0
    /// The last request's token was known already.
    package private(set) var usedCache = false

    package init(authentication: SenderAuthentication, environment: PushEnvironment, conformance: Conformance) {
        self.authentication = authentication
        self.environment = environment
        self.conformance = conformance
    }

    /// Judges by other keys from now on; what was admitted stays so for the count of updates.
    package mutating func use(_ authentication: SenderAuthentication) {
        self.authentication = authentication
        for index in known.indices { known[index].token = verified(known[index].header) }
    }

    /// Judges the credential of one request.
    ///
    /// - Throws: `missingProviderToken` where no bearer token is; `invalidProviderToken` for a bad one, one of a second
    ///   team, one whose key may not send to the topic that is asked for; `expiredProviderToken`,
    ///   `badEnvironmentKeyInToken`; under strict conformance `unrelatedKeyIdInToken` and
    ///   `tooManyProviderTokenUpdates`.
    package mutating func authority(_ request: ProviderRequest, now: Date) throws(Refusal) -> SenderAuthority {
        guard let header = request.authorization else { throw Refusal(.missingProviderToken) }
        var index = known.lastIndex { $0.header == header }
        usedCache = index != nil
        if index == nil {
            guard ProviderToken.bearer(header) != nil else { throw Refusal(.missingProviderToken) }
            index = remember(header)
        }
        guard let index, let token = known[index].token, token.age(at: now) != .early else {
            failureCount += 1
            throw Refusal(.invalidProviderToken)
        }
        let key = token.key
        guard token.age(at: now) == .current else { throw Refusal(.expiredProviderToken) }
        guard team == nil || team == key.team else { throw Refusal(.invalidProviderToken) }
        if conformance == .strict, let firstKey, firstKey != key.id { throw Refusal(.unrelatedKeyIdInToken) }
        team = key.team
        firstKey = firstKey ?? key.id
        guard key.environment == nil || key.environment == environment else {
            throw Refusal(.badEnvironmentKeyInToken)
        }
        let authority = SenderAuthority(.key(key.id, team: key.team), topics: key.topics, quirks: token.quirks)
        if let topic = request.topic, !topic.isEmpty, !authority.allows(topic) {
            throw Refusal(.invalidProviderToken)
        }
        try admit(index, now: now)
        return authority
    }

    /// Counts a change of tokens.
    private mutating func admit(_ index: Int, now: Date) throws(Refusal) {
        guard !known[index].isAdmitted else { return }
        if conformance == .strict, let lastUpdate, now.timeIntervalSince(lastUpdate) < Self.updateInterval {
            throw Refusal(.tooManyProviderTokenUpdates)
        }
        known[index].isAdmitted = true
        lastUpdate = now
    }

    /// Takes a new header in the place of the older one; nil when it is too long to be kept.
    private mutating func remember(_ header: String) -> Int? {
        guard header.utf8.count <= Self.headerByteCountLimit else { return nil }
        if known.count == 2 { known.removeFirst() }
        known.append(Known(header: header, token: verified(header)))
        return known.count - 1
    }

    private func verified(_ header: String) -> ProviderToken? {
        ProviderToken.bearer(header).flatMap { ProviderToken($0, authentication: authentication) }
    }
}
