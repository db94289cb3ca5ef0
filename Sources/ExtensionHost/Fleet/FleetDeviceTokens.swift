// SPDX-License-Identifier: Apache-2.0

import Fleet
import HostRuntime
import Store

/// The device tokens of a fleet, which its database judges; the apps are the host's own.
struct FleetDeviceTokens: DeviceTokens {
    private let table: DeviceTokenTable

    init(_ apps: [HostedTokens]) {
        var table = DeviceTokenTable()
        for app in apps { table.register(app.registration, tokens: []) }
        self.table = table
    }

    func state(of token: String) -> DeviceTokenState? { .judgedByStore }

    func app(forTopic topic: String) -> DeviceTokenTable.Registration? { table.app(forTopic: topic) }
}

extension [HostedTokens] {
    /// The device tokens of host.yaml, as the fleet's database is told of them.
    var fleetTokens: [OfferedToken] {
        flatMap { app in
            app.tokens.map { token in
                OfferedToken(
                    token: token,
                    topic: app.registration.topic,
                    environment: app.registration.environment.rawValue,
                    owner: OwnedApp.onlyOwner
                )
            }
        }
    }
}

extension TokenVerdict {
    /// The warning about a token of host.yaml to which nobody may send as that says; nil: all is well.
    func warning(of token: OfferedToken) -> String? {
        switch self {
        case .active: nil
        case .ofAnotherTopic: "a device token of \"\(token.topic)\" is another app's in the fleet"
        case .removed: "a device token of \"\(token.topic)\" was removed from the fleet, and stays so"
        case .activeOtherwise: "a device token of \"\(token.topic)\" has another environment or owner in the fleet"
        }
    }
}
