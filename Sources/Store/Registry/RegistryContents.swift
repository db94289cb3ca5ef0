// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import HostRuntime

internal import struct Foundation.Date

/// Everything the registry knew at one moment.
struct RegistryContents: Sendable {
    var tokens: [String: DeviceTokenState] = [:]
    var subscriptions: [String: RegisteredSubscription] = [:]
    /// By topic, the active one that was added first.
    var firstTokens: [String: String] = [:]
    /// The value of `PRAGMA data_version` from just before the contents were read.
    var version = 0
}

extension RegistryContents {
    /// Reads everything in a registry; `registration` makes one of a topic and an environment.
    init(
        of file: RegistryFile,
        now: Date,
        registration: (RegisteredToken) -> DeviceTokenTable.Registration
    ) throws(StoreError) {
        // Read before what it describes: a change between them is seen as one, and all is read again.
        version = try file.dataVersion()
        let tokens = try file.tokens(now: now)
        self.tokens.reserveCapacity(tokens.count)
        for token in tokens {
            let state = DeviceTokenState(token, registration)
            self.tokens[token.token] = state
            // A line without a token is the only owner's, or nobody's.
            guard case .active = state, token.owner == OwnedApp.onlyOwner else { continue }
            if firstTokens[token.topic] == nil { firstTokens[token.topic] = token.token }
        }
        for subscription in try file.subscriptions(now: now) { subscriptions[subscription.token] = subscription }
    }
}

extension DeviceTokenState {
    init(_ token: RegisteredToken, _ registration: (RegisteredToken) -> DeviceTokenTable.Registration) {
        let registration = registration(token)
        self = token.removed.map { .removed(registration, at: $0) } ?? .active(registration)
    }
}
