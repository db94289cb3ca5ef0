// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

internal import struct Foundation.Date

/// Everything the registry knew at one moment.
struct RegistryContents: Sendable {
    var tokens: [String: DeviceTokenState] = [:]
    var subscriptions: [String: RegisteredSubscription] = [:]
    /// By topic, the active one that was added first.
    var firstTokens: [String: String] = [:]
    /// What `PRAGMA data_version` said.
    var version = 0
}

extension RegistryFile {
    /// Reads everything; `registration` makes one of a topic and an environment.
    func contents(
        now: Date,
        registration: (String, PushEnvironment) -> DeviceTokenTable.Registration
    ) throws(StoreError) -> RegistryContents {
        let version = try dataVersion()
        let tokens = try tokens(now: now)
        var contents = RegistryContents()
        // Read before what it describes: a change between them is seen as one, and all is read again.
        contents.version = version
        contents.tokens.reserveCapacity(tokens.count)
        for token in tokens {
            let state = DeviceTokenState(token, registration)
            contents.tokens[token.token] = state
            if case .active = state, contents.firstTokens[token.topic] == nil {
                contents.firstTokens[token.topic] = token.token
            }
        }
        for subscription in try subscriptions(now: now) { contents.subscriptions[subscription.token] = subscription }
        return contents
    }
}

extension DeviceTokenState {
    init(_ token: RegisteredToken, _ registration: (String, PushEnvironment) -> DeviceTokenTable.Registration) {
        let registration = registration(token.topic, token.environment)
        self = token.removed.map { .removed(registration, at: $0) } ?? .active(registration)
    }
}
