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
    /// The warnings about tokens of host.yaml to which nobody may send as that says, one for each app and cause.
    static func warnings(of tokens: [OfferedToken], _ verdicts: [TokenVerdict]) -> [String] {
        let counts = zip(tokens, verdicts).reduce(into: [String: Int]()) { counts, pair in
            guard let warning = pair.1.warning(of: pair.0.topic) else { return }
            counts[warning, default: 0] += 1
        }
        return counts.map { "\($0.key): \($0.value)" }.sorted()
    }

    private func warning(of topic: String) -> String? {
        switch self {
        case .active: nil
        case .ofAnotherTopic: "device tokens of \"\(topic)\" that are another app's in the fleet"
        case .removed: "device tokens of \"\(topic)\" that were removed from the fleet, and stay so"
        case .activeOtherwise: "device tokens of \"\(topic)\" that have another environment or owner in the fleet"
        }
    }
}
